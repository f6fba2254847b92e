"""Serve pages that the caller already has, such as a crawler's."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from sitestencil.errors import PageUnavailable, WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.page.foreign_trees import Markup, written_tree
from sitestencil.site.links import Link, link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.urls import page_address, page_key

PagesByAddress = Mapping[str, Markup]


class PagesInHand:
    """A source of given pages by their addresses.

    Args:
        pages: the HTML of each page, or its tree.

    Raises:
        WrongArgument: ``pages`` is not a dictionary of pages.
        InvalidAddress: a page's address is not an http or https URL.

    Example:
        >>> import asyncio
        >>> from sitestencil.site.links import link_to
        >>> source = PagesInHand({"https://site.example/a": "<p>A page</p>"})
        >>> asyncio.run(source.load(link_to("https://site.example/a#top")))
        <LoadedPage https://site.example/a (given, 200)>
    """

    def __init__(self, pages: PagesByAddress) -> None:
        if not isinstance(pages, Mapping):
            raise WrongArgument(
                'pages= takes a dictionary of pages by address, such as {"https://example.org/": html}; '
                f"it was given {shown(pages)}."
            )
        loaded_pages = (given_page(content, address) for address, content in pages.items())
        self._pages = {page_key(page.url): page for page in loaded_pages}

    def links(self) -> list[Link]:
        """Return a link to each page."""
        return [link_to(page.url) for page in self._pages.values()]

    async def load(self, link: Link) -> LoadedPage:
        """Return the page that a link leads to.

        Raises:
            PageUnavailable: it was not given.
        """
        page = self._pages.get(link.page)
        if page is None:
            raise PageUnavailable(f"{link.url}: not among the pages that were given.")
        return page

    async def __aenter__(self) -> Self:
        """Return the source: given pages need no opening."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: given pages need no closing."""


def given_page(content: Markup, address: str) -> LoadedPage:
    """Return a page from its HTML or its tree.

    Raises:
        WrongArgument: the content has another type.
        InvalidAddress: the address is not an http or https URL.
    """
    url = page_address(address)
    if isinstance(content, bytes | Document):
        return LoadedPage(url, content, "given")
    text = content if isinstance(content, str) else written_tree(content)
    if text is None:
        raise WrongArgument(
            "A page is HTML (str or bytes), a tree of lxml or BeautifulSoup, or a Document; "
            f"that of {address} is {shown(content)}."
        )
    return LoadedPage(url, text.encode("utf-8", "replace"), "given", charset="utf-8")
