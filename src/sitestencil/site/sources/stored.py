"""Read the pages of a site that are here already: in a folder with a ``site.json``, or given by the caller."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote

import msgspec

from sitestencil.errors import PageUnavailable, UnusableSite, WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.page.parsing import Markup, written_tree
from sitestencil.site.links import Link, link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil.urls import page_address, page_key, resolve


class Folder(Protocol):
    """A folder on this machine or elsewhere, and each file in it."""

    def __truediv__(self, name: str, /) -> "Folder":
        """Return the file or folder of a name."""
        ...

    def read_bytes(self) -> bytes:
        """Return a file's bytes."""
        ...


class SiteFile(msgspec.Struct, frozen=True):
    """The fields of ``site.json`` that a source needs: the site's address and its key page."""

    base_url: str
    key_page: str


class StoredSite(Source):
    """A site in a folder, served as a static web server would.

    An address below ``base_url`` is the file of that path under ``pages/``, else that path with ``/index.html``,
    else with ``.html``. The query does not count.

    Args:
        folder: holds ``pages/`` and ``site.json``, which has ``base_url`` and ``key_page``.

    Raises:
        UnusableSite: the folder or its ``site.json`` cannot be used.

    Example:
        >>> import json, tempfile
        >>> scratch = tempfile.TemporaryDirectory()
        >>> folder = Path(scratch.name)
        >>> facts = json.dumps({"base_url": "https://site.example/", "key_page": "a.html"})
        >>> size = (folder / "site.json").write_text(facts)
        >>> (folder / "pages").mkdir()
        >>> size = (folder / "pages" / "a.html").write_text("<p>A page")
        >>> site = StoredSite(folder)
        >>> site.load_key_page()
        <LoadedPage https://site.example/a.html (stored, 200)>
        >>> scratch.cleanup()
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.pages = self.folder / "pages"
        self._root = self.pages.resolve()
        site, self.base_url = site_file(self.folder)
        if not _is_file(self.pages / site.key_page):
            raise UnusableSite(f"{self.folder}: the key page pages/{site.key_page} does not exist.")
        self.key_path = site.key_page

    @property
    def key_url(self) -> str:
        """The key page's address."""
        return self.url_of(self.key_path)

    def key_page_bytes(self) -> bytes:
        """Return the key page's file."""
        return (self.pages / self.key_path).read_bytes()

    def __repr__(self) -> str:
        """Return the site's folder."""
        return f"<StoredSite {self.folder}>"

    def load_key_page(self) -> LoadedPage:
        """Return the key page.

        Raises:
            UnusableSite: its file cannot be read.
        """
        file = self.pages / self.key_path
        try:
            return LoadedPage(self.key_url, file.read_bytes(), "stored")
        except OSError as error:
            raise UnusableSite(f"{file} cannot be read: {error.strerror or error}.") from None

    def url_of(self, path: str) -> str:
        """Return the address of a file given by its path below ``pages/``."""
        return f"{self.base_url}{quote(path)}"

    async def load(self, link: Link) -> LoadedPage:
        """Read the file that a web server would send for a link.

        Raises:
            PageUnavailable: the file is missing or unreadable.
        """
        file = self.file(link.url)
        if file is None:
            raise PageUnavailable(f"{link.url}: not among the stored pages.")
        try:
            return LoadedPage(link.url, file.read_bytes(), "stored")
        except OSError as error:
            raise PageUnavailable(f"{file} cannot be read: {error.strerror or error}.") from None

    def file(self, url: str) -> Path | None:
        """Return the file of an address, or None."""
        path = self._path(url)
        if path is None:
            return None
        plain = self.pages / path
        for file in (plain, plain / "index.html", plain.with_name(f"{plain.name}.html") if path else plain):
            if _is_file(file) and file.resolve().is_relative_to(self._root):
                return file
        return None

    def _path(self, url: str) -> str | None:
        address = url.partition("#")[0].partition("?")[0].partition("://")[2]
        base = self.base_url.partition("://")[2]
        return unquote(address[len(base) :]).strip("/") if f"{address}/".startswith(base) else None


def site_file(folder: Folder) -> tuple[SiteFile, str]:
    """Return a stored site's ``site.json``, and its ``base_url`` with a slash at the end.

    Raises:
        UnusableSite: the file is missing, or cannot be used.
    """
    file = folder / "site.json"
    try:
        site = msgspec.json.decode(file.read_bytes(), type=SiteFile)
    except FileNotFoundError:
        raise UnusableSite(
            f"{folder} is no stored site: it has no site.json. "
            'A stored site is a folder with site.json ("base_url", "key_page") and pages/.'
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise UnusableSite(f"{file} cannot be read: {error}.") from None
    base = resolve(site.base_url, site.base_url)
    if base is None:
        raise UnusableSite(f"{file}: base_url {site.base_url!r} is no http address.")
    return site, base if base.endswith("/") else f"{base}/"


def _is_file(path: Path) -> bool:
    """Return whether a file exists; an impossible name is no file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


PagesByAddress = Mapping[str, Markup]


class PagesInHand(Source):
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
