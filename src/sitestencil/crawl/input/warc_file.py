"""Read the members of a WARC or ARC file: gzip members, Zstandard frames, or the whole of a plain file.

A member ends where its own format ends it, and the next one begins there. Magic bytes prove nothing: the body of a
response may hold them, and whole forged records behind them.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import SEEK_END, BytesIO
from typing import Any, BinaryIO, cast

from sitestencil.crawl.input.crawled import fault
from sitestencil.crawl.input.places import Place, buffered
from sitestencil.crawl.input.stores import in_ranges
from sitestencil.errors import BrokenMember

RECORD = re.compile(rb"WARC/\d")
# A line for each record: address, IP address, date, and others up to the length.
ARC_RECORD = re.compile(rb"[A-Za-z][\w+.-]{0,20}:(?=[^\n]{0,16000}\d\r?\n)[^\n]{1,8000} \d{14,20} ")
LONGEST_ARC_LINE = 1 << 14
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
# A dictionary for all frames, with its length: https://iipc.github.io/warc-specifications/specifications/warc-zstd/
_DICTIONARY, _DICTIONARY_HEAD, _LONGEST_DICTIONARY = b"\x5d\x2a\x4d\x18", 8, 1 << 24
# The head of a gzip member from honest programs: flags, time, level and system.
_GZIP_HEAD = re.compile(rb"\x1f\x8b\x08[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x0d\xff]", re.DOTALL)
_ZSTD_HEAD = re.compile(re.escape(_ZSTD))
_WINDOW = 1 << 20
_PIECE = 1 << 14
# The bytes that a search may unpack in vain, so that a hostile file costs no more than a large honest one.
_MOST_VAIN = 1 << 27
_VAIN = 1 << 10  # the cost of each place examined
_READ = 16  # bytes that cost as much as one that is unpacked
_BLOCK = 1 << 4  # the cost of each block of a Zstandard frame that is walked over
_FIRST_BLOCK = 1 << 17  # the longest block of Zstandard
_RESERVED_BLOCK, _REPEATED_BLOCK = 3, 1
_SHORTEST_LINE = 8
_SHORTEST_RECORD = 128  # a packed record has more bytes before those that its server sent
_LONGEST_JUNK = 1 << 16


class Member:
    """A unit of packed bytes; this one is a plain file from a byte on.

    Attributes:
        start: its first byte in the file.
        end: the byte behind it, once it is read completely.
    """

    def __init__(self, stream: BinaryIO, start: int) -> None:
        self.start = self.end = start
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return at most so many bytes; none at the end.

        Raises:
            BrokenMember: it cannot be unpacked.
        """
        self._stream.seek(self.end)
        data = self._stream.read(size)
        self.end += len(data)
        return data


class WarcFile:
    """A WARC or ARC file: plain, gzip or Zstandard, open for reading.

    Attributes:
        begin: the start of its first member.
        record: what each record begins with.
    """

    def __init__(self, file: Place) -> None:
        self.begin = 0
        self.record = RECORD
        self._dictionary: bytes | None = None
        self._left = _MOST_VAIN
        self._blocks = 0
        raw = file.open("rb", buffering=0)
        self.size = raw.seek(0, SEEK_END)
        self._stream = buffered(raw, file)
        head = self.bytes_at(0, _DICTIONARY_HEAD)
        size = int.from_bytes(head[len(_DICTIONARY) :], "little")
        if head.startswith(_DICTIONARY) and size <= _LONGEST_DICTIONARY:
            self.begin = len(head) + size
            self._dictionary = _dictionary(self.bytes_at(len(head), size))
        self.is_gzip, self._is_zstd = head.startswith(_GZIP), head.startswith(_ZSTD) or self.begin > 0
        name = file.name.lower()
        if ".arc" in name and not self._begins_record(self.begin):
            self.record = ARC_RECORD
        if not (self.is_packed or self._begins_record(0)):  # bytes before the first member hide its kind
            self.is_gzip, self._is_zstd = name.endswith(".gz"), name.endswith(".zst")
        self._magic = _GZIP_HEAD if self.is_gzip else _ZSTD_HEAD if self._is_zstd else at_line(self.record)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    @property
    def is_packed(self) -> bool:
        """Whether it has separately packed members."""
        return self.is_gzip or self._is_zstd

    def member(self, at: int) -> Member:
        """Return the member that begins at a byte.

        Raises:
            BrokenMember: no member begins there.
        """
        if self.is_gzip:
            return _GzipMember(self._stream, at)
        if not self._is_zstd:
            return Member(self._stream, at)
        end = _frame_end(self._stream, at, self._pass_block)
        return _ZstdFrame(self._stream, at, end, self._dictionary)

    def bytes_at(self, at: int, size: int) -> bytes:
        """Return some bytes of the file."""
        self._stream.seek(at)
        return self._stream.read(size)

    def end_of_run(self, at: int, last: int) -> int:
        """Return the end of the run of whole members from a byte on, or a byte beyond the last."""
        while at < last:
            unpacked, blocks, member = 0, self._blocks, None
            try:
                member = self.member(at)
                while data := member.read(_WINDOW):
                    unpacked += len(data)
            except BrokenMember:
                packed = member.end - at if member is not None else 0
                self._left -= max(unpacked, packed) + _BLOCK * (self._blocks - blocks)
                break
            at = member.end
        return at

    def behind_junk(self, at: int) -> int | None:
        """Return the start of the member behind a few bytes that are none; None if they may be a damaged one."""
        window = self.bytes_at(at, _LONGEST_JUNK)
        member = self._magic.search(window)
        junk = window[: member.start()] if member else b""
        is_harmless = len(junk) <= _SHORTEST_RECORD or not junk.strip(junk[:1])
        return at + len(junk) if junk and is_harmless and self._begins_record(at + len(junk)) else None

    def count_vain(self, size: int) -> None:
        """Count bytes that a search has read in vain: they cost less than unpacking as many."""
        self._left -= size // _READ

    @property
    def gave_up(self) -> bool:
        """Whether a search has ended early."""
        return self._left < 0

    def _pass_block(self) -> None:
        self._blocks += 1

    def seeming_records(self, start: int, end: int) -> Iterator[int]:
        """Yield the bytes of a range at which a record seems to begin, without proof.

        It ends early after unpacking too much in vain.
        """
        at = start
        while at < end:
            first = max(0, at - 1)  # for the pattern's look-behind
            window = self.bytes_at(first, _WINDOW + LONGEST_ARC_LINE)
            last = min(end, first + _WINDOW)
            while (match := self._magic.search(window, at - first)) and first + match.start() < last:
                self._left -= _VAIN
                if self.gave_up:
                    return
                if self._begins_record(first + match.start()):
                    yield first + match.start()
                else:
                    self._left -= _FIRST_BLOCK if self._is_zstd else _PIECE
                at = first + match.start() + 1
            at = max(at, last)

    def _begins_record(self, at: int) -> bool:
        """Return whether the first piece of a member begins as a record does."""
        piece = self.bytes_at(at, _PIECE)
        size = LONGEST_ARC_LINE if self.record is ARC_RECORD else _SHORTEST_LINE
        try:
            if self._is_zstd:
                end = _frame_end(self._stream, at, lambda: None, most_blocks=1)
                piece = _ZstdFrame(self._stream, at, end, self._dictionary).read(size)
            elif self.is_gzip:
                piece = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(piece, size)
        except Exception as error:
            return not fault(error)
        return self.record.match(piece) is not None


