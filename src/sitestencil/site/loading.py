"""Loading pages of the key page's site, several at a time, without the result depending on who answers first."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from time import monotonic

from sitestencil.errors import NoCandidates, NothingLoaded, PageUnavailable, SitestencilError, TimeOut
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.progress import Progress, Report, Stopwatch, silent
from sitestencil.site.links import Link, site_links
from sitestencil.site.sources import PageSource, Response
from sitestencil.urls import host, same_page

SECONDS_IN_ALL = 30.0
# A courtesy to the site: whatever a detector would still like to see.
MOST_PAGES = 200


@dataclass(frozen=True, eq=False)
class Page:
    """A loaded page of the key page's site: the link that led to it and what came."""

    link: Link
    response: Response
    site: "Site"

    @property
    def url(self) -> str:
        """The address it came from, after redirects."""
        return self.response.url

    @cached_property
    def document(self) -> Document:
        """The page, parsed when it is first asked for."""
        with self.site.stopwatch.phase("parse"):
            return self.site.parse(self.response)


class Site:
    """The site of a key page, as far as it has been loaded.

    Args:
        key: the key page; the others are parsed with its scripting flag.
        source: where pages come from.
        report: is told how many pages have been loaded.
        seconds: time for all loads together; when it is over, no further page comes.

    Attributes:
        pages_loaded: how many pages were asked for, unavailable ones included.
        timed_out: whether the time ran out while pages were still wanted.
        stopwatch: time per phase.
    """

    def __init__(
        self,
        key: Document,
        source: PageSource,
        *,
        report: Report = silent,
        seconds: float = SECONDS_IN_ALL,
        stopwatch: Stopwatch | None = None,
    ) -> None:
        self.key = key
        self.pages_loaded = 0
        self.timed_out = False
        self.stopwatch = stopwatch or Stopwatch()
        self.report = report
        self._source = source
        self._deadline = monotonic() + seconds
        self._seen_addresses = {same_page(key.url)}
        self._seen_bodies: set[int] = set()

    async def load(
        self,
        links: Iterator[Link],
        wanted: Callable[[], int],
        most: int | None = None,
        *,
        passed_over: Callable[[Link], None] = lambda _: None,
    ) -> AsyncIterator[Page]:
        """Yield the pages of the links in the links' order, loading ahead.

        Args:
            links: in the order of preference.
            wanted: how many pages the caller will need at the least from here on: so many are loaded at a
                time, so that no page is loaded in vain. It is asked again after each page.
            most: end after so many loads; never more than `MOST_PAGES`.
            passed_over: is told of each link whose page is passed over.

        A page that is not available, leads elsewhere, or is the copy of one seen before is passed over.
        """
        ahead: deque[tuple[Link, asyncio.Task[Response]]] = deque()
        budget = min(most, MOST_PAGES) if most is not None else MOST_PAGES
        try:
            while True:
                while len(ahead) < max(1, wanted()) and self.pages_loaded + len(ahead) < budget:
                    link = next(links, None)
                    if link is None:
                        break
                    ahead.append((link, asyncio.create_task(self._fetch(link.url))))
                if not ahead:
                    return
                link, task = ahead.popleft()
                response = await self._wait(task)
                if self.timed_out:
                    return
                self.pages_loaded += 1
                self.report(Progress("loading", self.pages_loaded, self.pages_loaded + len(ahead)))
                page = self._page(link, response)
                if page is not None:
                    yield page
                else:
                    passed_over(link)
        finally:
            for _, task in ahead:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*(task for _, task in ahead), return_exceptions=True)

    async def _fetch(self, url: str) -> Response:
        return await self._source.fetch(url)

    async def _wait(self, task: "asyncio.Task[Response]") -> Response | None:
        with self.stopwatch.phase("fetch"):
            try:
                async with asyncio.timeout(max(0.0, self._deadline - monotonic())):
                    return await task
            except TimeoutError:
                self.timed_out = True
                return None
            except PageUnavailable:
                return None

    def _page(self, link: Link, response: Response | None) -> Page | None:
        if response is None or host(response.url) != host(self.key.url):
            return None
        address = same_page(response.url)
        body = hash(response.body)
        if address in self._seen_addresses or body in self._seen_bodies:
            return None
        self._seen_addresses.add(address)
        self._seen_bodies.add(body)
        return Page(link, response, self)

    def parse(self, response: Response) -> Document:
        """Parse a response as the key page was parsed; a subclass may remember what it parsed."""
        return parse(response.body, response.url, scripting=self.key.scripting, charset=response.charset)


def nothing_to_compare(site: Site) -> SitestencilError:
    """Return the error that says why no page of the site could be compared with the key page."""
    if not site_links(site.key):
        return NoCandidates(
            "This page links to no other page of its site, so there is nothing to compare it with. "
            "Try the site's home page or a page with a menu."
        )
    if site.timed_out:
        return TimeOut("The site did not answer in time. Try again, or on a page that loads faster.")
    return NothingLoaded(
        f"None of the {site.pages_loaded} linked pages could be loaded. "
        "Look whether the site can be reached and whether its pages need a login."
    )
