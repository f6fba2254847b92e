"""The interface of page sources, and the sources behind it.

A source is an async context manager with one method, for WARC files as for a browser.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage


@runtime_checkable
class Source(Protocol):
    """A source that loads the pages of a site. A subclass that needs no opening and closing has `load` alone.

    Example:
        >>> from sitestencil import LoadedPage, Source, extract
        >>> class Archive(Source):
        ...     async def load(self, link):
        ...         return LoadedPage(link.url, b"<nav>Menu</nav>", "stored")
        >>> html = "<nav>Menu</nav><a href='/a'>A"
        >>> extract(html, url="https://site.example/", source=Archive(), detector="temex").candidates
        ('https://site.example/a',)
    """

    async def load(self, link: Link) -> LoadedPage:
        """Load the page that a link leads to.

        Raises:
            PageUnavailable: the page is unavailable; the message tells why.
        """
        ...

    async def __aenter__(self) -> Self:
        """Open the source."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        del kind, error, trace


@runtime_checkable
class AsksRobots(Protocol):
    """A source whose site may have a robots.txt."""

    async def may_crawl(self, link: Link) -> bool:
        """Return whether a crawl may load the page of a link."""
        ...


@runtime_checkable
class MayAct(Protocol):
    """A source whose requests may act for a person: they carry cookies, or reach a private network."""

    async def may_act(self, key_url: str) -> bool:
        """Return whether only links that look like pages may be followed: see `site.menu_links`."""
        ...


@runtime_checkable
class ChosenPages(Protocol):
    """A source whose pages a person chose."""

    @property
    def chosen(self) -> frozenset[str] | None:
        """The only pages to load, as `Link.page`; None if nobody chose."""
        ...


@runtime_checkable
class HasPages(Protocol):
    """A source that knows which pages it has."""

    def links(self) -> Sequence[Link]:
        """Return a link to each of its pages."""
        ...


@runtime_checkable
class LoadsAsShown(Protocol):
    """A source that loads pages as the person's browser does, signed in and with scripts."""

    @property
    def loads_as_shown(self) -> bool:
        """Whether the pages equal those that the person sees at the same address."""
        ...
