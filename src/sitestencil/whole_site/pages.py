"""A site's pages with their templates, for programs."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import is_page, units_of
from sitestencil.crawl.plan import Report
from sitestencil.errors import PageUnavailable
from sitestencil.site.event_loop import run
from sitestencil.site.frontier import NO_PAGE, Extent
from sitestencil.template import Template
from sitestencil.urls import page_address
from sitestencil.whole_site.folder import STATE
from sitestencil.whole_site.gathering import Site, of_visits
from sitestencil.whole_site.saving import learn_kinds
from sitestencil.whole_site.staying import Staying
from sitestencil.whole_site.visiting import Loading, visit_site
from sitestencil.whole_site.visits import Visited, Visits, finished_visits
from sitestencil.whole_site.writing import kind_names

_MOST_LOADED = 60  # pages of a site at an address


class SitePage(NamedTuple):
    """A page of a site: its address, the name of its kind (empty if it is of none), and its template."""

    url: str
    kind: str
    template: Template


def site(
    url: str,
    *,
    whole_host: bool = False,
    most_pages: int = 500,
    depth: int | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    all_links: bool = False,
    delay: float = 1.0,
    progress: Report = lambda _: None,
) -> "SitePages":
    """Load a whole site politely, learn the kinds of its pages, and give each page with its template.

    The result is iterated by ``for`` or ``async for``, and each time the site is loaded. All pages are loaded
    before the first one is given. Each has its ``url``, the name of its ``kind``, and its ``template``, which is a
    `Template`. It needs the extra ``crawl``.

    Args:
        url: the address of the first page; only pages below it are loaded.
        whole_host: also load other pages of its host.
        most_pages: the maximum number of pages.
        depth: the maximum number of links from the first page.
        include: patterns such as ``/blog/*``; one must match an address or its path.
        exclude: patterns; none may match.
        all_links: also follow addresses that say that they act; on private networks not those, but links that do
            not look like pages, and may act.
        delay: the seconds between two requests; robots.txt may ask for more.
        progress: called with a `CrawlProgress`.

    Raises:
        InvalidAddress: the address is not an http or https URL.
        PageUnavailable: the first page is unavailable, robots.txt forbids it, or the server answers no more.

    Example:
        >>> pages = site("https://docs.example.org/", most_pages=50)
        >>> for page in pages:  # doctest: +SKIP
        ...     print(page.url, page.kind, page.template.content_markdown())
        >>> pages
        <SitePages of https://docs.example.org/>
    """
    extent = Extent(whole_host, most_pages, depth, tuple(include), tuple(exclude), all_links)
    return SitePages(page_address(url), Loading(extent, delay), progress)


@dataclass(frozen=True, slots=True, repr=False)
class SitePages:
    """The pages of a site, which are loaded when they are iterated."""

    url: str
    loading: Loading
    progress: Report

    def __repr__(self) -> str:
        """Return the site's address."""
        return f"<SitePages of {self.url}>"

    def __iter__(self) -> Iterator[SitePage]:
        """Load the site, and yield its pages."""
        found = load_site(self.url, self.loading, self.progress)
        templates, _ = learn_kinds(found)
        extractor, kinds = SiteExtractor(templates), kind_names(templates)
        for page in map(found.full, found.pages):
            try:
                template, kind = extractor.template(page)
            except PageUnavailable:
                continue
            yield SitePage(page.url, kinds.get(kind, ""), template)

    async def __aiter__(self) -> AsyncIterator[SitePage]:
        """Load the site, and yield its pages; threads do the work."""
        pages = iter(self)
        while (page := await asyncio.to_thread(next, pages, None)) is not None:
            yield page


def load_site(url: str, loading: Loading, report: Report) -> Site:
    """Load the pages of a site.

    Raises:
        PageUnavailable: the first page is unavailable, robots.txt forbids it, or the server answers no more.
    """
    with TemporaryDirectory() as folder, closing(Visits(Path(folder))) as visits:
        return of_visits(run(visit_site(url, loading, Staying(visits), report)))


def saved_site(folder: Path) -> Site | None:
    """Return the pages in a folder of ``sitestencil site``; None where no run has loaded pages, and finished.

    Raises:
        UnusableOutput: its file of pages is damaged.
    """
    state = folder / STATE
    visits = [*finished_visits(state)[0].values()] if state.is_dir() else []
    return of_visits(Visited(visits[0].url, visits, {})) if visits else None


class Pages(Iterable[CrawlPage | Skipped]):
    """The pages of crawls and sites, and the records that are no page, as often as they are iterated.

    A crawl's files are read each time. A site at an address is loaded once, and one in a folder of ``sitestencil
    site`` is read once.

    Args:
        inputs: addresses, files and folders.
        most_pages: the maximum number of pages of a site at an address.
        report: receives the progress of loading.
        all_links: whether to follow links that may act; see `site`.

    Raises:
        UnusableInput: an input is missing, or has no readable format.
        PageUnavailable: a site's first page is unavailable, or robots.txt forbids it.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        most_pages: int = _MOST_LOADED,
        report: Report = lambda _: None,
        *,
        all_links: bool = False,
    ) -> None:
        saved = {name: site for name in inputs if (site := saved_site(Path(name))) is not None}
        others = {name: place(name) for name in inputs if name not in saved}
        addresses = [page_address(name) for name, one in others.items() if is_page(one)]
        self._units = units_of([one for one in others.values() if not is_page(one)])
        loading = Loading(Extent(most_pages=most_pages, all_links=all_links))
        self._sites = [*saved.values(), *(load_site(url, loading, report) for url in addresses)]

    @property
    def unlike_pages(self) -> int:
        """The number of addresses that were not loaded since they do not look like pages, and may act."""
        return sum(why == NO_PAGE for site in self._sites for why in site.left.values())

    def __iter__(self) -> Iterator[CrawlPage | Skipped]:
        """Yield the pages and records."""
        for site in self._sites:
            yield from map(site.full, site.pages)
        for unit in self._units:
            yield from read_unit(unit)
