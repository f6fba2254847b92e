"""Turn a WARC record into its page, or into the reason why it is none."""

import re
import zlib
from typing import Any, Literal

from sitestencil.crawl.input.crawled import MOST_BYTES, CrawlPage, Record, Skipped, page_or_skipped
from sitestencil.crawl.input.warc_records import LONGEST_HEAD, WarcRecord
from sitestencil.errors import CutBody, PackageMissing

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_ANSWERS = frozenset({"response", "resource", "revisit"})
_OK, _REDIRECT, _ERROR = 200, 300, 400
_LONGEST_DETAIL = 200
_HEAD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
_ZIPPED = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
_ZLIB = 8  # the method, in the first byte's lower half
_CHUNK = re.compile(rb"[0-9A-Fa-f]+[ \t]*(?:;[^\r\n]*)?\r?\n")
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!--|(?:!doctype|html|head|\?xml)\b)", re.IGNORECASE)
_LAST_CHUNK = re.compile(rb"\r\n0+(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*(?:\r\n)?\Z")
_LONGEST_TRAILER = 1 << 16


def page_of_record(record: WarcRecord, name: str, offset: int) -> CrawlPage | Skipped | None:  # noqa: PLR0911 - a return for each reason
    """Return the page of a record, or the reason why it is none; None if it is not a response.

    Raises:
        PackageMissing: fastwarc is not installed.
    """
    kind = record.headers.get("warc-type")
    if kind is None:
        return Skipped(name, offset, "broken record", "Its head lacks its type.", record.url)
    if kind not in _ANSWERS:
        return None
    if not record.url.lower().startswith(("http://", "https://")):
        return Skipped(name, offset, "no web address", "It has no http or https address.", record.url)
    if kind == "revisit":
        return Skipped(name, offset, "no page", "It says that a page was as another record has it.", record.url)
    media_type = record.headers.get("content-type", "")
    if kind == "response" and media_type.lower().startswith("application/http"):
        try:
            return _page_of_answer(record, name, offset)
        except CutBody:
            return Skipped(name, offset, "truncated", "Its body ends before it is whole.", record.url)
        except (OSError, ValueError, RuntimeError, zlib.error) as error:
            detail = f"Its HTTP answer cannot be read: {str(error)[:_LONGEST_DETAIL]}."
            return Skipped(name, offset, "broken record", detail, record.url)
    other = _not_html(media_type, record, name, offset)
    return other or _page(record, record.content, name, offset, media_type=media_type)


def _page_of_answer(record: WarcRecord, name: str, offset: int) -> CrawlPage | Skipped:
    answer = _parsed(record.content, "none")
    http = answer.http_headers
    status = http.status_code
    if status is None:
        return Skipped(name, offset, "broken record", "Its HTTP answer has no status.", record.url)
    if status != _OK:
        reason = "error page" if status >= _ERROR else "redirect" if status >= _REDIRECT else "no page"
        return Skipped(name, offset, reason, f"The server answered with status {status}.", record.url)
    if _is_denied(http.get("X-Robots-Tag") or ""):
        detail = "The server asks for it not to be indexed (X-Robots-Tag)."
        return Skipped(name, offset, "robots denied", detail, record.url)
    if (other := _not_html(http.get("Content-Type") or "", record, name, offset)) is not None:
        return other
    if record.length > len(record.content):
        return _too_large(record, name, offset)
    body, media_type = _body(record.content, answer), http.get("Content-Type") or ""
    return _page(record, body, name, offset, answer.http_charset, status, media_type=media_type)


def _body(content: bytes, answer: Any) -> bytes:  # noqa: ANN401 - fastwarc's own type
    """Return the unpacked body of an answer; some crawlers store it so, below the server's own headers.

    Raises:
        CutBody: it ends too early.
        OSError, zlib.error: it cannot be unpacked.
    """
    told = answer.http_headers.get
    body = bytes(answer.reader.read(len(content)))
    if "chunked" in (told("Transfer-Encoding") or "").lower() and _CHUNK.match(body):
        if not _LAST_CHUNK.search(body[-_LONGEST_TRAILER:]):
            raise CutBody
        body = _parsed(content, "transfer").reader.read(len(content))
    packing = (told("Content-Encoding") or "identity").strip().lower()
    if packing == "identity" or _MARKUP.match(body):
        return body
    if packing in _ZIPPED:
        return _unzipped(body, packing)
    return bytes(_parsed(content, "all").reader.read(MOST_BYTES + 1))


def _parsed(content: bytes, decoded: Literal["none", "transfer", "all"]) -> Any:  # noqa: ANN401 - fastwarc's own type
    try:
        from fastwarc.warc import WarcRecord as Parsed
    except ImportError:
        raise PackageMissing("WARC files are read with fastwarc.", "crawl") from None
    parsed = Parsed.from_bytes(_HEAD % len(content) + content)
    parsed.parse_http(auto_decode=decoded, max_header_len=LONGEST_HEAD)
    return parsed


def _unzipped(packed: bytes, packing: str) -> bytes:
    """Return an unpacked body, up to a page's maximum size; gzip may have several members.

    Raises:
        CutBody: it ends too early.
        zlib.error: it cannot be unpacked.
    """
    bits, body = _ZIPPED[packing], b""
    if packing == "deflate" and packed[:1] and packed[0] & 0x0F != _ZLIB:
        bits = -bits  # some servers leave out the header
    while packed and len(body) <= MOST_BYTES:
        unpacker = zlib.decompressobj(bits)
        body += unpacker.decompress(packed, MOST_BYTES + 1 - len(body))
        if not unpacker.eof and len(body) <= MOST_BYTES:
            raise CutBody
        packed = unpacker.unused_data
    return body


def _page(
    record: WarcRecord,
    body: bytes,
    name: str,
    offset: int,
    charset: str | None = None,
    status: int | None = None,
    *,
    media_type: str,
) -> CrawlPage | Skipped:
    if record.length > len(record.content) or len(body) > MOST_BYTES:
        return _too_large(record, name, offset)
    if not media_type and b"<" not in body[:1024]:
        detail = "It has no content type, and does not look like HTML."
        return Skipped(name, offset, "not HTML", detail, record.url)
    told = record.headers.get
    own = Record(
        id=told("warc-record-id"),
        date=told("warc-date"),
        status=status,
        digest=told("warc-payload-digest"),
        truncated=told("warc-truncated"),
    )
    return page_or_skipped(record.url, body, name, offset, charset, own)


def _too_large(record: WarcRecord, name: str, offset: int) -> Skipped:
    return Skipped(name, offset, "too large", f"It has more than {MOST_BYTES:,} bytes.", record.url)


def _not_html(media_type: str, record: WarcRecord, name: str, offset: int) -> Skipped | None:
    bare = media_type.partition(";")[0].strip().lower()
    if not bare or bare in _HTML:
        return None
    return Skipped(name, offset, "not HTML", f"It is {bare[:60]}.", record.url)


def _is_denied(tag: str) -> bool:
    """Return whether a header denies a page to all robots; rules for a named robot do not count."""
    return any(rule.strip().lower() in {"noindex", "none"} for rule in tag.split(","))
