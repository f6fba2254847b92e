"""Read the records of a member by their stated lengths; a record of an ARC file reads as one of a WARC."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitestencil.crawl.input.crawled import MOST_BYTES
from sitestencil.crawl.input.warc_file import ARC_RECORD, LONGEST_ARC_LINE, RECORD, Member, at_line
from sitestencil.errors import RecordSkipped

LONGEST_HEAD = 1 << 20
_MOST_CONTENT = MOST_BYTES + 2 * LONGEST_HEAD
_PIECE = 1 << 18
HEAD_END = re.compile(rb"\n\r{0,2}\n")
_LINE = re.compile(rb"\r{0,2}\n(?![ \t])")
_RECORD_END, _ARC_RECORD_END = b"\r\n\r\n", b"\n"
_MOST_DIGITS = 18
_LONGEST_JUNK = 1 << 16
# Heads of a record and of its answer are longer, or hold a blank line.
_SHORTEST_HEADS = 256
_ARC_LINE = re.compile(
    rb"([^\n\0]*) [^ \n]+ (\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d* ([^ \n\0]*)(?: [^\n\0]*)? (\d+)\r?\n"
)
_LINE_END = re.compile(rb"\n")


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """A record: its own headers by name in lower case, its block up to a page's size, and the block's length."""

    headers: Mapping[str, str]
    content: bytes
    length: int

    @property
    def kind(self) -> str:
        """The type, if its head has one."""
        return self.headers.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """The address, if it has one."""
        return url_of(self.headers)


def url_of(headers: Mapping[str, str]) -> str:
    """Return the address in a record's head."""
    return headers.get("warc-target-uri", "").strip("<>")


class MemberRecords:
    """Read the records of a member in order, each of which begins with a pattern.

    Attributes:
        at: the number of unpacked bytes read.
        begin: the current record's start in the unpacked member.
        headers: the current record's headers, once they are read.
        ends_at: the expected end of the current record in the unpacked member; None before its head is read.
    """

    def __init__(self, member: Member, record: re.Pattern[bytes] = RECORD) -> None:
        self.member = member
        self._record = record
        self._is_arc = record is ARC_RECORD
        self._data = b""
        self._next = 0
        self.at = self.begin = 0
        self.headers: Mapping[str, str] = {}
        self.ends_at: int | None = None

    def head(self) -> Mapping[str, str] | None:
        """Return the head of the next record, empty if it is junk before one; None at the end of the member.

        Raises:
            RecordSkipped: there are more bytes, but no record.
            BrokenMember: the member cannot be unpacked.
        """
        self.headers, self.ends_at = {}, None
        self._skip_line_ends()
        self.begin = self.at
        if not self._fill(1):
            return None
        if not self._begins_record():
            if self._take(self._junk()):
                return {}
            raise RecordSkipped("broken record", "No record begins there.")
        looked_at = self._next
        while (end := (_LINE_END if self._is_arc else HEAD_END).search(self._data, looked_at)) is None:
            held = len(self._data) - self._next
            if held > LONGEST_HEAD:
                raise RecordSkipped("broken record", f"Its head has more than {LONGEST_HEAD:,} bytes.")
            if not self._fill(held + 1):
                raise RecordSkipped("truncated", "The file ends within its head.")
            looked_at = max(0, held - len(_RECORD_END))
        head = self._take(end.end() - self._next)
        self.headers = _of_arc(head) if self._is_arc else headers_of(head)
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) <= _MOST_DIGITS):
            raise RecordSkipped("broken record", "Its head lacks its length.")
        self.ends_at = self.at + int(length) + len(_RECORD_END)
        return self.headers

    def records(self) -> Iterator[WarcRecord]:
        """Yield each complete record: another one follows it, or the member ends properly. Junk has no headers.

        Raises:
            RecordSkipped: a record differs from its head.
            BrokenMember: the member cannot be unpacked.
        """
        while (headers := self.head()) is not None:
            length = int(headers.get("content-length", 0))
            content = self._take(min(length, _MOST_CONTENT))
            there = len(content) + self._skip(length - len(content))
            if there < length:
                raise RecordSkipped("truncated", f"{there:,} of its {length:,} bytes are there.")
            is_ended = self._begins(_ARC_RECORD_END if self._is_arc else _RECORD_END)
            self._skip_line_ends()
            if not is_ended and self._fill(1) and not self._begins_record():
                raise RecordSkipped("untrue length", "It does not end where its head says.")
            yield WarcRecord(headers, content, length)

    def _junk(self) -> int:
        """Return the number of bytes before the next record; 0 if they may hold a part of a damaged record's body.

        They do not if they are fewer than those of its heads, or hold no blank line, as heads do.
        """
        self._fill(_LONGEST_JUNK)
        window = self._data[self._next : self._next + _LONGEST_JUNK]
        record = (at_line(self._record) if self._is_arc else self._record).search(window)
        junk = window[: record.start()] if record else b""
        return len(junk) if len(junk) <= _SHORTEST_HEADS or not HEAD_END.search(junk) else 0

    def drain(self) -> None:
        """Read the member to its end, or raise `BrokenMember`."""
        while self._fill(1):
            self._skip(_PIECE)

    def _begins_record(self) -> bool:
        self._fill(LONGEST_ARC_LINE if self._is_arc else len(_RECORD_END) + 2)
        return self._record.match(self._data, self._next) is not None

    def _begins(self, data: bytes) -> bool:
        self._fill(len(data))
        return self._data.startswith(data, self._next)

    def _skip_line_ends(self) -> None:
        while self._fill(1) and self._data[self._next] in b"\r\n":
            left = self._data[self._next :]
            self._take(len(left) - len(left.lstrip(b"\r\n")))

    def _fill(self, size: int) -> bool:
        """Return whether so many bytes are buffered, after reading if needed."""
        while len(self._data) - self._next < size:
            more = self.member.read(_PIECE)
            if not more:
                return False
            self._data, self._next = self._data[self._next :] + more, 0
        return True

    def _take(self, size: int) -> bytes:
        """Return so many bytes, or fewer at the end of the member."""
        taken = self._data[self._next : self._next + size]
        self._next += len(taken)
        pieces = [taken]
        left = size - len(taken)
        while left and (piece := self.member.read(_PIECE)):
            self._data, self._next = piece, min(left, len(piece))
            pieces.append(piece[:left])
            left -= self._next
        self.at += size - left
        return b"".join(pieces)

    def _skip(self, size: int) -> int:
        """Skip so many bytes, or fewer at the end of the member; return their number."""
        left = size
        while left and (piece := self._take(min(left, _PIECE))):
            left -= len(piece)
        return size - left


def _of_arc(line: bytes) -> dict[str, str]:
    """Return the headers that a WARC record has instead of a line of an ARC file."""
    match = _ARC_LINE.fullmatch(line)
    if match is None:
        return {}
    url, *date, media_type, length = (part.decode("utf-8", "replace") for part in match.groups())
    return {
        "warc-type": "warcinfo" if url.startswith("filedesc:") else "response",
        "warc-target-uri": url,
        "warc-date": "{}-{}-{}T{}:{}:{}Z".format(*date),
        "content-type": media_type,
        "content-length": length,
    }


def headers_of(head: bytes) -> dict[str, str]:
    """Return the headers of a WARC or HTTP head by name in lower case; the first of each name counts."""
    headers: dict[str, str] = {}
    for line in _LINE.split(head)[1:]:
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return headers
