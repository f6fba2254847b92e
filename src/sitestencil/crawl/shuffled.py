"""The pages of a crawl as rows of tables, which a cluster shuffles by their work."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from sitestencil.crawl.input.crawl_input import Unit, as_read
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.job import Job
from sitestencil.crawl.spill import Entry, Located, UnitRead, packed_page, page_of, partition_of
from sitestencil.crawl.work import Work, is_sampled

_BLOCK_BYTES = 32 * 1024 * 1024
PAGES = pa.schema(
    [
        ("work", pa.int32()),
        ("unit", pa.int32()),
        ("number", pa.int64()),
        ("entry", pa.binary()),
        ("packed", pa.large_binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class Route:
    """The works that need a page.

    Attributes:
        partitions: the number of partitions.
        of_partition: the work of each partition.
        of_site: the works of each large site; none if it has them in another round.
    """

    partitions: int
    of_partition: dict[int, int]
    of_site: dict[str, list[tuple[int, Work]]]

    @classmethod
    def of(cls, works: Sequence[Work], partitions: int) -> "Route":
        """Return the route to some works."""
        route = cls(partitions, {}, {site: [] for work in works for site in work.large})
        for number, work in enumerate(works):
            if work.site is None:
                route.of_partition[work.partition] = number
            else:
                route.of_site.setdefault(work.site, []).append((number, work))
        return route

    def to(self, site: str, page: CrawlPage, number: int) -> Iterator[int]:
        """Yield the number of each work that needs a page: as its own, or to learn from.

        Args:
            site: the page's site.
            page: the page.
            number: its number in a large site.
        """
        if site not in self.of_site:
            work_number = self.of_partition.get(partition_of(site, self.partitions))
            if work_number is not None:
                yield work_number
            return
        for work_number, work in self.of_site[site]:
            if work.first <= number < work.last or is_sampled(page, work.site_pages):
                yield work_number


_Task = tuple[int, Unit, dict[str, int]]


def tasks_of(job: Job, route: Route) -> Iterator[_Task]:
    """Yield each unit with its number, and the number of each large site's first page in it."""
    firsts: Counter[str] = Counter()
    for number, (unit, read) in enumerate(zip(job.units, job.reads(), strict=True)):
        known = as_read(unit, read.bounds)
        if known is not None:
            yield number, known, {site: firsts[site] for site in route.of_site.keys() & read.counts.keys()}
        firsts.update({site: read.counts[site] for site in route.of_site.keys() & read.counts.keys()})


def pages_of(batch: pa.Table, tasks: Sequence[_Task], route: Route) -> Iterator[pa.Table]:
    """Yield the pages of units, packed, in a row for each work that needs them."""
    encode = msgspec.msgpack.encode
    for task in batch["item"].to_pylist():
        unit_number, unit, firsts = tasks[task]
        numbers = Counter(firsts)
        rows: list[tuple[Any, ...]] = []
        size = 0
        for site, page in UnitRead().pages(unit):
            number = numbers[site]
            numbers[site] += 1
            works = list(route.to(site, page, number))
            if works:
                entry, packed = packed_page(site, page)
                rows += [(work, unit_number, number, encode(entry), packed) for work in works]
                size += len(packed) * len(works)
            if size >= _BLOCK_BYTES:
                yield _table(rows)
                rows, size = [], 0
        yield _table(rows)


def _table(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else [()] * len(PAGES)
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(columns, PAGES.types, strict=True)], schema=PAGES
    )


class ShuffledPages:
    """The pages of a work as rows of a table.

    Args:
        rows: the table.
    """

    def __init__(self, rows: pa.Table) -> None:
        self._rows = rows
        order = pc.sort_indices(rows, sort_keys=[("unit", "ascending"), ("number", "ascending")])
        self._order: list[int] = order.to_pylist()

    def entries(self, _partition: int) -> Iterator[Located]:
        """Yield each page with the number of its row, in the order of the input."""
        for row in self._order:
            yield row, msgspec.msgpack.decode(self._rows["entry"][row].as_py(), type=Entry)

    def of_site(self, partition: int, _site: str) -> Iterator[tuple[int, Located]]:
        """Yield the pages of a large site, each with its number in the site."""
        for located in self.entries(partition):
            yield self._rows["number"][located[0]].as_py(), located

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        return page_of(entry, self._rows["packed"][number].as_buffer())
