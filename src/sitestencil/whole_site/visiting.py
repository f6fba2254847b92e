"""Load a site's pages one after the other, politely, and keep each answer at once."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.errors import AskedToWait, PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.encoding import may_be_html
from sitestencil.page.serialization import to_html
from sitestencil.site.frontier import MOST_LEFT, Extent, Frontier
from sitestencil.site.links import link_to, page_in_site
from sitestencil.site.sources.messages import DENIED
from sitestencil.site.sources.polite import PoliteSource
from sitestencil.site.sources.rendered import RenderedSource
from sitestencil.urls import origin, resolve
from sitestencil.whole_site.staying import Staying
from sitestencil.whole_site.visits import Visit, Visited

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    from sitestencil.site.sources.robots import RobotRules

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
        files: also load the files that they link to.
        pause: waits between requests.
    """

    extent: Extent = field(default_factory=Extent)
    delay: float = 1.0
    cookies: "CookieJar | None" = None
    rendered: bool = False
    browser: str | None = None
    pictures: bool = False
    files: bool = False
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep


async def visit_site(url: str, loading: Loading, staying: Staying, report: Report) -> Visited:
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
            return await _Visitor(source, browser, loading, staying).visit(url, report)
        except AskedToWait as error:
            raise PageUnavailable(f"{error} {_AGAIN}") from None


