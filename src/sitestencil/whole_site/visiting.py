"""Load a site's pages one after the other, politely, and keep each answer at once."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic

from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.errors import AskedToWait, PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.site.frontier import Extent, Frontier
from sitestencil.site.links import link_to, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import ROBOT
from sitestencil.site.sources.polite import Fresh, PoliteSource
from sitestencil.site.sources.rendered import RenderedSource
from sitestencil.whole_site.visits import Visit, Visits

_LONGEST_WAIT = 600.0
_WAIT = 30.0  # where the server asks for fewer requests, and does not say how long
_MOST_WAITS = 4  # for one page
_MOST_UNREACHED = 5  # one after the other
_MOST_LOADS = 4  # as many addresses as pages may be asked for, and some more
_FEW = 100


Pause = Callable[[float], Awaitable[object]]


@dataclass
class Visited:
    """A site as it was visited.

    Attributes:
        start: the address of the first page, after redirects.
        visits: all visits in their order.
        left: the reason why an address was not loaded, or gave no page.
    """

    start: str
    visits: list[Visit] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)


@dataclass
class Visitor:
    """Visit a site.

    Attributes:
        source: loads the pages, robots.txt and sitemaps.
        visits: keeps the answers.
        delay: the seconds between two requests; robots.txt may ask for more.
        browser: loads the pages in place of `source`, where scripts build them.
        report: receives the progress.
        pause: waits.
    """

    source: PoliteSource
    visits: Visits
    delay: float = 1.0
    browser: RenderedSource | None = None
    report: Report = lambda _: None
    pause: Pause = asyncio.sleep
    _asked: float | None = None
    _unreached: list[Visit] = field(default_factory=list)

    async def visit(self, url: str, extent: Extent) -> Visited:
        """Visit the pages of a site from its first page on; those that this run has visited already are not loaded.

        Raises:
            PageUnavailable: the first page is unavailable, robots.txt forbids it, or the server answers no more.
        """
        if not (await self.source.rules(url)).can_fetch(url, ROBOT):
            raise PageUnavailable(f"{url}: the site's robots.txt asks robots to leave it alone, or cannot be read.")
        self._asked = monotonic()
        first = await self._visit(url, url)
        if first.outcome != "page":
            raise PageUnavailable(first.detail)
        self.source.stay_at(first.url, url)
        rules = await self.source.rules(first.url)
        self.delay = max(self.delay, float(rules.crawl_delay(ROBOT) or 0))
        may_act = await self.source.may_act(first.url)
        frontier = Frontier(first.url, extent, may_act=may_act, may_crawl=lambda url: rules.can_fetch(url, ROBOT))
        visited = Visited(first.url, [first])
        self._read(first, frontier, 0)
        async for listed in self.source.sitemaps(first.url, self._turn):
            frontier.add_listed(listed)
        pages, loads = 1, extent.most_pages * _MOST_LOADS + _FEW
        while pages < extent.most_pages and len(visited.visits) < loads and (found := frontier.next()):
            address, depth = found
            visit = await self._visit(address, first.url)
            visited.visits.append(visit)
            if visit.outcome == "page":
                pages += 1
                self._read(visit, frontier, depth)
            elif visit.outcome == "moved":
                frontier.add([visit.detail], depth)
            else:
                visited.left[address] = visit.detail
            total = min(extent.most_pages, pages + frontier.later)
            self.report(CrawlProgress("loading", pages, total, pages))
        self._keep_unreached()
        frontier.leave_rest()
        visited.left |= frontier.left
        return visited

    def _read(self, visit: Visit, frontier: Frontier, depth: int) -> None:
        page = LoadedPage(visit.url, visit.html, charset=visit.charset)
        try:
            frontier.read(page.document(), depth)
        except PageUnavailable:
            return  # its markup is refused: writing says so

    async def _visit(self, url: str, start: str) -> Visit:
        """Return the visit of an address, which is loaded unless this run has loaded it already."""
        page = page_in_site(url, start)
        if known := self.visits.of(page):
            return known
        try:
            visit = await self._patiently(url, page)
        except PageUnavailable as error:
            visit = Visit(page, url, "none", str(error))
            if error.later:
                if len(self._unreached) >= _MOST_UNREACHED or isinstance(error, AskedToWait) or url == start:
                    raise PageUnavailable(
                        f"{error} All pages so far are kept: run the same command again."
                    ) from None
                self._unreached.append(visit)
                return visit
        self._keep_unreached()
        self.visits.add(visit)
        return self.visits.of(page) or visit

    def _keep_unreached(self) -> None:
        """Keep what was not reached as such: the server answers other pages."""
        for visit in self._unreached:
            self.visits.add(visit)
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
                await self.pause(seconds)
            finally:
                self._asked = monotonic()
        raise AssertionError("the last try returns or raises")

    async def _turn(self) -> None:
        """Wait until the next request may be made."""
        if self._asked is not None:
            await self.pause(max(0.0, self._asked + self.delay - monotonic()))
        self._asked = monotonic()  # a sitemap's own time does not count

    async def _load(self, url: str, page: str) -> Visit:
        known = self.visits.earlier(page)
        if self.browser is not None:
            loaded = await self.browser.load(link_to(url))
            assert isinstance(loaded.content, Document), "a browser captures a tree"
            html = to_html(loaded.content).encode("utf-8", "replace")
            return Visit(page, loaded.url, "page", charset="utf-8", packed=zlib.compress(html))
        answer = await self.source.visit(url, *((known.etag, known.modified) if known else ()))
        if answer is None:
            return Visit(page, url, "same")
        if isinstance(answer, str):
            return Visit(page, url, "moved", answer)
        return _of_page(page, answer)


def _of_page(page: str, fresh: Fresh) -> Visit:
    loaded = fresh.page
    assert isinstance(loaded.content, bytes), "a server's answer is no tree"
    versions = fresh.etag, fresh.modified, loaded.charset
    return Visit(page, loaded.url, "page", "", *versions, zlib.compress(loaded.content))
