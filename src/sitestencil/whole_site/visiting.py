"""Load a site's pages one after the other, politely, and keep each answer at once."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar

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
from sitestencil.urls import origin
from sitestencil.whole_site.visits import Visit, Visits

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    from protego import Protego

_T = TypeVar("_T")
_LONGEST_WAIT = 600.0
_WAIT = 30.0  # where the server asks for fewer requests, and does not say how long
_MOST_WAITS = 4  # for one page
_MOST_UNREACHED = 5  # one after the other
_MOST_SITEMAPS = 50
_GONE = (404, 410)
_ELSEWHERE = "If the site wants a login, give --cookie-file; if it moved, its address and another folder."
_AGAIN = "All pages so far are kept: run this command again."


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


class Visited(NamedTuple):
    """All visits of a site in their order, from its first page on, and why addresses gave no page."""

    start: str
    visits: list[Visit]
    left: dict[str, str]


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
        try:
            return await _Visitor(source, browser, loading, visits).visit(url, report)
        except AskedToWait as error:
            raise PageUnavailable(f"{error} {_AGAIN}") from None


class _Visitor:
    def __init__(
        self, source: PoliteSource, browser: RenderedSource | None, loading: Loading, visits: Visits
    ) -> None:
        self._source, self._browser, self._loading, self._visits = source, browser, loading, visits
        self._delay, self._asked = loading.delay, monotonic()
        self._unreached: list[Visit] = []

    async def visit(self, url: str, report: Report) -> Visited:
        if not (await self._rules(url)).can_fetch(url, ROBOT):
            forbidden = f"{url}: the site's robots.txt asks robots to leave it alone."
            raise PageUnavailable(self._source.without_rules or forbidden)
        self._asked = monotonic()
        first = await self._visit(url, url)
        self._source.stay_at(first.url, url)
        if origin(first.url) != origin(url):
            await self._turn()
        rules = await self._rules(first.url)
        may_act, extent = await self._source.may_act(first.url), self._loading.extent
        frontier = Frontier(first.url, extent, may_act=may_act, may_crawl=lambda one: rules.can_fetch(one, ROBOT))
        visited = Visited(first.url, [first], {})
        _read(first, frontier, 0)
        await self._sitemaps(list(rules.sitemaps), visited, frontier)
        pages, most = 1, extent.most_pages
        while pages < most and len(visited.visits) < extent.most_loads and (found := frontier.next()):
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
            report(CrawlProgress("loading", pages, min(most, pages + len(frontier.queue)), pages))
        self._visits.add(*self._unreached)
        frontier.leave_rest()
        return visited._replace(left=visited.left | frontier.left)

    async def _rules(self, url: str) -> "Protego":
        rules = await self._source.rules(url)
        self._delay = max(self._delay, float(rules.crawl_delay(ROBOT) or 0))
        return rules

    async def _sitemaps(self, named: list[str], visited: Visited, frontier: Frontier) -> None:
        """Add the addresses in the sitemaps that robots.txt names, else in ``/sitemap.xml``."""
        waiting = named[:_MOST_SITEMAPS] or [f"{origin(visited.start)}/sitemap.xml"]
        for url in waiting:
            try:
                found, further = await self._patiently(lambda url=url: self._source.sitemap(url))  # type: ignore[misc]
            except PageUnavailable as error:
                if isinstance(error, AskedToWait):
                    raise
                if error.status not in _GONE:  # pages that it alone lists are still there
                    frontier.add([one.url for one in self._visits.earlier.values() if one.outcome == "page"], 1)
                if named or error.status not in _GONE:
                    visited.left[url] = str(error)
                continue
            frontier.add(found, 1)
            new = [one for one in dict.fromkeys(further) if one not in waiting]
            waiting += new[: _MOST_SITEMAPS - len(waiting)]

    async def _visit(self, url: str, start: str) -> Visit:
        """Return the visit of an address, which is loaded unless this run has loaded it already."""
        page = page_in_site(url, start)
        if known := self._visits.of(page):
            return known
        try:
            visit = await self._patiently(lambda: self._load(url, page))
        except PageUnavailable as error:
            if url == start or isinstance(error, AskedToWait):
                raise  # the next run asks again
            earlier = None if error.status in _GONE else self._visits.earlier.get(page)
            visit = Visit(page, url, "same" if earlier else "none", str(error))
            if error.later:
                if len(self._unreached) >= _MOST_UNREACHED:
                    raise PageUnavailable(f"{error} {_AGAIN}") from None
                self._unreached.append(visit)
                return earlier or visit
        self._visits.add(*self._unreached, visit)  # the server answers other pages than these
        self._unreached.clear()
        return self._visits.of(page) or visit

    async def _patiently(self, load: Callable[[], Awaitable[_T]]) -> _T:
        """Load an address, and wait as long as the server asks for."""
        for tries in range(_MOST_WAITS + 1):
            await self._turn()
            try:
                return await load()
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
        await self._loading.pause(max(0.0, self._asked + self._delay - monotonic()))
        self._asked = monotonic()

    async def _load(self, url: str, page: str) -> Visit:
        known = self._visits.earlier.get(page)
        if self._browser is not None:
            loaded = await self._browser.load(link_to(url))
            _check_address(known, url, loaded.url)
            assert isinstance(loaded.content, Document), "a browser captures a tree"
            html = to_html(loaded.content).encode("utf-8", "replace")
            return Visit(page, loaded.url, "page", charset="utf-8", packed=zlib.compress(html))
        fresh = await self._source.visit(url, *((known.etag, known.modified) if known else ()))
        if fresh is None:
            return Visit(page, url, "same")
        if isinstance(fresh, str):
            if not self._source.is_moved:
                _check_address(known, url, fresh)
            return Visit(page, url, "moved", fresh)
        _check_address(known, url, fresh.page.url)
        content = fresh.page.content
        assert isinstance(content, bytes), "a server's answer is no tree"
        versions = fresh.etag, fresh.modified, fresh.page.charset
        return Visit(page, fresh.page.url, "page", "", *versions, zlib.compress(content))


def _check_address(known: Visit | None, asked: str, url: str) -> None:
    """Raise if an address leads elsewhere than in the last run, as where a login ended."""
    if known is not None and known.outcome == "page" and page_in_site(known.url, url) != page_in_site(url, url):
        raise PageUnavailable(f"{asked} led to {known.url}, and now to {url}. {_ELSEWHERE}")


def _read(visit: Visit, frontier: Frontier, depth: int) -> None:
    page = LoadedPage(visit.url, zlib.decompress(visit.packed), charset=visit.charset)
    with suppress(PageUnavailable):  # its markup is refused: writing says so
        frontier.read(page.document(), depth)