class _Visitor:
    def __init__(
        self, source: PoliteSource, browser: RenderedSource | None, loading: Loading, staying: Staying
    ) -> None:
        self._source, self._browser, self._loading = source, browser, loading
        self._staying, self._visits = staying, staying.visits
        self._delay, self._asked = loading.delay, monotonic()
        self._unreached: list[Visit] = []
        self._start, self._depths = "", dict[str, int]()  # of each page that this run has an answer for

    async def visit(self, url: str, report: Report) -> Visited:
        if (await self._rules(url)).refusal(url):
            forbidden = f"{url}: the site's robots.txt asks robots to leave it alone."
            raise PageUnavailable(self._source.without_rules or forbidden)
        self._asked = monotonic()
        first = await self._visit(url, url)
        self._source.stay_at(first.url, url)
        if origin(first.url) != origin(url):
            await self._turn()
        rules = await self._rules(first.url)
        may_act, extent = await self._source.may_act(first.url), self._loading.extent
        frontier = Frontier(first.url, extent, may_act=may_act, refusal=rules.refusal)
        visited = Visited(first.url, [first], {})
        self._start, self._depths[first.page] = first.url, 0
        _read(first, frontier, 0)
        await self._sitemaps([*rules.sitemaps], visited, frontier)
        is_full = True
        while is_full:
            await self._load_waiting(visited, frontier, report)
            is_full = not frontier.queue and frontier.is_whole
            if not self._stay(visited, frontier, is_full=is_full):
                break
        frontier.leave_rest()
        visits = [visit for page in self._depths if (visit := self._visits.of(page)) is not None]
        pages = {visit.page for visit in visits if visit.outcome == "page"}
        moved = (visit for visit in visits if visit.outcome == "moved")
        visited.left.update(
            (one.url, f"it moved to {one.detail}") for one in moved if self._page(one.detail) not in pages
        )
        left = visited.left | frontier.left
        left = {url: why for url, why in left.items() if "#" in url or self._page(url) not in pages}
        if frontier.unnamed:
            left[f"{frontier.unnamed:,} further addresses"] = "too many to name"
        return visited._replace(visits=visits, left=left)

    async def _load_waiting(self, visited: Visited, frontier: Frontier, report: Report) -> None:
        """Load addresses until none waits, or there are as many as are wanted."""
        visits, most = visited.visits, self._loading.extent.most_pages
        pages = sum(visit.outcome == "page" for visit in visits)
        while pages < most and len(visits) < self._loading.extent.most_loads and (found := frontier.next()):
            address, depth = found
            visit = await self._visit(address, visited.start)
            visits.append(visit)
            self._depths[visit.page] = depth
            pages += visit.outcome == "page"
            _read(visit, frontier, depth)
            if visit.outcome == "none":
                visited.left[address] = visit.detail
            report(CrawlProgress("loading", pages, min(most, pages + len(frontier.queue)), pages))
        self._visits.add(*self._unreached)
        self._unreached.clear()

    def _stay(self, visited: Visited, frontier: Frontier, *, is_full: bool) -> bool:
        """Leave pages as they were, and go on from their links; return whether there is any.

        These are pages whose answers are not believed, and those that are not asked for though something leads to
        them, or may.
        """
        if not is_full:
            frontier.leave_rest()
        left = {self._page(url): why for url, why in frontier.left.items()}
        why = self._staying.not_believed(self._depths)
        for page, earlier in self._visits.earlier.items():
            is_there = page not in self._depths and earlier.outcome in {"page", "moved"}
            if is_there and (not is_full or page in frontier.linked):
                why[page] = left.get(page, "this run did not come to it")
        for page, reason in why.items():
            depth = self._depths.setdefault(page, self._loading.extent.depth or 0)
            stays = self._visits.stay(page, reason)
            _read(stays, frontier, depth)
            if stays.outcome == "none":
                visited.left[stays.url] = reason
        return bool(why)

    async def _rules(self, url: str) -> "RobotRules":
        rules = await self._source.rules(url)
        self._delay = max(self._delay, rules.delay)
        return rules

    async def _sitemaps(self, named: list[str], visited: Visited, frontier: Frontier) -> None:
        """Add the addresses in the sitemaps that robots.txt names, else in ``/sitemap.xml``, and in feeds."""
        robots, root = f"{origin(visited.start)}/robots.txt", f"{origin(visited.start)}/sitemap.xml"
        resolved = {one: resolve(one, robots) for one in named}
        waiting = [*filter(None, resolved.values())] or [root]
        waiting += [url for url in frontier.feeds if not frontier.refusal(url)]
        nowhere = (one for one, url in resolved.items() if url is None)
        visited.left.update((f"{robots}, {one[:200]}", "this sitemap has no web address") for one in nowhere)
        for url in islice(waiting, _MOST_SITEMAPS):  # grows
            try:
                found, further, is_whole = await self._patiently(lambda url=url: self._source.sitemap(url))  # type: ignore[misc]
            except PageUnavailable as error:
                found, further, is_whole = [], [], error.status in _GONE
                if named or error.status not in _GONE:
                    visited.left[url] = str(error)
            if not is_whole:  # pages that it alone lists are still there
                visited.left.setdefault(url, f"{url}: its end is missing, or it lists too much.")
                found += [one.url for one in self._visits.earlier.values() if one.outcome == "page"]
            frontier.add(found, 1, frozenset(found))
            known = set(waiting)
            waiting += [one for one in dict.fromkeys(further) if one not in known]
        frontier.is_whole &= len(waiting) <= _MOST_SITEMAPS
        rest = waiting[_MOST_SITEMAPS:MOST_LEFT]
        visited.left.update(dict.fromkeys(rest, f"more than {_MOST_SITEMAPS} sitemaps"))

    async def _visit(self, url: str, start: str) -> Visit:
        """Return the visit of an address, which is loaded unless this run has loaded it already."""
        page = page_in_site(url, start)
        if known := self._visits.of(page):
            return known
        try:
            visit = await self._patiently(lambda: self._load(url, page), 0 if self._unreached else _MOST_WAITS)
        except PageUnavailable as error:
            if url == start:
                raise  # the next run asks again
            is_gone = error.status in _GONE
            earlier = None if is_gone else self._visits.earlier.get(page)
            visit = Visit(page, url, "same" if earlier else "none", str(error), is_gone=is_gone)
            if error.later:
                self._unreached.append(visit)
                if len(self._unreached) > _MOST_UNREACHED:
                    await self._check_answers(start)
                return earlier or visit
        if visit.outcome == "none" and visit.packed and page in self._visits.saved:
            visit = Visit(page, url, "same", visit.detail)
        self._visits.add(*self._unreached, visit)  # the server answers other pages than these
        self._unreached.clear()
        return self._visits.of(page) or visit

    async def _check_answers(self, start: str) -> None:
        """Ask for the first page again: if the server answers it, those that it does not answer are left."""
        try:
            await self._patiently(lambda: self._load(start, page_in_site(start, start)))
        except PageUnavailable as error:
            raise PageUnavailable(f"{error} {_AGAIN}") from None
        self._visits.add(*self._unreached)
        self._unreached.clear()

    def _page(self, url: str) -> str:
        return page_in_site(url, self._start)

    async def _patiently(self, load: Callable[[], Awaitable[_T]], most_waits: int = _MOST_WAITS) -> _T:
        """Load an address, and wait as long as the server asks for."""
        for tries in range(most_waits + 1):
            await self._turn()
            try:
                return await load()
            except AskedToWait as error:
                seconds = _WAIT * 2**tries if error.seconds is None else error.seconds
                if tries == most_waits or seconds > _LONGEST_WAIT:
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
        versions = (known.etag, known.modified) if known else ("", "")
        fresh = await self._source.visit(url, *versions)
        if isinstance(fresh, str) and fresh != url and page_in_site(fresh, url) == page:
            await self._turn()  # another address of the same page
            fresh = await self._source.visit(fresh, *versions)
        if fresh is None:
            return Visit(page, url, "same")
        if isinstance(fresh, str):
            if page_in_site(fresh, url) == page:
                raise PageUnavailable(f"{url} redirects to itself.")
            if not self._source.is_moved:
                _check_address(known, url, fresh)
            return Visit(page, url, "moved", fresh)
        _check_address(known, url, fresh.page.url)
        content = fresh.page.content
        assert isinstance(content, bytes), "a server's answer is no tree"
        if content.strip() and not may_be_html(content):
            raise PageUnavailable(f"{url} says that it is HTML, and is not.")
        packed = zlib.compress(content)
        if fresh.is_denied:
            return Visit(page, fresh.page.url, "none", DENIED, charset=fresh.page.charset, packed=packed)
        stated = fresh.etag, fresh.modified, fresh.page.charset
        return Visit(page, fresh.page.url, "page", "", *stated, packed, linked=fresh.page.linked)


def _check_address(known: Visit | None, asked: str, url: str) -> None:
    """Raise if an address leads elsewhere than in the last run, as where a login ended."""
    if known is not None and known.outcome == "page" and page_in_site(known.url, url) != page_in_site(url, url):
        raise PageUnavailable(f"{asked} led to {known.url}, and now to {url}. {_ELSEWHERE}")


def _read(visit: Visit, frontier: Frontier, depth: int) -> None:
    """Add the addresses that a page links to, or that it moved to."""
    if visit.outcome == "moved":
        frontier.add([visit.detail], depth)
    frontier.add(visit.linked, depth + 1)
    if not visit.packed:
        return
    with suppress(PageUnavailable):  # its markup is refused: writing says so
        frontier.read(visit.sample().document, depth)
