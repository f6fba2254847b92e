"""What a WARC's records are read from: a stretch of a file, or a file that was packed as one, unpacked on the way.

The usual packed WARC has each record packed for itself, so that reading may begin at any. Others were packed whole,
as ``gzip crawl.warc`` does: in these a record is only found by unpacking all before it.
"""

from itertools import islice, pairwise
from typing import Any, BinaryIO, Protocol

from sitestencil.errors import PackageMissing

GZIP, ZSTD, PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1."
CANNOT_BE_READ = (OSError, ValueError, EOFError, RuntimeError)
_PIECE = 1 << 16
_LOOKED_AT = 4  # records by which a file is judged


class Stream(Protocol):
    """What records are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """Return so many bytes, or fewer at the end."""
        ...

    def seek(self, at: int, /) -> int:
        """Go to a byte."""
        ...

    def tell(self) -> int:
        """Return the number of the next byte."""
        ...


class Stretch:
    """A file that ends for its reader before a byte.

    Args:
        stream: the file.
        end: the byte; None: it ends where it ends.
    """

    def __init__(self, stream: Stream, end: int | None) -> None:
        self._stream = stream
        self._end = end
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int = -1, /) -> bytes:
        """Return so many bytes, or fewer at the end."""
        if self._end is None:
            return self._stream.read(size)
        left = max(0, self._end - self._stream.tell())
        return self._stream.read(min(size, left) if size >= 0 else left)


class Unpacked:
    """A file that is packed as one, as it is unpacked; to go back is to begin anew.

    What cannot be unpacked is told once, by an error; afterwards the file ends there.

    Args:
        stream: the file.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._broken_at: int | None = None
        self._begin()

    def _begin(self) -> None:
        self._stream.seek(0)
        self._reader = _unpacking(self._stream)
        self._at = 0

    def read(self, size: int = -1, /) -> bytes:
        """Return so many bytes, or fewer at the end.

        Raises:
            OSError: they cannot be unpacked.
        """
        if self._broken_at is not None:
            size = min(size, self._broken_at - self._at) if size >= 0 else self._broken_at - self._at
        try:
            data = bytes(self._reader.read(size)) if size else b""
        except OSError:
            self._broken_at = self._at
            raise
        self._at += len(data)
        return data

    def seek(self, at: int, /) -> int:
        """Go to a byte."""
        if at < self._at:
            self._begin()
        while self._at < at and self.read(min(_PIECE, at - self._at)):
            pass
        return self._at

    def tell(self) -> int:
        """Return the number of the next byte."""
        return self._at


def is_packed_as_one(stream: BinaryIO) -> bool:
    """Return whether a file was packed whole: its first records begin in the middle of what is packed together."""
    return _is_packed(stream) and not _begin_each(stream)


def is_packed_by_record(stream: BinaryIO) -> bool:
    """Return whether each record is packed for itself, as far as the first ones tell."""
    return _is_packed(stream) and _begin_each(stream)


def _is_packed(stream: BinaryIO) -> bool:
    stream.seek(0)
    return stream.read(len(PLAIN)).startswith((GZIP, ZSTD))


def _begin_each(stream: BinaryIO) -> bool:
    try:
        starts = [record.stream_pos for record in islice(records(stream, 0), _LOOKED_AT)]
    except CANNOT_BE_READ:
        return True  # to read on behind what is broken is possible only where records are packed for themselves
    return all(one < other and begins_record(stream, other) for one, other in pairwise(starts))


def begins_record(stream: Stream, at: int) -> bool:
    """Return whether what is packed for itself, and is a record, begins at a byte."""
    return _first_bytes(stream, at) == PLAIN


def is_beginning(stream: Stream, at: int) -> bool:
    """Return whether what is packed at a byte ends within the first bytes of a record."""
    first = _first_bytes(stream, at)
    return first not in (PLAIN, b"") and PLAIN.startswith(first)


def _first_bytes(stream: Stream, at: int) -> bytes:
    stream.seek(at)
    try:
        return bytes(_unpacking(stream).read(len(PLAIN)))
    except CANNOT_BE_READ:
        return b""


def _unpacking(stream: Any) -> Any:  # noqa: ANN401 - fastwarc's types ask for more than it uses
    from fastwarc.stream_io import GzipReader, ZstdReader

    at = stream.tell()
    magic = stream.read(len(ZSTD))
    stream.seek(at)
    return ZstdReader(stream) if magic.startswith(ZSTD) else GzipReader(stream)


def records(stream: Any, at: int) -> Any:  # noqa: ANN401 - fastwarc's types ask for more than it uses
    """Return an iterator of the records from a byte on.

    Raises:
        PackageMissing: fastwarc is not installed.
    """
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise PackageMissing("WARC files are read with fastwarc.", "crawl") from None
    stream.seek(at)
    return iter(ArchiveIterator(stream, record_types=WarcRecordType.any_type, parse_http=True, auto_decode="all"))
