"""Load a site's pages one after the other, politely, and keep each answer at once."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.errors import AskedToWait, PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.site.frontier import Extent, Frontier
from sitestencil.site.links import link_to, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import ROBOT
from sitestencil.site.sources.polite import PoliteSource
from sitestencil.site.sources.rendered import RenderedSource
from sitestencil.whole_site.visits import Visit, Visits

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

_LONGEST_WAIT = 600.0
_WAIT = 30.0  # where the server asks for fewer requests, and does not say how long
_MOST_WAITS = 4  # for one page
_MOST_UNREACHED = 5  # one after the other
_MOST_LOADS = 4  # as many addresses as pages may be asked for, and some more
_FEW = 100


@dataclass(frozen=True, slots=True)
class Loading:
    """How a site is loaded.

    Attributes:
        extent: which pages.
        delay: the seconds between two requests; robots.txt may ask for more.
        cookies: cookies for the site's own server.
        rendered: load pages in a browser, which runs their scripts.
        browser: its name; by default the first one installed.
        pictures: also load the pictures of the pages.
        pause: waits between requests.
    """

    extent: Extent = field(default_factory=Extent)
    delay: float = 1.0
    cookies: "CookieJar | None" = None
    rendered: bool = False
    browser: str | None = None
    pictures: bool = False
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep


@dataclass
class Visited:
    """All visits of a site in their order, from its first page on, and why addresses gave no page."""

    start: str
    visits: list[Visit]
    left: dict[str, str] = field(default_factory=dict)


async def visit_site(url: str, loading: Loading, visits: Visits, report: Report) -> Visited:
    """Visit the pages of a site from its first page on; those that this run has visited already are not loaded.

    Raises:
        PageUnavailable: the first page is unavailable, robots.txt forbids it, or the server answers no more.
    """
    async with AsyncExitStack() as stack:
        source = await stack.enter_async_context(PoliteSource(cookies=loading.cookies))
        browser = RenderedSource(browser=loading.browser) if loading.rendered else None
        if browser is not None:
            await stack.enter_async_context(browser)
        return await _Visitor(source, browser, loading, visits).visit(url, report)


class _Visitor:
    def __init__(
        self, source: PoliteSource, browser: RenderedSource | None, loading: Loading, visits: Visits
    ) -> None:
        self._source, self._browser = source, browser
        self._loading, self._visits = loading, visits
        self._delay = loading.delay
        self._asked: float | None = None
        self._unreached: list[Visit] = []

    async def visit(self, url: str, report: Report) -> Visited:
        if not (await self._source.rules(url)).can_fetch(url, ROBOT):
            forbidden = f"{url}: the site's robots.txt asks robots to leave it alone."
            raise PageUnavailable(self._source.without_rules or forbidden)
        self._asked = monotonic()
        first = await self._visit(url, url)
        self._source.stay_at(first.url, url)
        rules = await self._source.rules(first.url)
        self._delay = max(self._delay, float(rules.crawl_delay(ROBOT) or 0))
        may_act, most = await self._source.may_act(first.url), self._loading.extent.most_pages
        frontier = Frontier(
            first.url, self._loading.extent, may_act=may_act, may_crawl=lambda url: rules.can_fetch(url, ROBOT)
        )
        visited = Visited(first.url, [first])
        _read(first, frontier, 0)
        async for listed in self._source.sitemaps(first.url, self._turn):
            frontier.add(listed, 1)
        pages = 1
        while pages < most and len(visited.visits) < most * _MOST_LOADS + _FEW and (found := frontier.next()):
            address, depth = found
            visit = await self._visit(address, first.url)
            visited.visits.append(visit)
            if visit.outcome == "page":
                pages += 1
                _read(visit, frontier, depth)
            elif visit.outcome == "moved":
                frontier.add([visit.detail], depth)
            else:
                visited.left[address] = visit.detail
            report(CrawlProgress("loading", pages, min(most, pages + frontier.later), pages))
        self._keep_unreached()
        frontier.leave_rest()
        visited.left |= frontier.left
        return visited

    async def _visit(self, url: str, start: str) -> Visit:
        """Return the visit of an address, which is loaded unless this run has loaded it already."""
        page = page_in_site(url, start)
        if known := self._visits.of(page):
            return known
        try:
            visit = await self._patiently(url, page)
        except PageUnavailable as error:
            if url == start:
                raise  # the next run asks again
            visit = Visit(page, url, "none", str(error))
            if error.later:
                if len(self._unreached) >= _MOST_UNREACHED or isinstance(error, AskedToWait):
                    raise PageUnavailable(f"{error} All pages so far are kept: run this command again.") from None
                self._unreached.append(visit)
                return visit
        self._keep_unreached()
        self._visits.add(visit)
        return self._visits.of(page) or visit

    def _keep_unreached(self) -> None:
        """Keep what was not reached as such: the server answers other pages."""
        for visit in self._unreached:
            self._visits.add(visit)
        self._unreached.clear()

    async def _patiently(self, url: str, page: str) -> Visit:
        """Load an address, and wait as long as the server asks for."""
        for tries in range(_MOST_WAITS + 1):
            await self._turn()
            try:
                return await self._load(url, page)
            except AskedToWait as error:
                seconds = _WAIT * 2**tries if error.seconds is None else error.seconds
                if tries == _MOST_WAITS or seconds > _LONGEST_WAIT:
                    raise
                await self._loading.pause(seconds)
            finally:
                self._asked = monotonic()
        raise AssertionError("the last try returns or raises")

    async def _turn(self) -> None:
        """Wait until the next request may be made."""
        if self._asked is not None:
            await self._loading.pause(max(0.0, self._asked + self._delay - monotonic()))
        self._asked = monotonic()

    async def _load(self, url: str, page: str) -> Visit:
        if self._browser is not None:
            loaded = await self._browser.load(link_to(url))
            assert isinstance(loaded.content, Document), "a browser captures a tree"
            html = to_html(loaded.content).encode("utf-8", "replace")
            return Visit(page, loaded.url, "page", charset="utf-8", packed=zlib.compress(html))
        known = self._visits.earlier(page)
        fresh = await self._source.visit(url, *((known.etag, known.modified) if known else ()))
        if fresh is None:
            return Visit(page, url, "same")
        if isinstance(fresh, str):
            return Visit(page, url, "moved", fresh)
        content = fresh.page.content
        assert isinstance(content, bytes), "a server's answer is no tree"
        versions = fresh.etag, fresh.modified, fresh.page.charset
        return Visit(page, fresh.page.url, "page", "", *versions, zlib.compress(content))


def _read(visit: Visit, frontier: Frontier, depth: int) -> None:
    try:
        frontier.read(LoadedPage(visit.url, visit.html, charset=visit.charset).document(), depth)
    except PageUnavailable:
        return  # its markup is refused: writing says so
