"""Load a site's pages one after the other, politely, and keep each answer at once in a folder.

``visits.new`` grows by a line for each address of the run at work; half a line at its end is cut off. ``visits``
holds the last finished run, with what it wrote. One rename replaces it, so a run is finished or it is not.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import msgspec

from sitestencil.crawl.plan import CrawlProgress, Report
from sitestencil.crawl.spill import temporary
from sitestencil.errors import AskedToWait, PageUnavailable, UnusableOutput
from sitestencil.page.document import Document
from sitestencil.page.serialization import to_html
from sitestencil.site.frontier import Extent, Frontier
from sitestencil.site.links import link_to, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import ROBOT
from sitestencil.site.sources.polite import PoliteSource
from sitestencil.site.sources.rendered import RenderedSource
from sitestencil.urls import origin

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
_FINISHED = "visits"
_AGAIN = "All pages so far are kept: run this command again."


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer at an address, whose `page` all addresses of the page share; of a page, `url` is after redirects.

    `detail` is a redirect's target, or why there is no page; of the "same" page as before, why it was not reached.
    `etag` and `modified` are the server's version.
    """

    page: str
    url: str
    outcome: Literal["page", "same", "moved", "none"]
    detail: str = ""
    etag: str = ""
    modified: str = ""
    charset: str | None = None
    packed: bytes = b""


# A kind of page: the id, the learned template, and the other fields of `PageKind` up to `confidence`.
Kept = tuple[str, bytes, tuple[str, ...], int, bytes, tuple[str, ...], float | None]


class Finished(msgspec.Struct, frozen=True):
    """The output of the last run: each page's packed text by its address, the files, and the kinds."""

    texts: dict[str, bytes] = {}
    files: tuple[str, ...] = ()
    kinds: tuple[Kept, ...] = ()


class Visits:
    """The visits of a run; `earlier` has those of the finished one before it, and `before` what it wrote, or None.

    Raises:
        UnusableOutput: a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._old, self._new = folder / _FINISHED, folder / "visits.new"
        self.earlier, self.before = finished_visits(folder)
        self._file = self._new.open("ab+")
        self._file.seek(0)
        *lines, cut = self._file.read().split(b"\n")
        self._visits = {visit.page: visit for visit in _decoded(self._new, lines, Visit)}
        self._file.truncate(self._file.tell() - len(cut))
        if {page: self.of(page) for page in self._visits} == self.earlier:
            self._file.truncate(0)  # that run was killed when it had finished
            self._visits.clear()
        self.close = self._file.close

    @property
    def first(self) -> str | None:
        """The page that the folder's first address leads to; None as long as nothing of it is loaded."""
        return next(iter(self._visits or self.earlier), None)

    @property
    def unreached(self) -> dict[str, str]:
        """Why pages of the finished run could not be loaded in this one, in which they stay as they were."""
        same = (visit for visit in self._visits.values() if visit.outcome == "same" and visit.detail)
        earlier = ((visit, self.earlier.get(visit.page)) for visit in same)
        return {old.url: visit.detail for visit, old in earlier if old is not None and old.outcome == "page"}

    def of(self, page: str) -> Visit | None:
        """Return a visit of this run."""
        visit = self._visits.get(page)
        return self.earlier.get(page) if visit is not None and visit.outcome == "same" else visit

    def add(self, *visits: Visit) -> None:
        """Keep visits."""
        for visit in visits:
            self._file.write(msgspec.json.encode(visit) + b"\n")
            self._visits[visit.page] = visit
        self._file.flush()

    def finish(self, visits: Sequence[Visit], finished: Finished) -> None:
        """Replace the finished run by this one."""
        if finished != self.before or {visit.page: visit for visit in visits} != self.earlier:
            with temporary(self._old) as file, file.open("wb") as stream:
                for each in (*visits, finished):
                    stream.write(msgspec.json.encode(each) + b"\n")
        self.close()
        self._new.unlink()


def finished_visits(folder: Path) -> tuple[dict[str, Visit], Finished | None]:
    """Return the visits of a folder's finished run by their pages, in order, and what it wrote; None without one.

    Raises:
        UnusableOutput: the file is damaged.
    """
    file = folder / _FINISHED
    try:
        *lines, last = file.read_bytes().splitlines()
    except FileNotFoundError:
        return {}, None
    (written,) = _decoded(file, [last], Finished)
    return {visit.page: visit for visit in _decoded(file, lines, Visit)}, written


def _decoded(file: Path, lines: Iterable[bytes], kind: type[_T]) -> list[_T]:
    try:
        return [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.DecodeError:
        raise UnusableOutput(f"{file} is damaged. Delete {file.parent}, and all pages are loaded again.") from None


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
        if self._browser is not None:
            loaded = await self._browser.load(link_to(url))
            assert isinstance(loaded.content, Document), "a browser captures a tree"
            html = to_html(loaded.content).encode("utf-8", "replace")
            return Visit(page, loaded.url, "page", charset="utf-8", packed=zlib.compress(html))
        known = self._visits.earlier.get(page)
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
    page = LoadedPage(visit.url, zlib.decompress(visit.packed), charset=visit.charset)
    with suppress(PageUnavailable):  # its markup is refused: writing says so
        frontier.read(page.document(), depth)
