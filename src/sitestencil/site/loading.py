"""Load several pages of the key page's site at a time, with the same result whichever answers first."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from time import monotonic
from typing import NamedTuple

from sitestencil.errors import NoCandidates, NothingLoaded, PageUnavailable, SitestencilError, TimeOut
from sitestencil.page.document import Document
from sitestencil.page.sketch import Sketch
from sitestencil.progress import Progress, Report, Stopwatch, silent
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link, has_site_links, link_to, page_in_site, site_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import AsksRobots, Source
from sitestencil.urls import page_key, site_host

log = logging.getLogger(__name__)

SECONDS_IN_ALL = 30.0
# A courtesy to the site, whatever a detector asks for.
MOST_PAGES = 200
# A page is late after this multiple of the first page's time, and at least this many seconds.
_LATE_AFTER = 3
_ROUND_SECONDS = 1.0
# The same limit while addresses have answered without a page.
_MISS_SECONDS = 4.0
# A browser runs a page's scripts first, so the limit is this many times as long.
_PATIENCE_WITH_A_BROWSER = 3


class KnownPage(NamedTuple):
    """A page known from an earlier visit: its address, and its sketch as bytes for `RememberedPage.of`."""

    url: str
    data: bytes


@dataclass(slots=True, eq=False)
class KnownPages:
    """The known pages of a site, and the pages to know next time.

    Attributes:
        pages: the known pages, the last seen first.
        seen: the pages that a detection saw: the key page, and those it loaded. Empty after a guess.
        compared: the key page, and all that it was compared with, loaded or known.
        outdated: the addresses of known pages that the site has changed since.
    """

    pages: Sequence[KnownPage] = ()
    seen: Sequence[Sketch] = ()
    compared: Sequence[Sketch] = ()
    outdated: list[str] = field(default_factory=list)


@dataclass(eq=False)
class PageLoader:
    """Load pages of the key page's site within limits, each page once.

    Attributes:
        key_page: the page whose template is wanted; the others are parsed with its scripting flag.
        source: the source of pages.
        report: receives the number of loaded pages.
        seconds: the timeout for all loads together; no page comes after it.
        most_pages: the maximum number of requested pages, up to `MOST_PAGES`.
        stopwatch: the time of each phase.
        may_differ: whether the source may give a different page at the key page's address. This is so if the key
            page came from a browser or from the caller.
        by_browser: whether a browser loads the pages, which takes longer.
        allowed: the pages that may be requested (`Link.page`); by default all.
        asks: whether a person may allow more pages.
        given_links: links to the pages that the source has, whether the key page links to them or not.
        known: the pages of the site known from earlier visits, and those to know next time.
        key_status: the HTTP status of the key page.
        loads: the number of requested pages beside the key page, failed ones included.
        pages_received: the number of received pages of the site, repeated ones included.
        repeated: how many of them were copies of a page at another address.
        titles: the titles of the received pages.
        timed_out: whether the time ran out while pages were still wanted.
    """

    key_page: Document
    source: Source
    _: KW_ONLY
    report: Report = silent
    seconds: float = SECONDS_IN_ALL
    most_pages: int = MOST_PAGES
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    may_differ: bool = False
    by_browser: bool = False
    allowed: Collection[str] | None = None
    asks: bool = False
    given_links: Sequence[Link] = ()
    known: KnownPages = field(default_factory=KnownPages)
    key_status: int = 200
    loads: int = field(default=0, init=False)
    pages_received: int = field(default=0, init=False)
    repeated: int = field(default=0, init=False)
    titles: list[str] = field(default_factory=list, init=False)
    timed_out: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._most_pages = min(self.most_pages, MOST_PAGES)
        self._deadline = monotonic() + self.seconds
        self._seen_pages = {page_key(self.key_page.url)}
        self._seen_contents: set[bytes] = set()

    def may_load(self, most_loads: int | None = None) -> bool:
        """Return whether another page may be requested, within all limits."""
        return self.may_still_load(most_loads) > 0

    def may_still_load(self, most_loads: int | None = None) -> int:
        """Return how many more pages may be requested."""
        return 0 if self.timed_out else max(0, self._most(most_loads) - self.loads)

    def may_follow(self, link: Link) -> bool:
        """Return whether a link may be followed: it does not act, and its page is allowed."""
        return not link.acts and (self.allowed is None or link.page in self.allowed)

    def holds_back(self) -> bool:
        """Return whether a person may allow links that are not followed, as they do not look like pages."""
        return self.asks and not all(map(self.may_follow, site_links(self.key_page)))

    async def load_round(
        self, links: Sequence[Link], meanwhile: Callable[[], None] | None = None
    ) -> list[LoadedPage | None]:
        """Load the pages of some links at the same time, and return them in the links' order.

        An unavailable page is None, and so is a late one. A page is late if it takes three times as long as the
        first, and more than a second. Nothing else depends on the order of the answers.

        Args:
            links: the links to load, within the limits.
            meanwhile: called while the pages load.
        """
        loads = [asyncio.ensure_future(self._load(link)) for link in links]
        try:
            await asyncio.sleep(0)
            if meanwhile is not None:
                meanwhile()
            with self.stopwatch.phase("fetch"):
                await self._wait_for(loads)
            came = [load.result() if load.done() else None for load in loads]
        finally:
            await _end(loads)
        return [self._if_new(page) for page in came]

    async def load_ahead(
        self,
        next_link: Callable[[], Link | None],
        wanted: Callable[[], int],
        most_loads: int | None = None,
        *,
        crawling: bool = False,
    ) -> AsyncIterator[LoadedPage]:
        """Yield the pages of links in their order, with several loads at a time.

        Args:
            next_link: returns the next link by preference, None if there is none now. Failed pages are skipped.
            wanted: returns the least number of further pages that the caller needs. So many load at a time, and no
                load is wasted. It is called again after each page.
            most_loads: the maximum number of loads, within the loader's own bound.
            crawling: skip pages that robots.txt disallows.
        """
        loads: deque[asyncio.Task[LoadedPage | None]] = deque()
        most = self._most(most_loads)
        try:
            while not self.timed_out:
                while len(loads) < max(1, wanted()) and self.loads + len(loads) < most:
                    if (link := next_link()) is None:
                        break
                    loads.append(asyncio.ensure_future(self._load(link, crawling=crawling)))
                if not loads:
                    return
                page = await self._in_time(loads.popleft())
                if not self.timed_out:
                    self._count(page, ahead=len(loads))
                    if (new := self._if_new(page)) is not None:
                        yield new
        finally:
            await _end(loads)

    def load_key_page(self) -> "asyncio.Task[LoadedPage | None] | None":
        """Request the source's version of the key page, while other pages load.

        Returns:
            a task, whose result is None if the page is unavailable or late. None without a task if no other version
            can exist, no more loads are allowed, or the address seems to act.
        """
        if not (self.may_differ and self.may_load()):
            return None
        if self.allowed is None:
            acts = address_acts(self.key_page.url)
        else:
            from sitestencil.site.menu_links import may_be_asked_again

            acts = not may_be_asked_again(self.key_page.url)
        if acts:
            return None
        self._most_pages -= 1
        return asyncio.ensure_future(self._load_key_page())

    def read(self, page: LoadedPage) -> Document:
        """Return a loaded page as an element tree, parsed as the key page was.

        Raises:
            PageUnavailable: its markup is refused. Any other error is the page's fault, too; see `passing_over`.
        """
        with self.stopwatch.phase("parse"):
            return page.document(scripting=self.key_page.scripting)

    def _most(self, most_loads: int | None) -> int:
        return self._most_pages if most_loads is None else min(most_loads, self._most_pages)

    async def _load(self, link: Link, *, crawling: bool = False) -> LoadedPage | None:
        with passing_over(link.url):
            if not self.may_follow(link) and link.page != page_key(self.key_page.url):
                raise PageUnavailable(f"{link.url}: does not look like a page, and a request for it may act.")
            if crawling and isinstance(self.source, AsksRobots) and not await self.source.may_crawl(link):
                raise PageUnavailable(f"{link.url}: the site's robots.txt asks robots to leave it alone.")
            return await self.source.load(link)
        return None

    async def _load_key_page(self) -> LoadedPage | None:
        try:
            async with asyncio.timeout(max(0.0, self._deadline - monotonic())):
                return await self._load(link_to(self.key_page.url))
        except TimeoutError:
            self.timed_out = True
            return None

    async def _wait_for(self, loads: "Sequence[asyncio.Task[LoadedPage | None]]") -> None:
        """Wait until the pages of a round have arrived or are late."""
        waiting, started, due = set(loads), monotonic(), self._deadline
        while waiting and (left := due - monotonic()) > 0:
            done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for load in done:
                self._count(load.result(), ahead=len(waiting))
            if done:
                took, has_page = monotonic() - started, any(load.result() for load in done)
                late = max(_LATE_AFTER * took, _ROUND_SECONDS) if has_page else _MISS_SECONDS
                patience = _PATIENCE_WITH_A_BROWSER if self.by_browser else 1
                due = min(due, started + patience * late)
        self.timed_out = bool(waiting) and monotonic() >= self._deadline
        if waiting and not self.timed_out:
            self.loads += len(waiting)

    def _count(self, page: LoadedPage | None, ahead: int) -> None:
        self.loads += 1
        if page is not None:
            log.debug("%s: loaded", page.url)
            with passing_over(page.url):
                self.pages_received += site_host(page.url) == site_host(self.key_page.url)
        self.report(Progress("loading", self.pages_received, self.pages_received + ahead))

    def _if_new(self, page: LoadedPage | None) -> LoadedPage | None:
        if page is not None:
            with passing_over(page.url):
                return page if self._is_new(page) else None
        return None

    async def _in_time(self, load: "asyncio.Task[LoadedPage | None]") -> LoadedPage | None:
        with self.stopwatch.phase("fetch"):
            try:
                async with asyncio.timeout(max(0.0, self._deadline - monotonic())):
                    return await load
            except TimeoutError:
                self.timed_out = True
                return None

    def _is_new(self, page: LoadedPage) -> bool:
        """Record a page; return whether it is a new page of the key page's site."""
        key_url = self.key_page.url
        if site_host(page.url) != site_host(key_url):
            return False
        address, content = page_in_site(page.url, key_url), page.fingerprint()
        if address in self._seen_pages or content in self._seen_contents:
            self.repeated += address != page_key(key_url)
            return False
        self._seen_pages.add(address)
        self._seen_contents.add(content)
        self.titles.append(page.title())
        return True


