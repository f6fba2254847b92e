"""Read the records of a WARC's member by their stated lengths."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitestencil.crawl.input.crawled import MOST_BYTES
from sitestencil.crawl.input.warc_file import RECORD, Member
from sitestencil.errors import BrokenRecord

LONGEST_HEAD = 1 << 20
_MOST_CONTENT = MOST_BYTES + 2 * LONGEST_HEAD
_PIECE = 1 << 18
HEAD_END = re.compile(rb"\r?\n\r?\n")
_LINE = re.compile(rb"\r?\n(?![ \t])")
_RECORD_END = b"\r\n\r\n"
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """A record.

    Attributes:
        headers: the record's own headers, by name in lower case.
        content: its block, up to the largest page's size.
        length: the length of the whole block.
    """

    headers: Mapping[str, str]
    content: bytes
    length: int

    @property
    def url(self) -> str:
        """The address, if it has one."""
        return url_of(self.headers)


def url_of(headers: Mapping[str, str]) -> str:
    """Return the address in a record's head."""
    return headers.get("warc-target-uri", "").strip("<>")


class MemberRecords:
    """Read the records of a member in order.

    Args:
        member: the member.
        may_change: whether damage may go unnoticed for lack of a checksum, as in a plain file.

    Attributes:
        member: the member.
        at: the number of unpacked bytes read.
        begin: the current record's start in the unpacked member.
        headers: the current record's headers, once they are read.
        ends_at: the expected end of the current record in the unpacked member; None before its head is read.
    """

    def __init__(self, member: Member, *, may_change: bool = False) -> None:
        self.member = member
        self._may_change = may_change
        self._data = b""
        self._next = 0
        self.at = self.begin = 0
        self.headers: Mapping[str, str] = {}
        self.ends_at: int | None = None

    def head(self) -> Mapping[str, str] | None:
        """Return the head of the next record; None at the end of the member.

        Raises:
            BrokenRecord: there are more bytes, but no record.
            BrokenMember: the member cannot be unpacked.
        """
        self.headers, self.ends_at = {}, None
        self._skip_line_ends()
        self.begin = self.at
        if not self._fill(1):
            return None
        if not self._begins(RECORD):
            raise BrokenRecord("broken record", "No record begins there.")
        looked_at = self._next
        while (end := HEAD_END.search(self._data, looked_at)) is None:
            held = len(self._data) - self._next
            if held > LONGEST_HEAD:
                raise BrokenRecord("broken record", f"Its head has more than {LONGEST_HEAD:,} bytes.")
            if not self._fill(held + 1):
                raise BrokenRecord("truncated", "The file ends within its head.")
            looked_at = max(0, held - len(_RECORD_END))
        self.headers = headers_of(self._take(end.end() - self._next))
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) <= _MOST_DIGITS):
            raise BrokenRecord("broken record", "Its head lacks its length.")
        self.ends_at = self.at + int(length) + len(_RECORD_END)
        return self.headers

    def records(self) -> Iterator[WarcRecord]:
        """Yield each complete record: another one follows it, or the member ends properly.

        Raises:
            BrokenRecord: a record differs from its head.
            BrokenMember: the member cannot be unpacked.
        """
        while (headers := self.head()) is not None:
            length = int(headers["content-length"])
            content = self._take(min(length, _MOST_CONTENT))
            there = len(content) + self._skip(length - len(content))
            if there < length:
                raise BrokenRecord("truncated", f"{there:,} of its {length:,} bytes are there.")
            is_ended = self._may_change and self._begins(_RECORD_END)
            self._skip_line_ends()
            if not is_ended and self._fill(1) and not self._begins(RECORD):
                raise BrokenRecord("untrue length", "It does not end where its head says.")
            yield WarcRecord(headers, content, length)

    def drain(self) -> None:
        """Read the member to its end.

        Raises:
            BrokenMember: it cannot be unpacked.
        """
        while self._fill(1):
            self._skip(_PIECE)

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


def headers_of(head: bytes) -> dict[str, str]:
    """Return the headers of a WARC or HTTP head by name in lower case; the first of each name counts."""
    headers: dict[str, str] = {}
    for line in _LINE.split(head)[1:]:
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return headers
