"""Open a caller's page: return the key page and the source of the other pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from sitestencil.errors import InvalidAddress, WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.page.parsing import Markup, written_tree
from sitestencil.site.links import link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import PagesByAddress, PagesInHand, StoredSite, given_page
from sitestencil.urls import UNKNOWN_ADDRESS, page_address

Page = Markup | LoadedPage | StoredSite | Path
_SCHEMES = ("http://", "https://")


@asynccontextmanager
async def open_site(
    page: Page, *, url: str | None = None, pages: PagesByAddress | None = None, source: Source | None = None
) -> AsyncIterator[tuple[LoadedPage, Source]]:
    """Give the key page and an open source of the other pages until the block ends.

    Args:
        page: an address, HTML, a tree, a loaded page, or a stored site or its folder.
        url: the address of HTML; empty if it is unknown. No other page is loaded then.
        pages: the other pages, if the caller has them.
        source: the source of the other pages. The default is the stored site itself, or HTTP restricted to the key
            page's host.

    Raises:
        WrongArgument: an argument has a wrong type, or two exclude each other.
        InvalidAddress: an address is not an http or https URL.
        UnusableSite: the folder holds no stored site.
        PageUnavailable: the key page could not be loaded.
    """
    given = _given(page, url)
    async with _source(given, pages, source) as opened:
        if isinstance(given, StoredSite):
            yield given.load_key_page(), opened
        else:
            yield await opened.load(link_to(given)) if isinstance(given, str) else given, opened


def _given(page: Page, url: str | None) -> str | LoadedPage | StoredSite:
    """Return the page as an address to load, as a loaded page, or as a stored site."""
    if isinstance(page, str) and not _is_html(page) and url is None:
        return _address(page)
    if isinstance(page, Document) and url is None:
        url = page_address(page.url)
        return LoadedPage(url, page if url == page.url else replace(page, url=url), "given")
    if isinstance(page, Path) and page.is_file():
        raise WrongArgument(
            f"A Path is a stored site's folder, but {page} is a file. Give its HTML, Path.read_bytes(), with url=."
        )
    if isinstance(page, LoadedPage | StoredSite | Path) and url is None:
        return StoredSite(page) if isinstance(page, Path) else page
    html = page if isinstance(page, bytes) or (isinstance(page, str) and _is_html(page)) else written_tree(page)
    if html is not None:
        if url is None:
            raise WrongArgument(
                "HTML needs the address it came from, such as url='https://example.org/'. With url='' the page is "
                "judged alone, and its links stay as they are."
            )
        return given_page(html, UNKNOWN_ADDRESS if url == "" else url)
    if url is not None and isinstance(page, str | Document | LoadedPage | StoredSite | Path):
        raise WrongArgument(f"url= is the address of HTML; {shown(page)} is none.")
    raise WrongArgument(
        "A page is an address, HTML (str or bytes) or a tree of lxml or BeautifulSoup, both with url=, a Document, "
        f"a LoadedPage, a StoredSite or the Path of its folder, not {shown(page)}."
    )


def _is_html(text: str) -> bool:
    return "<" in text and not text.lstrip()[: len(_SCHEMES[-1])].lower().startswith(_SCHEMES)


def _address(text: str) -> str:
    if "://" not in text:
        raise InvalidAddress(
            f"{shown(text)} is neither a web address nor HTML. Give an address with its scheme, such as "
            "https://example.org/; the folder of a stored site is given as a Path."
        )
    return page_address(text)


def _source(given: str | LoadedPage | StoredSite, pages: PagesByAddress | None, source: Source | None) -> Source:
    if pages is not None and source is not None:
        raise WrongArgument("pages= and source= both say where the other pages come from: give one of them.")
    if pages is not None:
        return PagesInHand(pages)
    if source is not None:
        if isinstance(source, type) or not isinstance(source, Source):
            raise WrongArgument(f"source= takes something with the methods of a Source, not {shown(source)}.")
        return source
    if isinstance(given, StoredSite):
        return given
    if not isinstance(given, str) and given.url == UNKNOWN_ADDRESS:
        return PagesInHand({})
    from sitestencil.site.sources.http import HttpSource

    return HttpSource(None if isinstance(given, str) else given.url)
