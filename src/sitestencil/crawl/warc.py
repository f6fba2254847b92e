"""Pages from WARC files. A record that cannot be read costs itself, and no other one.

Where the reader loses its way, in a broken gzip member or behind a length that is not true, the next place is
looked for at which a record begins, and reading goes on there.
"""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from sitestencil.crawl.pages import CrawlPage, Skipped, page_or_skipped
from sitestencil.crawl.reading_limits import MOST_BYTES
from sitestencil.errors import PackageMissing

_GZIP, _ZSTD, _PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1."
_WINDOW = 1 << 20
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_OK, _REDIRECT, _ERROR = 200, 300, 400
_LONGEST_DETAIL = 200
_TRUNCATED = "truncated"


def read_warc(file: Path, name: str, start: int = 0, end: int | None = None) -> Iterator[CrawlPage | Skipped]:
    """Yield the pages whose records begin in a range of a WARC file's bytes, and what is none.

    Args:
        file: the file, plain, gzipped or by Zstandard.
        name: what the output calls it.
        start: the first byte; records begin from here on.
        end: the byte before which they begin; None: to the file's end.

    Raises:
        PackageMissing: fastwarc is not installed.
    """
    with file.open("rb") as stream:
        at = _next_record(stream, start) if start else 0
        while at is not None and (end is None or at < end):
            at = yield from _read_on(stream, name, at, end)


def _read_on(
    stream: BinaryIO, name: str, at: int, end: int | None
) -> Generator[CrawlPage | Skipped, None, int | None]:
    """Yield the records from one on, up to the first break; return where the next begins that may be read."""
    held: CrawlPage | Skipped | None = None
    held_at: int | None = None
    try:
        for record in _records(stream, at):
            if held is not None:
                yield held
            held, held_at = None, int(record.stream_pos)
            if end is not None and held_at >= end:
                return None
            held = _page(record, name, held_at)
    except (OSError, ValueError, EOFError, RuntimeError) as error:
        detail = str(error)[:_LONGEST_DETAIL]
        if held_at is None:
            yield Skipped(name, at, "broken record", f"It cannot be read: {detail}.")
            return _next_record(stream, at + 1)
        if "header" in detail and held is not None:
            # Behind it no record begins: its length is not true, and what was read of it may be another's.
            yield Skipped(name, held_at, "untrue length", "No record begins where this one says it ends.", held.url)
        elif held is not None:
            yield held
            yield from _broken_after(stream, name, held_at, detail)
        else:
            yield Skipped(name, held_at, "broken record", f"It cannot be read to its end: {detail}.")
        return _next_record(stream, held_at + 1)
    if held is not None:
        yield held
    # A record that ends with the file and lacks some of its bytes may have taken those of others.
    is_cut = isinstance(held, Skipped) and held.reason == _TRUNCATED
    return _next_record(stream, held_at + 1) if is_cut and held_at is not None else None


def _broken_after(stream: BinaryIO, name: str, at: int, detail: str) -> Iterator[Skipped]:
    """Yield the record after one, if it is so broken that none seems to begin there."""
    broken, sound = _next_record(stream, at + 1, checked=False), _next_record(stream, at + 1)
    if broken is not None and broken != sound:
        yield Skipped(name, broken, "broken record", f"It cannot be read: {detail}.")


def _records(stream: BinaryIO, at: int) -> Iterator[Any]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise PackageMissing("WARC files are read with fastwarc.", "crawl") from None
    stream.seek(at)
    kinds = WarcRecordType.any_type
    yield from ArchiveIterator(stream, record_types=kinds, parse_http=True, auto_decode="all")


def _page(record: Any, name: str, offset: int) -> CrawlPage | Skipped:  # noqa: ANN401, PLR0911 - a table of reasons
    """Return the page of a record, or why it is none; fastwarc has no types."""
    url = (record.headers.get("WARC-Target-URI") or "").strip().strip("<>")
    if not url.startswith(("http://", "https://")):
        return Skipped(name, offset, "no web address", "It has no http or https address.", url)
    http = record.http_headers
    status = http.status_code if http is not None else _OK
    if status is None:
        return Skipped(name, offset, "broken record", "Its HTTP answer has no status.", url)
    if status != _OK:
        reason = "error page" if status >= _ERROR else "redirect" if status >= _REDIRECT else "no page"
        return Skipped(name, offset, reason, f"The server answered with status {status}.", url)
    if http is not None and _is_denied(http.get("X-Robots-Tag") or ""):
        return Skipped(
            name, offset, "robots denied", "The server asks for it not to be indexed (X-Robots-Tag).", url
        )
    written = record.headers.get("Content-Type") if http is None else http.get("Content-Type")
    media_type = (written or "").partition(";")[0].strip().lower()
    if media_type and media_type not in _HTML:
        return Skipped(name, offset, "not HTML", f"It is {media_type[:60]}.", url)
    expected = record.content_length
    html = record.reader.read(MOST_BYTES + 1)
    if len(html) > MOST_BYTES:
        return Skipped(name, offset, "too large", f"It has more than {MOST_BYTES:,} bytes.", url)
    is_encoded = http is not None and (http.get("Content-Encoding") or http.get("Transfer-Encoding"))
    if not is_encoded and len(html) < expected:
        return Skipped(name, offset, _TRUNCATED, f"{len(html):,} of its {expected:,} bytes are there.", url)
    if not media_type and b"<" not in html[:1024]:
        return Skipped(name, offset, "not HTML", "It has no content type, and does not look like HTML.", url)
    return page_or_skipped(url, html, name, offset, record.http_charset)


def _is_denied(tag: str) -> bool:
    """Return whether a header denies a page to all robots; what is for one that it names is for that one."""
    return any(rule.strip().lower() in {"noindex", "none"} for rule in tag.split(","))


def _next_record(stream: BinaryIO, start: int, *, checked: bool = True) -> int | None:
    """Return where the first record begins that begins from a byte on; None where there is none.

    Args:
        stream: the file.
        start: the byte.
        checked: look whether it can be read, too.
    """
    stream.seek(0)
    head = stream.read(len(_PLAIN))
    magic = _GZIP if head.startswith(_GZIP) else _ZSTD if head.startswith(_ZSTD) else _PLAIN
    position = start
    while True:
        stream.seek(position)
        window = stream.read(_WINDOW)
        at = window.find(magic)
        while at >= 0:
            if not checked or _begins_record(stream, position + at, magic):
                return position + at
            at = window.find(magic, at + 1)
        if len(window) < _WINDOW:
            return None
        position += len(window) - len(magic) + 1


def _begins_record(stream: BinaryIO, at: int, magic: bytes) -> bool:
    from fastwarc.stream_io import GzipReader, ZstdReader

    if magic == _PLAIN:
        stream.seek(max(0, at - 4))
        return at == 0 or stream.read(4) == b"\r\n\r\n"
    stream.seek(at)
    try:
        reader = GzipReader(stream) if magic == _GZIP else ZstdReader(stream)
        return bytes(reader.read(len(_PLAIN))) == _PLAIN
    except (OSError, ValueError, EOFError):
        return False
