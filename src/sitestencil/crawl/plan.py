"""Plan a crawl's job: the sizes of its parts by the size of its input, then its works by the pages that were read.

Units and partitions first grow in number, then in size, then in number again, so that neither their number nor the
number of their pairs explodes. A Ray cluster shuffles a large crawl in rounds: its store must hold a round's pages.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sitestencil.crawl.spill import partition_of
from sitestencil.crawl.work import PARTITION_BYTES, UNIT_BYTES, Work

# All sizes are of packed input.
_MOST_PARTITION_BYTES = 256 * 1024**2  # some 25,000 pages, whose texts are a file of 50 MB
_MOST_UNIT_BYTES = 1024**3
_ROUND_BYTES = 512 * 1024**3
# An input of more parts has larger ones, until they have their largest size.
_UNITS, _PARTITIONS = 4096, 512
_FEW_PARTITIONS = 8
_MOST_WORKS_OF_SITE = 64  # each of them looks at all addresses of its site


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes of a job's parts.

    Attributes:
        unit_bytes: the amount of a packed WARC for each unit.
        partitions: the number of partitions.
        rounds: the number of rounds in which a Ray cluster shuffles the pages.
    """

    unit_bytes: int
    partitions: int
    rounds: int


def plan_of(size: int, unit_bytes: int = UNIT_BYTES, partition_bytes: int = PARTITION_BYTES) -> Plan:
    """Return the plan for an input.

    Args:
        size: the size of the packed input in bytes.
        unit_bytes: the least amount for each unit.
        partition_bytes: the least amount for each partition; partitions of a small input are smaller, so that every
            core has work.
    """
    few = min(_FEW_PARTITIONS, _FEW_PARTITIONS * size // partition_bytes)
    of_partition = _grown(-(-size // _PARTITIONS), partition_bytes, _MOST_PARTITION_BYTES)
    of_unit = _grown(-(-size // _UNITS), unit_bytes, _MOST_UNIT_BYTES)
    return Plan(of_unit, max(1, few, -(-size // of_partition)), max(1, -(-size // _ROUND_BYTES)))


def _grown(share: int, least: int, most: int) -> int:
    return max(least, min(most, share))


def works_of(counts: Callable[[], Iterable[Mapping[str, int]]], partitions: int, large_site: int) -> list[Work]:
    """Return all works: one for each partition with pages, and several for each large site.

    The largest come first, so that no process ends with a large one. Not even the names of all sites fit in memory,
    so sites are only counted in partitions that are much larger than others.

    Args:
        counts: yields the number of pages of each site, for each unit.
        partitions: the number of partitions.
        large_site: a site with more pages is split, if it also has more than two usual partitions.
    """
    pages: Counter[int] = Counter()
    for of_unit in counts():
        for site, count in of_unit.items():
            pages[partition_of(site, partitions)] += count
    large_site = max(large_site, 2 * pages.total() // partitions)
    works: list[Work] = []
    large: dict[int, list[str]] = {}
    for site, count in sorted(_large_sites(counts, pages, partitions, large_site).items()):
        partition = partition_of(site, partitions)
        large.setdefault(partition, []).append(site)
        pages[partition] -= count
        share = max(large_site, -(-count // _MOST_WORKS_OF_SITE))
        for first in range(0, count, share):
            last = min(first + share, count)
            works.append(Work(partition, last - first, site, first, last, site_pages=count))
    for partition, count in sorted(pages.items()):
        if count:
            works.append(Work(partition, count, large=tuple(large.get(partition, ()))))
    # If there is nothing to do, one work writes the empty tables.
    return sorted(works, key=lambda work: -work.pages) or [Work(0)]


def _large_sites(
    counts: Callable[[], Iterable[Mapping[str, int]]], pages: Counter[int], partitions: int, large_site: int
) -> dict[str, int]:
    skewed = {partition for partition, count in pages.items() if count > large_site}
    if not skewed:
        return {}
    sites: Counter[str] = Counter()
    for of_unit in counts():
        for site, count in of_unit.items():
            if partition_of(site, partitions) in skewed:
                sites[site] += count
    return {site: count for site, count in sites.items() if count > large_site}


def rounds_of(works: Sequence[Work], rounds: int) -> list[list[Work]]:
    """Divide works among rounds of about as many pages each."""
    most = -(-sum(work.pages for work in works) // rounds)
    divided: list[list[Work]] = []
    pages = most
    for work in works:
        if pages >= most:
            divided.append([])
            pages = 0
        divided[-1].append(work)
        pages += work.pages
    return divided


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """The progress of a job.

    Attributes:
        stage: ``reading`` while the input is parted by site, then ``extracting``, and ``comparing`` with an earlier
            crawl; of a site from the web ``loading`` first.
        done: the number of finished units, pages or partitions.
        total: the number of all of them.
        pages: the number of pages in the output so far.
    """

    stage: Literal["reading", "extracting", "comparing", "loading"]
    done: int
    total: int
    pages: int


Report = Callable[[CrawlProgress], None]
