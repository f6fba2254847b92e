import gc
import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.support.crawls import small_crawl

from sitestencil.crawl import work as crawl_work
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.input.reading import proven_again
from sitestencil.crawl.job import open_job
from sitestencil.crawl.plan import rounds_of, works_of
from sitestencil.crawl.ray_engine import Route, ShuffledPages, pages_of, tasks_of
from sitestencil.crawl.spill import Entry, Located, SpilledPages, spill_unit
from sitestencil.crawl.work import Options, Work, is_sampled


class ManyEntries:
    """A large site's pages, of which the addresses alone are asked for; it counts those that are held."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.most_held = 0

    def entries(self, _partition: int) -> Iterator[tuple[int, Entry]]:
        held: weakref.WeakSet[_Address] = weakref.WeakSet()
        for number in range(self.pages):
            site = "other.example" if number % 5 == 4 else "large.example"
            address = _Address(f"https://{site}/{number}")
            held.add(address)
            self.most_held = max(self.most_held, len(held))
            yield 0, Entry(site, address, "a.warc", number, None, 0, 0, 0)

    def of_site(self, partition: int, site: str) -> Iterator[tuple[int, Located]]:
        return enumerate(located for located in self.entries(partition) if located[1].site == site)

    def page(self, number: int, entry: Entry) -> CrawlPage:
        raise NotImplementedError


class _Address(str):
    """A text whose end can be seen."""

    __slots__ = ("__weakref__",)


def test_a_work_of_a_large_site_holds_its_own_pages_and_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_work, "_SAMPLED", 30)
    spilled = ManyEntries(5000)
    gc.collect()
    ((site, own, sample),) = crawl_work._parts_of(Work(0, 50, "large.example", 100, 150, site_pages=4000), spilled)
    of_site = [located for located in ManyEntries(5000).entries(0) if located[1].site == "large.example"]
    assert site == "large.example"
    assert own == of_site[100:150]
    assert sample == [located for located in of_site if is_sampled(located[1], 4000)]
    assert 15 < len(sample) < 45
    assert spilled.most_held < 100


def test_shuffled_pages_are_those_of_the_files_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_work, "_SAMPLED", 4)
    small_crawl(tmp_path / "crawl.warc.gz")
    job = open_job(
        [tmp_path / "crawl.warc.gz"],
        tmp_path / "out",
        Options(large_site=5, partition_bytes=2_000, unit_bytes=4_000),
    )
    for number, unit in enumerate(job.units):
        spill_unit(unit, job.partitions, job.spill, number, job.notes)
    for number, unit in proven_again(job.units, lambda number: job.read(number).bounds):
        spill_unit(unit, job.partitions, job.spill, number, job.notes)
    works = works_of(lambda: (read.counts for read in job.reads()), job.partitions, 5)
    assert len([work for work in works if work.site]) > 6
    for part in rounds_of(works, 3):
        route = Route.of(part, job.partitions)
        tasks = list(tasks_of(job, route))
        rows = pa.concat_tables(reversed(list(pages_of(pa.table({"item": range(len(tasks))}), tasks, route))))
        for number, work in enumerate(part):
            shuffled = ShuffledPages(rows.filter(pc.equal(rows["work"], number)))
            assert parts(work, shuffled) == parts(work, job.spilled())


def parts(work: Work, spilled: SpilledPages) -> list[tuple[str, list[CrawlPage], list[CrawlPage]]]:
    """Return the pages of a work: its own and its sample, of each site."""
    return [
        (site, [spilled.page(*one) for one in own], [spilled.page(*one) for one in sample])
        for site, own, sample in crawl_work._parts_of(work, spilled)
    ]


def test_the_names_of_files_hold_only_numbers_and_hashes() -> None:
    names = [Work(3).name, Work(3, 1, "../../etc/\ud800.example", 2).name]
    assert [name for name in names if not re.fullmatch(r"[0-9a-f-]+", name)] == []
