"""The files in a WACZ, a zip file: stored ones are read where they are, packed ones from a temporary copy."""

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO, Self, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from sitestencil.crawl.input.crawled import fault
from sitestencil.crawl.input.places import Found, Place, RemotePath
from sitestencil.crawl.input.stores import Info, in_ranges

_MOST_DIRECTORY = 1 << 24
_LOCAL_HEAD = 30
_IS_ENCRYPTED = 1
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
        copy = cast(BinaryIO, tempfile.TemporaryFile(buffering=buffering))  # noqa: SIM115 - the caller closes it
        self._unpack(copy)
        copy.seek(0)
        return copy

    def missing(self) -> str:
        """Return why its end is missing when it is read, as the end of a sentence; nothing if it is whole."""
        if not self.is_packed:
            return ""
        with Path(os.devnull).open("wb") as nowhere:
            return self._unpack(nowhere)

    def _unpack(self, target: BinaryIO) -> str:
        try:
            with _opened(self.file) as files, files.open(self.key) as data:
                shutil.copyfileobj(data, target)
        except Exception as error:
            return fault(error)
        return ""

    def _stored(self, at: int, size: int) -> bytes:
        with self.file.open("rb", buffering=0) as file:
            file.seek(self.start + at)
            return file.read(size)


def files_of(wacz: Found) -> list[tuple[Found, bool]]:
    """Return the files in a WACZ, each with whether it can be read.

    It cannot if it overlaps another, is encrypted, or unpacks to more than 256 MiB and twice its size. A damaged
    WACZ has no files, and neither has one with a list of more than 16 MiB.
    """
    try:
        return list(_listed(wacz))
    except Exception as error:
        fault(error)
        return []


def _listed(wacz: Found) -> Iterator[tuple[Found, bool]]:
    with _opened(wacz.place) as files:
        end, size = 0, cast(BinaryIO, files.fp).seek(0, SEEK_END)
        for info in sorted(files.infolist(), key=lambda info: info.header_offset):
            start = _start_of(files, info)
            most = max(_MOST_UNPACKED, _MOST_TIMES * info.compress_size)
            is_packed = info.compress_type == ZIP_DEFLATED and info.file_size <= most
            is_open = (is_packed or info.compress_type == ZIP_STORED) and not info.flag_bits & _IS_ENCRYPTED
            is_there = end <= start <= start + info.compress_size <= size
            place = InZip("zip:", info.filename, "", wacz.place, start, info.compress_size, is_packed)
            there = Info(info.file_size if is_packed else info.compress_size, wacz.info.stamp)
            yield Found(place, there, info.filename), is_open and is_there
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
