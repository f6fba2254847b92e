"""Pages of a crawl as stored, and skipped records."""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sitestencil.errors import InvalidAddress, OutOfMemory, PackageMissing, StoreUnavailable, shown
from sitestencil.urls import page_address, site_host

MOST_BYTES = 8 * 1024 * 1024  # no honest page is as large
KILLED = "killed"  # the reason for a record that has ended its process
_LONGEST_FAULT, _LONGEST_ADDRESS = 200, 1 << 14
_NO_FAULTS = (MemoryError, OutOfMemory, PackageMissing, StoreUnavailable)
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE}


class Record(NamedTuple):
    """A page's record in the input; None for each field that is missing.

    Attributes:
        url: the address as it stands there.
        id: the record's id in a WARC.
        date: its date there.
        status: the HTTP status.
        digest: the digest of the body there.
        truncated: the reason for which the crawler cut the body.
        columns: the other columns of a table's row, as a JSON object.
    """

    url: str | None = None
    id: str | None = None
    date: str | None = None
    status: int | None = None
    digest: str | None = None
    truncated: str | None = None
    columns: str | None = None


NO_RECORD = Record()


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """A page of a crawl as stored.

    Attributes:
        url: its address, in its normal form.
        html: its bytes.
        source: the file that holds it.
        offset: the byte at which its record begins in the file, or the number of its row.
        charset: the encoding that the HTTP header names.
        record: its record in the input.
    """

    url: str
    html: bytes
    source: str = ""
    offset: int = 0
    charset: str | None = None
    record: Record = NO_RECORD

    @property
    def site(self) -> str:
        """Its site: the host, without ``www.``."""
        return site_host(self.url)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of the input without a page in the output.

    Attributes:
        source: the file.
        offset: its position in the file.
        reason: one of a few fixed phrases, which the report counts.
        detail: a sentence about this record.
        url: its address, if it has one.
    """

    source: str
    offset: int
    reason: str
    detail: str
    url: str = ""


def fault(error: Exception) -> str:
    """Return what is wrong with a record or file that no reader expects, as the end of a sentence.

    Raises:
        Exception: the error itself, if this machine or a store is at fault: the record may be sound.
    """
    if isinstance(error, _NO_FAULTS) or getattr(error, "errno", None) in _FULL:
        raise error
    return in_unicode(str(error).strip() or type(error).__name__)[:_LONGEST_FAULT].rstrip(".")


MayBegin = Callable[[str, int], bool]  # whether to read the record at this position of a file


def always(_source: str, _offset: int) -> bool:
    """Let each record be read."""
    return True


def crawl_page(
    url: str,
    html: bytes | str,
    source: str = "",
    offset: int = 0,
    charset: str | None = None,
    record: Record = NO_RECORD,
) -> CrawlPage:
    """Return a page with its address in the normal form.

    Raises:
        InvalidAddress: the address is not an http or https URL.
    """
    content, named = (html.encode("utf-8", "replace"), "utf-8") if isinstance(html, str) else (html, charset)
    return CrawlPage(page_address(url), content, source, offset, named, record._replace(url=in_unicode(url)))


def page_or_skipped(
    url: str,
    html: bytes | str,
    source: str,
    offset: int,
    charset: str | None = None,
    record: Record = NO_RECORD,
) -> CrawlPage | Skipped:
    """Return a page, or the reason why it is none."""
    url = in_unicode(url)
    if len(url) > _LONGEST_ADDRESS:
        text = f"Its address has {len(url):,} characters, more than {_LONGEST_ADDRESS:,}."
        return Skipped(source, offset, "no web address", text, url[:_LONGEST_ADDRESS])
    try:
        page = crawl_page(url, html, source, offset, charset, record)
    except InvalidAddress as error:
        return Skipped(source, offset, "no web address", str(error), url)
    if len(page.html) > MOST_BYTES:
        text = f"It has {len(page.html):,} bytes, more than {MOST_BYTES:,}."
        return Skipped(source, offset, "too large", text, url)
    if not page.html.strip():
        return Skipped(source, offset, "empty", "It has no bytes but white space.", url)
    return page


def page_of_row(
    url: Any,  # noqa: ANN401 - whatever a table holds
    html: Any,  # noqa: ANN401
    source: str,
    number: int,
    record: Record = NO_RECORD,
) -> CrawlPage | Skipped:
    """Return the page of a table's row, or the reason why it is none."""
    if isinstance(url, bytes):
        url = url.decode("utf-8", "replace")
    if isinstance(url, str) and isinstance(html, str | bytes):
        return page_or_skipped(url, html, source, number, record=record)
    detail = f"It needs an address and HTML, and has {shown(url)} and {shown(html)}."
    return Skipped(source, number, "broken record", detail, in_unicode(url) if isinstance(url, str) else "")


def in_unicode(text: str) -> str:
    """Return a text that can be encoded: half of a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
