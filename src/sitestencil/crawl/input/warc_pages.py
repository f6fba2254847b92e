"""Turn a WARC record into its page, or into the reason why it is none."""

import re
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple

from sitestencil.crawl.input.crawled import MOST_BYTES, CrawlPage, Record, Skipped, fault, page_or_skipped
from sitestencil.crawl.input.warc_records import HEAD_END, LONGEST_HEAD, WarcRecord, headers_of
from sitestencil.errors import PackageMissing, RecordSkipped
from sitestencil.site.sources.messages import charset_of, is_denied

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_PAGES = frozenset({"response", "resource", "conversion"})
_OF_CRAWLERS = frozenset({"warcinfo", "request", "metadata"})
_REDIRECT, _ERROR = 300, 400
_WHOLE = frozenset({200, 203})  # 203: a proxy has changed the page
_CUT = ("truncated", "Its body ends before it is whole.")
_STATUS = re.compile(rb"\s*HTTP\w?(?:/[\d.]+)?[ \t]+(\d{3})\b", re.IGNORECASE)
# As browsers read it: what is no type, or an unknown one, is judged by the page's own bytes.
_MEDIA_TYPE = re.compile(r"[\s\"']*(?!(?:application|unknown)/unknown|\*/\*)([\w.+*-]+/[\w.+-]+)")
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_MOST_TIMES_PACKED = 2
_PIECE = 1 << 12  # zlib copies the rest of a piece behind each member
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!--|(?:!doctype|html|head|\?xml)\b)", re.IGNORECASE)


class _Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


def page_of_record(record: WarcRecord, name: str, offset: int) -> CrawlPage | Skipped | None:
    """Return the page of a record, or the reason why it is none; None if it is not a response.

    Raises:
        PackageMissing: fastwarc is not installed.
    """
    try:
        return _page(record, name, offset)
    except RecordSkipped as error:
        reason, detail = error.reason, str(error)
    except Exception as error:
        reason, detail = "broken record", f"Its HTTP answer cannot be read: {fault(error)}."
    return Skipped(name, offset, reason, detail, record.url)


def _page(record: WarcRecord, name: str, offset: int) -> CrawlPage | Skipped | None:
    kind, told = record.kind, record.headers.get
    if not kind:
        detail = "Its head lacks its type." if record.headers else "No record begins there."
        raise RecordSkipped("broken record", detail)
    if kind in _OF_CRAWLERS:
        return None
    if not record.url.lower().startswith(("http://", "https://")):
        raise RecordSkipped("no web address", "It has no http or https address.")
    if kind not in _PAGES:
        reason = "a page was as another record has it" if kind == "revisit" else f"it is a {kind[:60]}"
        raise RecordSkipped("no page", f"It says that {reason}.")
    media_type, body, status, charset = told("content-type", ""), record.content, None, None
    if kind == "response" and (media_type.lower().startswith("application/http") or _STATUS.match(body)):
        answer = _answer(body)
        _check_page(answer)
        media_type, status = answer.headers.get("content-type", ""), answer.status
        charset = charset_of(media_type.lower())
    bare = _MEDIA_TYPE.match(media_type.lower())
    if bare is not None and bare[1] not in _HTML:
        raise RecordSkipped("not HTML", f"It is {bare[1][:60]}.")
    is_whole = record.length <= len(record.content)
    if is_whole and status is not None:
        body = _body(answer)
    if not is_whole or len(body) > MOST_BYTES:
        raise RecordSkipped("too large", f"It has more than {MOST_BYTES:,} bytes.")
    if bare is None and b"<" not in body[:1024]:
        raise RecordSkipped("not HTML", "It has no known content type, and does not look like HTML.")
    of_page = Record(
        id=told("warc-record-id"),
        date=told("warc-date"),
        status=status,
        digest=told("warc-payload-digest"),
        truncated=told("warc-truncated"),
    )
    return page_or_skipped(record.url, body, name, offset, charset, of_page)


