"""Sources that parse each page of another source once, or change its pages."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.site.links import Link, link_to, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil_research.perturbations.page_changes import HostMove, on_host


@dataclass(slots=True, eq=False)
class OtherSource(Source):
    """Loads pages from another source, and raises `PageUnavailable` for those that it does not have."""

    source: Source


@dataclass(slots=True, eq=False)
class ParsedPages(OtherSource):
    """Another source's pages as element trees, each parsed once."""

    _pages: dict[str, LoadedPage] = field(default_factory=dict)

    @property
    def answered(self) -> list[str]:
        """The addresses of the pages that loaded, in the order of their first requests."""
        return list(self._pages)

    async def load(self, link: Link) -> LoadedPage:
        """Return the page, parsed now or before."""
        if link.url not in self._pages:
            page = await self.source.load(link)
            self._pages[link.url] = replace(page, content=page.document())
        return self._pages[link.url]


@dataclass(slots=True, eq=False)
class ChangedPages(OtherSource):
    """Another source's pages, each changed by a function."""

    change: Callable[[Document], Document]

    async def load(self, link: Link) -> LoadedPage:
        """Return the changed page."""
        page = await self.source.load(link)
        return replace(page, content=self.change(page.document()))


@dataclass(slots=True, eq=False)
class WithoutPage(OtherSource):
    """Another source without one page."""

    missing: str

    async def load(self, link: Link) -> LoadedPage:
        """Return the page, unless it is the missing one."""
        if page_in_site(link.url, self.missing) == page_in_site(self.missing, self.missing):
            raise PageUnavailable(f"{link.url}: not found (404).")
        return await self.source.load(link)


@dataclass(slots=True, eq=False)
class WithPage(OtherSource):
    """Another source with one extra page."""

    page: Document

    async def load(self, link: Link) -> LoadedPage:
        """Return the extra page, or the other source's."""
        return (
            LoadedPage(link.url, self.page, "stored") if link.url == self.page.url else await self.source.load(link)
        )


@dataclass(slots=True, eq=False)
class MovedPages(OtherSource):
    """Another source whose site has moved to a new host."""

    move: HostMove

    async def load(self, link: Link) -> LoadedPage:
        """Return the page on the new host."""
        page = await self.source.load(link_to(self.move.back()(link.url)))
        moved = on_host(page.document(), self.move)
        return LoadedPage(moved.url, moved, page.way, link.url, page.status)
