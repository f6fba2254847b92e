"""The files in a WACZ, a zip file: stored ones are read where they are, packed ones from a temporary copy."""

import io
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import BinaryIO, Self, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from sitestencil.crawl.input.places import Found, Place, RemotePath
from sitestencil.crawl.input.stores import Info, in_ranges

_MOST_DIRECTORY = 1 << 24
_LOCAL_HEAD = 30
_IS_ENCRYPTED = 1
_BROKEN = (BadZipFile, EOFError, KeyError, NotImplementedError, ValueError, struct.error, zlib.error)
# A WARC in a zip is mostly packed already, so that it hardly unpacks to more.
_MOST_UNPACKED, _MOST_TIMES = 1 << 28, 2


@dataclass(frozen=True, slots=True)
class InZip(RemotePath):
    """A file in a zip file; its key is its path there.

    Attributes:
        file: the zip file.
        start: the first of its bytes there.
        size: their number.
        is_packed: whether they are packed.
    """

    file: Place
    start: int
    size: int
    is_packed: bool

    def __str__(self) -> str:
        """Return its path, below that of the zip file."""
        return f"{self.file}/{self.key}"

    def resolve(self) -> Self:
        """Return it in the zip file's real place."""
        return replace(self, file=self.file.resolve())

    def open(self, _mode: str = "rb", buffering: int = 0) -> BinaryIO:
        """Open the file for reading; what cannot be unpacked is missing at its end."""
        if not self.is_packed:
            return cast(BinaryIO, in_ranges(self._stored, self.size))
        copy = tempfile.TemporaryFile(buffering=buffering)  # noqa: SIM115 - the caller closes it
        with suppress(*_BROKEN), _opened(self.file) as files, files.open(self.key) as data:
            shutil.copyfileobj(data, copy)
        copy.seek(0)
        return cast(BinaryIO, copy)

    def _stored(self, at: int, size: int) -> bytes:
        with self.file.open("rb", buffering=0) as file:
            file.seek(self.start + at)
            return file.read(size)


def files_of(wacz: Found) -> Iterator[tuple[Found, bool]]:
    """Yield the files in a WACZ, each with whether it can be read.

    It cannot if it overlaps another, is encrypted, or unpacks to more than 256 MiB and twice its size. A damaged
    WACZ has no files, and neither has one with a list of more than 16 MiB.
    """
    with suppress(*_BROKEN), _opened(wacz.place) as files:
        end = 0
        for info in sorted(files.infolist(), key=lambda info: info.header_offset):
            start = _start_of(files, info)
            most = max(_MOST_UNPACKED, _MOST_TIMES * info.compress_size)
            is_packed = info.compress_type == ZIP_DEFLATED and info.file_size <= most
            is_open = (is_packed or info.compress_type == ZIP_STORED) and not info.flag_bits & _IS_ENCRYPTED
            place = InZip("zip:", info.filename, "", wacz.place, start, info.compress_size, is_packed)
            yield Found(place, Info(info.file_size, wacz.info.stamp), info.filename), is_open and start >= end
            end = max(end, start + info.compress_size)


def _start_of(files: ZipFile, info: ZipInfo) -> int:
    """Return the first byte of a file: it follows its name and an extra field."""
    file = cast(BinaryIO, files.fp)
    file.seek(info.header_offset)
    head = file.read(_LOCAL_HEAD)
    return info.header_offset + _LOCAL_HEAD + sum(int.from_bytes(head[at : at + 2], "little") for at in (26, 28))


@contextmanager
def _opened(file: Place) -> Iterator[ZipFile]:
    with _Short(cast(io.RawIOBase, file.open("rb", buffering=0))) as stream, ZipFile(stream) as files:
        yield files


class _Short(io.BufferedReader):
    """A file of which nobody reads much at a time: zipfile reads the directory at once."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > _MOST_DIRECTORY:
            raise BadZipFile
        return super().read(size)