def at_line(record: re.Pattern[bytes]) -> re.Pattern[bytes]:
    """Return a pattern for a record at the start of a line."""
    return re.compile(rb"(?<=\n)" + record.pattern)


class _GzipMember(Member):
    def __init__(self, stream: BinaryIO, start: int) -> None:
        super().__init__(stream, start)
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def read(self, size: int) -> bytes:
        unpacker = self._unpacker
        while not unpacker.eof:
            packed = unpacker.unconsumed_tail or super().read(_PIECE)
            if not packed:
                raise BrokenMember("The file ends within it.", is_cut=True)
            try:
                data = unpacker.decompress(packed, size)
            except zlib.error as error:
                raise BrokenMember(f"It cannot be unpacked: {fault(error)}.") from None
            if unpacker.eof:
                self.end -= len(unpacker.unused_data)
            if data:
                return data
        return b""


class _ZstdFrame(Member):
    def __init__(self, stream: BinaryIO, start: int, end: int, dictionary: bytes | None) -> None:
        from fastwarc.stream_io import ZstdReader

        def read(at: int, size: int) -> bytes:
            stream.seek(start + at)
            return stream.read(size)

        super().__init__(stream, start)
        self.end = end
        self._unpacked: Any = ZstdReader(cast(BinaryIO, in_ranges(read, end - start)), dictionary=dictionary)

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._unpacked.read(size))
        except Exception as error:
            raise BrokenMember(f"It cannot be unpacked: {fault(error)}.") from None


def _dictionary(data: bytes) -> bytes | None:
    """Return a file's dictionary, which may be packed itself; None if it cannot be unpacked."""
    from fastwarc.stream_io import ZstdReader

    if not data.startswith(_ZSTD):
        return data
    with suppress(OSError):
        return bytes(ZstdReader(BytesIO(data)).read(_LONGEST_DICTIONARY))
    return None


def _frame_end(stream: BinaryIO, start: int, pass_block: Callable[[], None], most_blocks: int | None = None) -> int:
    """Return the end of a Zstandard frame or of its first blocks, by their lengths (RFC 8878, 3.1.1).

    It calls `pass_block` for each block.
    """
    stream.seek(start)
    head = stream.read(len(_ZSTD) + 1)
    if not head.startswith(_ZSTD) or len(head) <= len(_ZSTD) or head[-1] & 0b1000:
        raise BrokenMember("No Zstandard frame begins there.")
    flags = head[-1]
    is_single = flags >> 5 & 1
    size_bytes = (1 if is_single else 0, 2, 4, 8)[flags >> 6]
    at = start + len(head) + (0 if is_single else 1) + (0, 1, 2, 4)[flags & 3] + size_bytes
    is_last, blocks = False, 0
    while not is_last and blocks != most_blocks:
        blocks += 1
        pass_block()
        stream.seek(at)
        block = stream.read(3)
        if len(block) < 3:
            raise BrokenMember("The file ends within it.", is_cut=True)
        value = int.from_bytes(block, "little")
        is_last, kind = bool(value & 1), value >> 1 & 3
        if kind == _RESERVED_BLOCK:
            raise BrokenMember("It has a block of no known kind.")
        at += 3 + (1 if kind == _REPEATED_BLOCK else value >> 3)
    end = at + (4 if is_last and flags >> 2 & 1 else 0)
    stream.seek(end - 1)
    if not stream.read(1):
        raise BrokenMember("The file ends within it.", is_cut=True)
    return end
