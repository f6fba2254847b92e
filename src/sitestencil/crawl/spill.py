"""Part pages by site: spill them in the order of the input, and read them again site by site.

A piece holds the packed pages of one unit in the order read, and an index by partition. A partition holds whole
sites, chosen by a hash of their names. `UnitRead` and a file of skipped records hold all else of a unit.
"""

import os
import struct
from collections.abc import Iterator
from itertools import accumulate
from typing import BinaryIO, NamedTuple, Protocol, Self

import msgspec
import pyarrow as pa
from xxhash import xxh3_64_intdigest

from sitestencil.crawl.input.crawled import KILLED, NO_RECORD, CrawlPage, MayBegin, Record, Skipped, always
from sitestencil.crawl.input.places import Place, write_place, written
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import Unit
from sitestencil.crawl.input.warc import Bounds
from sitestencil.crawl.notes import Notes
from sitestencil.errors import UnusableOutput
from sitestencil.page.memory_limit import memory_limit

_CODEC = "lz4_raw"
_MOST_OPEN = 32
_ARRAY = b"\xdd"  # of MessagePack: a 32-bit count follows


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


class UnitRead(msgspec.Struct):
    """A unit that was read, without its pages and skipped records.

    Attributes:
        bounds: the range of the file that was read.
        counts: the number of pages of each site.
        killed: the file and position of each record that is left out since reading it ended a process.
    """

    bounds: Bounds = msgspec.field(default_factory=Bounds)
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    killed: set[tuple[str, int]] = msgspec.field(default_factory=set)

    def pages(
        self, unit: Unit, may_begin: MayBegin = always, skipped: BinaryIO | None = None
    ) -> Iterator[tuple[str, CrawlPage]]:
        """Read the unit: yield each page with its site, and write each skipped record as a line of JSON."""
        for record in read_unit(unit, self.bounds, may_begin):
            if isinstance(record, CrawlPage):
                site = record.site
                self.counts[site] = self.counts.get(site, 0) + 1
                yield site, record
                continue
            if skipped is not None:
                skipped.write(msgspec.json.encode(record) + b"\n")
            if record.reason == KILLED:
                self.killed.add((record.source, record.offset))

    def write(self, folder: Place, number: int) -> None:
        """Write it into a file."""
        write_place(read_file(folder, number), msgspec.msgpack.encode(self))

    @classmethod
    def of(cls, folder: Place, number: int) -> Self:
        """Return it for a unit that was read."""
        file = read_file(folder, number)
        try:
            return msgspec.msgpack.decode(file.read_bytes(), type=cls)
        except (FileNotFoundError, ValueError, OverflowError, MemoryError):
            raise damaged(file) from None


def packed_page(site: str, page: CrawlPage, start: int = 0) -> tuple[Entry, bytes]:
    """Return a page's entry and its packed HTML, which is to begin at this byte of a piece."""
    packed = pa.compress(page.html, _CODEC, asbytes=True)
    place = site, page.url, page.source, page.offset, page.charset
    return Entry(*place, start, len(packed), len(page.html), page.record), packed


def page_of(entry: Entry, packed: bytes | pa.Buffer) -> CrawlPage:
    """Unpack a page."""
    html = pa.decompress(packed, entry.size, _CODEC, asbytes=True)
    return CrawlPage(entry.url, html, entry.source, entry.offset, entry.charset, entry.record)


def spill_unit(unit: Unit, partitions: int, folder: Place, number: int, notes: Notes) -> None:
    """Read a unit, and write its piece into files; the index comes last, so it marks a complete piece."""
    of_partitions = [_Encoded() for _ in range(partitions)]
    data, at, read = folder / f"{number:06}.pages", 0, UnitRead()
    with (
        memory_limit(),
        notes.of_unit(number) as note,
        written(_skipped_file(folder, number)) as skipped,
        written(data) as stream,
    ):
        for site, page in read.pages(unit, note.may_read, skipped):
            entry, packed = packed_page(site, page, at)
            of_partitions[partition_of(site, partitions)].add(entry)
            at += stream.write(packed)
    parts = [part.array() for part in of_partitions]
    ends = list(accumulate(map(len, parts), initial=0))
    read.write(folder, number)
    write_place(index_file(folder, number), b"".join([struct.pack(f"<{len(ends)}Q", *ends), *parts]))


