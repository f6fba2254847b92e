"""Loading pages of the key page's site, several at a time, without the result depending on who answers first."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from time import monotonic

from sitestencil.errors import NoCandidates, NothingLoaded, PageUnavailable, SitestencilError, TimeOut
from sitestencil.page.document import Document
from sitestencil.progress import Progress, Report, Stopwatch, silent
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link, link_to, page_in_site, site_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.passing_over import passing_over
from sitestencil.site.sources import AsksRobots, Source
from sitestencil.urls import page_key, site_host

log = logging.getLogger(__name__)

SECONDS_IN_ALL = 30.0
# A courtesy to the site: whatever a detector would still like to see.
MOST_PAGES = 200
# A page is late, and its round goes on without it, after so many times what the first page took, and so long.
_LATE_AFTER = 3
_ROUND_SECONDS = 1.0
# Where addresses have been answered, but by no page.
_MISS_SECONDS = 4.0
# A browser runs a page's scripts before it gives the page: it is waited for so many times as long.
_PATIENCE_WITH_A_BROWSER = 3


class PageLoader:
    """Loads pages of the key page's site, within limits, each page once.

    Args:
        key_page: the page whose template is wanted; the others are parsed with its scripting flag.
        source: where pages come from.
        report: is told how many pages have been loaded.
        seconds: time for all loads together; when it is over, no further page comes.
        most_pages: how many pages may be asked for; never more than `MOST_PAGES`.
        may_differ: the source may give another page than the key page at the key page's address, since that came
            from a browser, or from the caller.
        by_browser: the source has a browser load the pages, which takes longer.

        allowed: the pages that may be asked for (`Link.page`); by default all.

    Attributes:
        may_differ: as given.
        allowed: as given.
        loads: how many pages were asked for beside the key page, unavailable ones included.
        pages_received: how many pages of the site came, those that had come before included.
        repeated: how many of them had come before, at another address.
        titles: of the pages that came.
        timed_out: whether the time ran out while pages were still wanted.
        stopwatch: time per phase.
    """

    def __init__(
        self,
        key_page: Document,
        source: Source,
        *,
        report: Report = silent,
        seconds: float = SECONDS_IN_ALL,
        most_pages: int = MOST_PAGES,
        stopwatch: Stopwatch | None = None,
        may_differ: bool = False,
        by_browser: bool = False,
        allowed: Collection[str] | None = None,
    ) -> None:
        self.key_page = key_page
        self.may_differ = may_differ
        self.loads = self.pages_received = self.repeated = 0
        self.timed_out = False
        self.titles: list[str] = []
        self.allowed = allowed
        self.stopwatch = stopwatch or Stopwatch()
        self.report = report
        self._source = source
        self._patience = _PATIENCE_WITH_A_BROWSER if by_browser else 1
        self._most_pages = min(most_pages, MOST_PAGES)
        self._deadline = monotonic() + seconds
        self._seen_pages = {page_key(key_page.url)}
        self._seen_contents: set[bytes] = set()

    def may_load(self, most_loads: int | None = None) -> bool:
        """Return whether a further page may be asked for: in time, below the bound and a detector's own."""
        most = self._most(most_loads)
        return not self.timed_out and self.loads < most

    def may_still_load(self, most_loads: int | None = None) -> int:
        """Return how many further pages may be asked for."""
        return 0 if self.timed_out else max(0, self._most(most_loads) - self.loads)

    def may_follow(self, link: Link) -> bool:
        """Return whether a link may be followed at all: it is not known to act, and its page is allowed."""
        return not link.acts and (self.allowed is None or link.page in self.allowed)

    async def load(self, link: Link) -> LoadedPage | None:
        """Return the page that a link leads to.

        None where it is not available, leads to another site, is a copy of a page seen before, or where the time is
        over.
        """
        return await self._receive(self._start(link), ahead=0)

    async def load_round(
        self, links: Sequence[Link], meanwhile: Callable[[], None] | None = None
    ) -> list[LoadedPage | None]:
        """Load the pages that some links lead to at the same time, and return them in the links' order.

        None as `load` returns it, and for a page that is late: one that is still to come when the first has been
        there for twice the time it took, and a second has passed. Who answers first decides nothing else.

        Args:
            links: where the pages are; no more than may be loaded.
            meanwhile: is called while they are on their way.
        """
        loads = [self._start(link) for link in links]
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
        links: Iterator[Link],
        wanted: Callable[[], int],
        most_loads: int | None = None,
        *,
        crawling: bool = False,
    ) -> AsyncIterator[LoadedPage]:
        """Yield the pages of links whose order is known beforehand, in that order, several loads at a time.

        Args:
            links: in the order of preference. Those whose page does not come are passed over.
            wanted: how many pages the caller will need at the least from here on: so many are loaded at a
                time, so that no page is loaded in vain. It is asked again after each page.
            most_loads: end after so many loads; never more than the loader's own bound.
            crawling: pass over pages that the site asks robots to leave alone.
        """
        loads: deque[asyncio.Task[LoadedPage | None]] = deque()
        most = self._most(most_loads)
        try:
            while not self.timed_out:
                while len(loads) < max(1, wanted()) and self.loads + len(loads) < most:
                    link = next(links, None)
                    if link is None:
                        break
                    loads.append(self._start(link, crawling=crawling))
                if not loads:
                    return
                page = await self._receive(loads.popleft(), ahead=len(loads))
                if page is not None:
                    yield page
        finally:
            await _end(loads)

    def load_key_page(self) -> "asyncio.Task[LoadedPage | None] | None":
        """Ask for what the source gives at the key page's own address, while other pages load.

        Returns:
            the page that comes, or None where it is not available or not in time. None instead of it where nothing
            is asked: no other page can be there, none may be asked for any more, or the address says that it acts.
        """
        if not (self.may_differ and self.may_load()) or self._key_page_acts():
            return None
        self._most_pages -= 1
        return asyncio.ensure_future(self._load_key_page())

    def _key_page_acts(self) -> bool:
        if self.allowed is None:
            return address_acts(self.key_page.url)
        from sitestencil.site.menu_links import may_be_asked_again

        return not may_be_asked_again(self.key_page.url)

    def read(self, page: LoadedPage) -> Document:
        """Return a loaded page as an element tree, parsed as the key page was.

        Raises:
            PageUnavailable: nobody should have to parse it; whatever else it raises is that page's fault, too. See
                `passing_over`.
        """
        with self.stopwatch.phase("parse"):
            return page.document(scripting=self.key_page.scripting)

    def _most(self, most_loads: int | None) -> int:
        return self._most_pages if most_loads is None else min(most_loads, self._most_pages)

    def _start(self, link: Link, *, crawling: bool = False) -> "asyncio.Task[LoadedPage | None]":
        return asyncio.ensure_future(self._load(link, crawling=crawling))

    async def _load(self, link: Link, *, crawling: bool) -> LoadedPage | None:
        with passing_over(link.url):
            if not self.may_follow(link) and link.page != page_key(self.key_page.url):
                raise PageUnavailable(f"{link.url}: does not look like a page, and a request for it may act.")
            if crawling and isinstance(self._source, AsksRobots) and not await self._source.may_crawl(link):
                raise PageUnavailable(f"{link.url}: the site's robots.txt asks robots to leave it alone.")
            return await self._source.load(link)
        return None

    async def _load_key_page(self) -> LoadedPage | None:
        try:
            async with asyncio.timeout(max(0.0, self._deadline - monotonic())):
                return await self._load(link_to(self.key_page.url), crawling=False)
        except TimeoutError:
            self.timed_out = True
            return None

    async def _receive(self, load: "asyncio.Task[LoadedPage | None]", ahead: int) -> LoadedPage | None:
        page = await self._in_time(load)
        if self.timed_out:
            return None
        self._count(page, ahead)
        return self._if_new(page)

    async def _wait_for(self, loads: "Sequence[asyncio.Task[LoadedPage | None]]") -> None:
        """Wait until the pages of a round are there, or those that are not are late."""
        waiting, started, due = set(loads), monotonic(), self._deadline
        while waiting and (left := due - monotonic()) > 0:
            done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for load in done:
                self._count(load.result(), ahead=len(waiting))
            if done:
                took, has_page = monotonic() - started, any(load.result() for load in done)
                late = max(_LATE_AFTER * took, _ROUND_SECONDS) if has_page else _MISS_SECONDS
                due = min(due, started + self._patience * late)
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
        """Return whether a page is of the key page's site and no copy of one seen; it is seen from now on."""
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
    """Stop loads that have not come to their end."""
    for load in loads:
        load.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*loads, return_exceptions=True)


def nothing_to_compare(loader: PageLoader) -> SitestencilError:
    """Return the error that says why no page of the site could be compared with the key page."""
    if not site_links(loader.key_page):
        return NoCandidates(
            "This page links to no other page of its site, so there is nothing to compare it with. "
            "Try the site's home page or a page with a menu."
        )
    if loader.allowed is not None and not loader.allowed:
        return NoCandidates(
            "None of this page's links looks like a page. With a person's rights, or on a private network, "
            "Sitestencil follows no other link, since it may act."
        )
    if loader.timed_out:
        return TimeOut("The site did not answer in time. Try again, or on a page that loads faster.")
    if not loader.loads and not loader.may_load():
        return NothingLoaded("No page of the site was to be loaded, so there is nothing to compare this one with.")
    return NothingLoaded(
        f"None of the {loader.loads} linked pages could be loaded. "
        "Look whether the site can be reached and whether its pages need a login."
    )