def _check_page(answer: _Answer) -> None:
    """Check that an answer gives a page, and that all robots may index it."""
    if answer.status not in _WHOLE:
        reason = (
            "error page" if answer.status >= _ERROR else "redirect" if answer.status >= _REDIRECT else "no page"
        )
        raise RecordSkipped(reason, f"The server answered with status {answer.status}.")
    if is_denied(answer.headers.get("x-robots-tag", "")):
        raise RecordSkipped("robots denied", "The server asks for it not to be indexed (X-Robots-Tag).")


def _answer(content: bytes) -> _Answer:
    """Return the final answer of a server, behind those like "100 Continue".

    Raises:
        ValueError: its head has no end.
    """
    at, status = 0, 100
    while status < 200:
        first = _STATUS.match(content, at)
        if first is None:
            raise RecordSkipped("broken record", "Its HTTP answer has no status.")
        end = HEAD_END.search(content, at, at + LONGEST_HEAD)
        if end is None and len(content) - at > LONGEST_HEAD:
            raise ValueError("its head has no end")
        begin, at, status = at, end.end() if end else len(content), int(first[1])
    return _Answer(status, headers_of(content[begin:at]), content[at:])


def _body(answer: _Answer) -> bytes:
    """Return the unpacked body of an answer; some crawlers store it so, below the server's own headers.

    Raises:
        OSError, zlib.error: it cannot be unpacked.
    """
    body = answer.body
    if "chunked" in answer.headers.get("transfer-encoding", "").lower() and _CHUNK.match(body):
        body = _joined(body)
    packing = answer.headers.get("content-encoding", "identity").strip().lower()
    for _ in range(_MOST_TIMES_PACKED):
        if not body.startswith(_GZIP):
            break
        body, packing = _unzipped(body, zlib.MAX_WBITS | 16), "identity"
    if body.startswith(_ZSTD):
        return _unpacked(body, "zstd")
    if packing in {"identity", "none", "", "gzip", "x-gzip"} or _MARKUP.match(body):
        return body
    if packing != "deflate":
        return _unpacked(body, packing)
    has_head = not body or body[0] & 0x0F == zlib.DEFLATED  # some servers leave it out
    return _unzipped(body, zlib.MAX_WBITS if has_head else -zlib.MAX_WBITS)


def _joined(body: bytes) -> bytes:
    """Return a body's chunks as one."""
    chunks: list[bytes] = []
    at = 0
    while head := _CHUNK.match(body, at):
        if not (size := int(head[1], 16)):
            return b"".join(chunks)
        if size > len(body) - head.end():
            break
        at = head.end() + size
        chunks.append(body[head.end() : at])
    raise RecordSkipped(*_CUT)


def _unpacked(body: bytes, packing: str) -> bytes:
    try:
        from fastwarc.stream_io import BrotliReader, ZstdReader
    except ImportError:
        raise PackageMissing("Bodies in Brotli and Zstandard are read with fastwarc.", "crawl") from None
    readers = {"br": BrotliReader, "zstd": ZstdReader}
    if packing not in readers:
        raise ValueError(f"no known encoding: {packing}")
    return bytes(readers[packing](BytesIO(body)).read(MOST_BYTES + 1))


def _unzipped(packed: bytes, bits: int) -> bytes:
    """Return an unpacked body, up to a page's maximum size; gzip may have several members.

    Raises:
        zlib.error: it cannot be unpacked.
    """
    body, at = bytearray(), 0
    while at < len(packed) and len(body) <= MOST_BYTES and (not body or packed.startswith(_GZIP, at)):
        unpacker = zlib.decompressobj(bits)
        while not unpacker.eof and len(body) <= MOST_BYTES:
            piece = packed[at : at + _PIECE]
            if not piece:
                raise RecordSkipped(*_CUT)
            body += unpacker.decompress(piece, MOST_BYTES + 1 - len(body))
            at += len(piece) - len(unpacker.unconsumed_tail) - len(unpacker.unused_data)
    return bytes(body)