def count_unit(unit: Unit, folder: Place, number: int, notes: Notes) -> None:
    """Read a unit without keeping its pages."""
    read = UnitRead()
    with memory_limit(), notes.of_unit(number) as note, written(_skipped_file(folder, number)) as skipped:
        for _ in read.pages(unit, note.may_read, skipped):
            pass
    read.write(folder, number)


class _Encoded:
    """An array of MessagePack that encodes each value at once: objects would take several times the memory."""

    _encoder = msgspec.msgpack.Encoder()

    def __init__(self) -> None:
        self._data = bytearray()
        self._count = 0

    def add(self, value: object) -> None:
        self._data += self._encoder.encode(value)
        self._count += 1

    def array(self) -> bytes:
        return b"".join([_ARRAY, struct.pack(">I", self._count), self._data])


def index_file(folder: Place, number: int) -> Place:
    """Return the file of a piece's index."""
    return folder / f"{number:06}.index"


def read_file(folder: Place, number: int) -> Place:
    """Return the file of a unit that was read."""
    return folder / f"{number:06}.read"


def _skipped_file(folder: Place, number: int) -> Place:
    return folder / f"{number:06}.skipped"


def skipped_of(folder: Place, number: int) -> Iterator[Skipped]:
    """Yield the skipped records of a unit that was read."""
    file, decoder = _skipped_file(folder, number), msgspec.json.Decoder(Skipped)
    try:
        with file.open("rb") as lines:
            yield from map(decoder.decode, lines)
    except (FileNotFoundError, ValueError):
        raise damaged(file) from None


def damaged(file: Place) -> UnusableOutput:
    """Return the error for a damaged file of a job's state."""
    folder = next((parent.parent for parent in file.parents if parent.name == ".work"), file.parent)
    return UnusableOutput(
        f"{file} is damaged, so this crawl cannot go on. Delete {folder}, and run the same command again."
    )


def _opened(file: Place, flags: int) -> int:
    try:
        return os.open(str(file), flags)
    except FileNotFoundError:
        raise damaged(file) from None


Located = tuple[int, Entry]


class SpilledPages(Protocol):
    """The spilled pages, wherever they are."""

    def entries(self, partition: int) -> Iterator[Located]:
        """Yield a partition's pages, each with the number of its piece, in the order of the input."""
        ...

    def of_site(self, partition: int, site: str) -> Iterator[tuple[int, Located]]:
        """Yield the pages of a large site, each with its number in the site."""
        ...

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        ...


class SpilledFiles:
    """The pieces of all units in a folder; few files are open at a time.

    Args:
        folder: the folder of the pieces.
        count: the number of pieces.
        partitions: the number of partitions.
    """

    def __init__(self, folder: Place, count: int, partitions: int) -> None:
        self._folder = folder
        self._partitions = partitions
        self._count = count
        self._open: dict[int, int] = {}

    def entries(self, partition: int) -> Iterator[Located]:
        """Yield a partition's pages, each with the number of its piece, in the order of the input."""
        for number in range(self._count):
            for entry in self._part(number, partition):
                yield number, entry

    def of_site(self, partition: int, site: str) -> Iterator[tuple[int, Located]]:
        """Yield the pages of a large site, each with its number in the site."""
        return enumerate(located for located in self.entries(partition) if located[1].site == site)

    def _part(self, number: int, partition: int) -> list[Entry]:
        file = index_file(self._folder, number)
        with file.open("rb") as index:
            try:
                index.seek(8 * partition)
                start, end = struct.unpack("<2Q", index.read(16))
                index.seek(8 * (self._partitions + 1) + start)
                return msgspec.msgpack.decode(index.read(max(0, end - start)), type=list[Entry])
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
