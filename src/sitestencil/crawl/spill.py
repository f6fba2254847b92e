"""Part pages by site: spill them in the order of the input, and read them again site by site.

A piece holds the packed pages of one unit in the order read, and an index by partition. A partition holds whole
sites, chosen by a hash of their names. Pieces are files, or bytes that an engine passes on.
"""

import os
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar
from uuid import uuid4

import msgspec
import pyarrow as pa
from xxhash import xxh3_64_intdigest

from sitestencil.errors import UnusableOutput
from sitestencil.site.sources.crawl_input import Unit, read_unit
from sitestencil.site.sources.crawled import NO_RECORD, CrawlPage, Record, Skipped, site_of
from sitestencil.site.sources.warc import Bounds

_CODEC = "lz4_raw"
_MOST_OPEN = 32
_ARRAY = b"\xdd"  # of MessagePack: a 32-bit count follows
_T = TypeVar("_T")


class Entry(NamedTuple):
    """The position of a page in a piece, and its data except the HTML."""

    site: str
    url: str
    source: str
    offset: int
    charset: str | None
    start: int
    packed: int
    size: int
    record: Record = NO_RECORD


def partition_of(site: str, partitions: int) -> int:
    """Return a site's partition, which is the same on every machine."""
    return xxh3_64_intdigest(site.encode("utf-8", "surrogatepass")) % partitions


def packed_pages(unit: Unit, partitions: int, bounds: Bounds) -> Iterator[tuple[int, Entry, bytes] | Skipped]:
    """Yield each page of a unit with its partition, packed; the caller sets the entry's start."""
    for record in read_unit(unit, bounds):
        if isinstance(record, Skipped):
            yield record
            continue
        site = site_of(record.url)
        packed = pa.compress(record.html, _CODEC, asbytes=True)
        place = site, record.url, record.source, record.offset, record.charset
        entry = Entry(*place, 0, len(packed), len(record.html), record.record)
        yield partition_of(site, partitions), entry, packed


def page_of(entry: Entry, packed: bytes) -> CrawlPage:
    """Unpack a page."""
    html = pa.decompress(packed, entry.size, _CODEC, asbytes=True)
    return CrawlPage(entry.url, html, entry.source, entry.offset, entry.charset, entry.record)


def spill_unit(unit: Unit, partitions: int, folder: Path, number: int) -> None:
    """Write a unit's piece into files; the index comes last, so it marks a complete piece."""
    of_partitions = [_Encoded() for _ in range(partitions)]
    skipped, counts = _Encoded(), Counter[str]()
    data, at, bounds = folder / f"{number:06}.pages", 0, Bounds()
    with temporary(data) as file, file.open("wb") as stream:
        for record in packed_pages(unit, partitions, bounds):
            if isinstance(record, Skipped):
                skipped.add(record)
                continue
            partition, entry, packed = record
            of_partitions[partition].add(entry._replace(start=at))
            counts[entry.site] += 1
            at += stream.write(packed)
    parts = [part.array() for part in (*of_partitions, skipped)]
    parts += [msgspec.msgpack.encode(counts), msgspec.msgpack.encode(bounds)]
    ends = list(accumulate(map(len, parts)))
    with temporary(index_file(folder, number)) as file:
        file.write_bytes(b"".join([struct.pack(f"<{len(ends)}Q", *ends), *parts]))


class _Encoded:
    """An array of MessagePack that encodes each value at once: objects would take several times the memory."""

    def __init__(self) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._data = bytearray()
        self._count = 0

    def add(self, value: object) -> None:
        self._data += self._encoder.encode(value)
        self._count += 1

    def array(self) -> bytes:
        return b"".join([_ARRAY, struct.pack(">I", self._count), self._data])


def index_file(folder: Path, number: int) -> Path:
    """Return the file of a piece's index."""
    return folder / f"{number:06}.index"


class temporary:  # noqa: N801 - used like a function
    """Give a temporary name for a file; rename the file when the block succeeds."""

    def __init__(self, file: Path) -> None:
        self._file = file
        # Readers of tables ignore names that begin with a dot.
        self._other = file.with_name(f".{file.name}.{uuid4().hex}.part")

    def __enter__(self) -> Path:
        return self._other

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._other.replace(self._file)
        else:
            with suppress(OSError):
                self._other.unlink()


def damaged(file: Path) -> UnusableOutput:
    """Return the error for a damaged file of a job's state."""
    folder = next((parent.parent for parent in file.parents if parent.name == ".work"), file.parent)
    return UnusableOutput(
        f"{file} is damaged, so this crawl cannot go on. Delete {folder}, and run the same command again."
    )


def _opened(file: Path, flags: int) -> int:
    try:
        return os.open(file, flags)
    except FileNotFoundError:
        raise damaged(file) from None


class SpilledPages(Protocol):
    """The spilled pages, wherever they are."""

    def entries(self, partition: int) -> Iterator[tuple[int, Entry]]:
        """Yield a partition's pages, each with the number of its piece, in the order of the input."""
        ...

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class SpilledFiles:
    """The pieces of all units in a folder; few files are open at a time.

    Args:
        folder: the folder of the pieces.
        count: the number of pieces.
        partitions: the number of partitions.
    """

    def __init__(self, folder: Path, count: int, partitions: int) -> None:
        self._folder = folder
        self._partitions = partitions
        self._count = count
        self._open: dict[int, int] = {}

    def entries(self, partition: int) -> Iterator[tuple[int, Entry]]:
        """Yield a partition's pages, each with the number of its piece, in the order of the input."""
        for number in range(self._count):
            for entry in self._part(number, partition, list[Entry]):
                yield number, entry

    def skipped(self, number: int) -> list[Skipped]:
        """Return the records of a unit that are not pages."""
        return self._part(number, self._partitions, list[Skipped])

    def counts(self, number: int) -> dict[str, int]:
        """Return the number of a unit's pages by site."""
        return self._part(number, self._partitions + 1, dict[str, int])

    def bounds(self, number: int) -> Bounds:
        """Return the range of the file that a unit was read from."""
        return self._part(number, self._partitions + 2, Bounds)

    def _part(self, number: int, part: int, kind: type[_T]) -> _T:
        parts, file = self._partitions + 3, index_file(self._folder, number)
        with file.open("rb") as index:
            try:
                ends = (0, *struct.unpack(f"<{parts}Q", index.read(8 * parts)))
                index.seek(8 * parts + ends[part])
                return msgspec.msgpack.decode(index.read(max(0, ends[part + 1] - ends[part])), type=kind)
            except (struct.error, ValueError, OverflowError, MemoryError):
                raise damaged(file) from None

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        pages = self._folder / f"{number:06}.pages"
        file = self._open.get(number)
        if file is None:
            if len(self._open) >= _MOST_OPEN:
                os.close(self._open.pop(next(iter(self._open))))
            flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)  # on Windows
            file = self._open[number] = _opened(pages, flags)
        os.lseek(file, entry.start, os.SEEK_SET)
        packed = os.read(file, entry.packed)
        try:
            return page_of(entry, packed)
        except (OSError, ValueError):  # pyarrow's error, though no disk is involved
            raise damaged(pages) from None

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            os.close(file)
        self._open.clear()