async def _end(loads: "Iterable[asyncio.Task[LoadedPage | None]]") -> None:
    """Cancel unfinished loads."""
    for load in loads:
        load.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*loads, return_exceptions=True)


def nothing_to_compare(loader: PageLoader) -> SitestencilError:
    """Return the error that explains why no page could be compared with the key page."""
    if not has_site_links(loader.key_page):
        return NoCandidates(
            "This page links to no other page of its site, so there is nothing to compare it with. "
            "Try the site's home page or a page with a menu."
        )
    if loader.allowed is not None and not loader.allowed:
        return NoCandidates(
            "None of this page's links looks like a page. With a person's rights, or on a private network, "
            "Sitestencil follows no other link, since it may act. To follow them, too, add --all-links (in Python: "
            "all_links=True)."
        )
    if loader.timed_out:
        return TimeOut("The site did not answer in time. Try again, or on a page that loads faster.")
    if not loader.loads and not loader.may_load():
        return NothingLoaded("No page of the site was to be loaded, so there is nothing to compare this one with.")
    return NothingLoaded(
        f"None of the {loader.loads} linked pages could be loaded. "
        "Look whether the site can be reached and whether its pages need a login."
    )


@contextmanager
def passing_over(url: str) -> Iterator[None]:
    """Skip a page: any error ends the block early.

    An unavailable page is expected. Any other exception is a defect of this program: log it with its traceback, and
    our tests fail. Cancellation passes through.

    Args:
        url: the page's address, for the log.
    """
    try:
        yield
    except PageUnavailable as error:
        log.debug("%s", error)
    except Exception:
        log.exception("%s is passed over", url)
