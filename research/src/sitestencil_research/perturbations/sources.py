"""Sources that parse each page of another source once, or change its pages."""

from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.site.links import Link, link_to, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil_research.perturbations.page_changes import HostMove, on_host


class _OpenSource:
    """A source that needs no opening or closing."""

    async def __aenter__(self) -> Self:
        """Return the source."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""


class ParsedPages(_OpenSource):
    """Another source's pages as element trees, each parsed once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._pages: dict[str, LoadedPage] = {}

    @property
    def answered(self) -> list[str]:
        """The addresses of the pages that loaded, in the order of their first requests."""
        return list(self._pages)

    async def load(self, link: Link) -> LoadedPage:
        """Return the page behind a link.

        Raises:
            PageUnavailable: the other source does not have it, or it cannot be parsed.
        """
        if link.url not in self._pages:
            page = await self._source.load(link)
            self._pages[link.url] = replace(page, content=page.document())
        return self._pages[link.url]


class ChangedPages(_OpenSource):
    """Another source's pages, each changed by a function."""

    def __init__(self, source: Source, change: Callable[[Document], Document]) -> None:
        self._source = source
        self._change = change

    async def load(self, link: Link) -> LoadedPage:
        """Return the changed page.

        Raises:
            PageUnavailable: the other source does not have it.
        """
        page = await self._source.load(link)
        return replace(page, content=self._change(page.document()))


class WithoutPage(_OpenSource):
    """Another source without one page."""

    def __init__(self, source: Source, missing: str) -> None:
        self._source = source
        self._missing = missing

    async def load(self, link: Link) -> LoadedPage:
        """Return the page behind a link.

        Raises:
            PageUnavailable: it is the missing page, or the other source does not have it.
        """
        if page_in_site(link.url, self._missing) == page_in_site(self._missing, self._missing):
            raise PageUnavailable(f"{link.url}: not found (404).")
        return await self._source.load(link)


class WithPage(_OpenSource):
    """Another source with one extra page."""

    def __init__(self, source: Source, page: Document) -> None:
        self._source = source
        self._page = LoadedPage(page.url, page, "stored")

    async def load(self, link: Link) -> LoadedPage:
        """Return the page behind a link.

        Raises:
            PageUnavailable: it is not the extra page, and the other source does not have it.
        """
        return self._page if link.url == self._page.url else await self._source.load(link)


class MovedPages(_OpenSource):
    """Another source whose site has moved to a new host."""

    def __init__(self, source: Source, move: HostMove) -> None:
        self._source = source
        self._move = move

    async def load(self, link: Link) -> LoadedPage:
        """Return the page behind a link on the new host.

        Raises:
            PageUnavailable: the other source does not have it.
        """
        page = await self._source.load(link_to(self._move.back()(link.url)))
        moved = on_host(page.document(), self._move)
        return LoadedPage(moved.url, moved, page.way, link.url, page.status)
