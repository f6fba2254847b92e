"""Where pages come from: one small interface, and the sources behind it.

A source is an async context manager with one method. One that reads WARC files, or asks the browser for a page,
needs nothing else.
"""

from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage


@runtime_checkable
class Source(Protocol):
    """Something that can load the pages of a site.

    Example:
        >>> from sitestencil import LoadedPage, extract
        >>> class Archive:
        ...     async def load(self, link):
        ...         return LoadedPage(link.url, b"<nav>Menu</nav>", "stored")
        ...     async def __aenter__(self):
        ...         return self
        ...     async def __aexit__(self, kind, error, trace):
        ...         return None
        >>> html = "<nav>Menu</nav><a href='/a'>A"
        >>> extract(html, url="https://site.example/", source=Archive(), detector="temex").candidates
        ('https://site.example/a',)
    """

    async def load(self, link: Link) -> LoadedPage:
        """Load the page that a link leads to.

        Raises:
            PageUnavailable: it could not be had; the text says why.
        """
        ...

    async def __aenter__(self) -> Self:
        """Open what the source needs."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        ...


@runtime_checkable
class AsksRobots(Protocol):
    """A source of pages whose owner may ask robots to leave some of them alone."""

    async def may_crawl(self, link: Link) -> bool:
        """Return whether a crawl, one of many pages, may load the page that a link leads to."""
        ...


@runtime_checkable
class MayAct(Protocol):
    """A source whose requests may act for a person: they carry cookies, or reach a private network."""

    async def may_act(self, key_url: str) -> bool:
        """Return whether only links may be followed that look like pages: see `site.menu_links`."""
        ...


@runtime_checkable
class LoadsAsShown(Protocol):
    """A source of pages as the person's browser gets them, who is signed in and runs scripts."""

    @property
    def loads_as_shown(self) -> bool:
        """Whether what comes is what the person sees at the same address."""
        ...
