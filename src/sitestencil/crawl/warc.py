"""Pages from WARC files. A record that cannot be read costs itself, and no other one.

Where the reader loses its way, in a broken gzip member or behind a length that is not true, the next place is
looked for at which a record begins, and reading goes on there.
"""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from sitestencil.crawl.pages import CrawlPage, Skipped, page_or_skipped
from sitestencil.crawl.reading_limits import MOST_BYTES
from sitestencil.crawl.warc_streams import (
    CANNOT_BE_READ,
    GZIP,
    PLAIN,
    ZSTD,
    Stream,
    Stretch,
    Unpacked,
    begins_record,
    is_beginning,
    is_packed_as_one,
    records,
)

_WINDOW = 1 << 20
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_ANSWERS = frozenset({"response", "resource", "revisit"})
_OK, _REDIRECT, _ERROR = 200, 300, 400
_LONGEST_DETAIL = 200
_TRUNCATED = "truncated"


def read_warc(file: Path, name: str, start: int = 0, end: int | None = None) -> Iterator[CrawlPage | Skipped]:
    """Yield the pages whose records are in a range of a WARC file's bytes, and what is none.

    The range is from the first record that begins in it to the first that begins behind it, so that ranges that
    follow one another have each byte of the file once. Records that are no answers, as requests and metadata are,
    are passed over.

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
        stop = None if end is None else _next_record(stream, end)
        if at is None or (stop is not None and at >= stop):
            return
        if start == 0 and end is None and is_packed_as_one(stream):
            yield from _read_all(Unpacked(stream), name, at)
        else:
            yield from _read_all(Stretch(stream, stop), name, at)


def _read_all(stream: Stream, name: str, at: int) -> Iterator[CrawlPage | Skipped]:
    next_at: int | None = at
    while next_at is not None:
        next_at = yield from _read_on(stream, name, next_at)


def _read_on(stream: Stream, name: str, at: int) -> Generator[CrawlPage | Skipped, None, int | None]:
    """Yield the records from one on, up to the first break; return where the next begins that may be read."""
    held: CrawlPage | Skipped | None = None
    held_at: int | None = None
    is_read = False
    url = ""
    try:
        for record in records(stream, at):
            if held is not None:
                yield held
            # In a file that is packed in pieces of several records, these begin at no byte of their own.
            held, is_read, url = None, False, _url(record)
            held_at = int(record.stream_pos) if held_at is None else max(int(record.stream_pos), held_at + 1)
            held = _page(record, name, held_at)
            is_read = True
    except CANNOT_BE_READ as error:
        detail = str(error)[:_LONGEST_DETAIL]
        if held_at is None:
            yield Skipped(name, at, "broken record", f"It cannot be read: {detail}.")
            return _next_record(stream, at + 1)
        if not is_read:
            yield Skipped(name, held_at, "broken record", f"It cannot be read to its end: {detail}.", url)
        elif "header" in detail and _cut_record(stream, held_at) is None:
            # Behind it no record begins: its length is not true, and what was read of it may be another's.
            yield Skipped(name, held_at, "untrue length", "No record begins where this one says it ends.", url)
        else:
            if held is not None:
                yield held
            yield from _broken_after(stream, name, held_at, detail)
        return _next_record(stream, held_at + 1)
    if held is not None:
        yield held
    yield from _cut_after(stream, name, at, held_at)
    # A record that ends with the file and lacks some of its bytes may have taken those of others.
    is_cut = isinstance(held, Skipped) and held.reason == _TRUNCATED
    return _next_record(stream, held_at + 1) if is_cut and held_at is not None else None


def _broken_after(stream: Stream, name: str, at: int, detail: str) -> Iterator[Skipped]:
    """Yield the record after one, if it is so broken that none seems to begin there."""
    broken, sound = _next_record(stream, at + 1, checked=False), _next_record(stream, at + 1)
    if broken is not None and broken != sound:
        yield Skipped(name, broken, "broken record", f"It cannot be read: {detail}.")


def _cut_after(stream: Stream, name: str, at: int, held_at: int | None) -> Iterator[Skipped]:
    """Yield the record after the last one, of which not even the head is whole; the reader says nothing of it."""
    cut: int | None = at
    if held_at is not None:
        cut = _cut_record(stream, held_at)
    else:
        stream.seek(at)
        cut = at if stream.read(1) else None
    if cut is not None:
        yield Skipped(name, cut, _TRUNCATED, "The file ends within its head.")


def _cut_record(stream: Stream, at: int) -> int | None:
    """Return where behind a record one begins of which not even the head is whole; None where none does."""
    cut = _next_record(stream, at + 1, checked=False)
    while cut is not None:
        try:
            return cut if next(records(stream, cut), None) is None else None
        except CANNOT_BE_READ:
            if is_beginning(stream, cut):
                return cut
            cut = _next_record(stream, cut + 1, checked=False)
    return None


def _url(record: Any) -> str:  # noqa: ANN401 - fastwarc has no types
    return (record.headers.get("WARC-Target-URI") or "").strip().strip("<>")


def _page(record: Any, name: str, offset: int) -> CrawlPage | Skipped | None:  # noqa: ANN401, PLR0911 - reasons
    """Return the page of a record, or why it is none; None where it is no answer. fastwarc has no types."""
    url, kind = _url(record), record.headers.get("WARC-Type")
    if kind is None or record.headers.get("Content-Length") is None:
        return Skipped(name, offset, "broken record", "Its head lacks its type or its length.", url)
    if kind not in _ANSWERS:
        return None
    if not url.startswith(("http://", "https://")):
        return Skipped(name, offset, "no web address", "It has no http or https address.", url)
    if kind == "revisit":
        return Skipped(name, offset, "no page", "It says that a page was as another record has it.", url)
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


def _next_record(stream: Stream, start: int, *, checked: bool = True) -> int | None:
    """Return where the first record begins that begins from a byte on; None where there is none.

    Args:
        stream: the file.
        start: the byte.
        checked: look whether it can be read, too.
    """
    stream.seek(0)
    head = stream.read(len(PLAIN))
    magic = GZIP if head.startswith(GZIP) else ZSTD if head.startswith(ZSTD) else PLAIN
    position = start
    while True:
        stream.seek(position)
        window = stream.read(_WINDOW)
        at = window.find(magic)
        while at >= 0:
            if (not checked and magic != PLAIN) or _begins_record(stream, position + at, magic):
                return position + at
            at = window.find(magic, at + 1)
        if len(window) < _WINDOW:
            return None
        position += len(window) - len(magic) + 1


def _begins_record(stream: Stream, at: int, magic: bytes) -> bool:
    if magic != PLAIN:
        return begins_record(stream, at)
    stream.seek(max(0, at - 4))
    return at == 0 or stream.read(4) == b"\r\n\r\n"
