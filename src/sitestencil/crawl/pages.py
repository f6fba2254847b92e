"""What goes into a crawl's extraction and what comes out of it: values, all of which can be pickled."""

from dataclasses import dataclass
from typing import Literal

from sitestencil.errors import InvalidAddress
from sitestencil.page.ranges import Range
from sitestencil.urls import page_address, site_host

# How a page's answer was found: by its kind's template in one walk; by mapping that template element by element; by
# comparing the page with others of its site; from the page alone.
Way = Literal["template", "mapped", "compared", "alone"]


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """A page of a crawl as it came.

    Attributes:
        url: its address, in the normal form that `site_of` expects.
        html: its bytes.
        source: the file it was read from.
        offset: where in the file: the byte at which its record begins, or the number of its row.
        charset: the encoding that the HTTP header names.
    """

    url: str
    html: bytes
    source: str = ""
    offset: int = 0
    charset: str | None = None

    @property
    def site(self) -> str:
        """Its site: the host, without ``www.``."""
        return site_of(self.url)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of the input that gives no page of the output.

    Attributes:
        source: the file.
        offset: where in the file it begins.
        reason: one of a few words, by which the report counts.
        detail: what was wrong with this one, as a sentence.
        url: its address, where it has one.
    """

    source: str
    offset: int
    reason: str
    detail: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page, and how it was found.

    Attributes:
        url: the page's address.
        source: the file it was read from.
        offset: where in that file.
        site: its site: the host, without ``www.``.
        group: the id of the template that was applied; empty where none was.
        way: how the answer was found.
        fit: how far the page is of the template's kind, 0 to 1; 1 where it was judged itself.
        sureness: the F1 to expect of the template that was applied, or of the answer; None where it is not known.
        elements: how many elements the page has.
        template: the numbers of its template elements, as ranges.
        text: the content's text, a line for each block.
        markdown: the content as Markdown, where that was asked for.
        html: the content as HTML, where that was asked for.
    """

    url: str
    source: str
    offset: int
    site: str
    group: str
    way: Way
    fit: float
    sureness: float | None
    elements: int
    template: tuple[Range, ...]
    text: str
    markdown: str | None = None
    html: str | None = None


def site_of(url: str) -> str:
    """Return the site of a page: its host, without ``www.``.

    >>> site_of("https://www.example.org/a")
    'example.org'
    """
    return site_host(url)


def crawl_page(
    url: str, html: bytes | str, source: str = "", offset: int = 0, charset: str | None = None
) -> CrawlPage:
    """Return a page with its address in the normal form.

    Raises:
        InvalidAddress: the address is not an http or https URL.
    """
    content, named = (html.encode("utf-8", "replace"), "utf-8") if isinstance(html, str) else (html, charset)
    address = page_address(url)
    return CrawlPage(address, content, source, offset, named)


def page_or_skipped(
    url: str, html: bytes | str, source: str, offset: int, charset: str | None = None
) -> CrawlPage | Skipped:
    """Return a page, or why a record is none, by its address."""
    try:
        return crawl_page(url, html, source, offset, charset)
    except InvalidAddress as error:
        return Skipped(source, offset, "no web address", str(error), url)


def in_unicode(text: str) -> str:
    """Return a text that can be written: half a surrogate pair, which is no character, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
