import gc
import re
import weakref
from collections.abc import Iterator

import pytest

from sitestencil.crawl import work as crawl_work
from sitestencil.crawl.spill import Entry
from sitestencil.crawl.work import Work
from sitestencil.site.sources.crawled import CrawlPage


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

    def page(self, number: int, entry: Entry) -> CrawlPage:
        raise NotImplementedError

    def close(self) -> None: ...


class _Address(str):
    """A text whose end can be seen."""

    __slots__ = ("__weakref__",)


def test_a_work_of_a_large_site_holds_its_own_pages_and_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_work, "_MOST_SAMPLED", 30)
    spilled = ManyEntries(5000)
    gc.collect()
    ((site, own, sample),) = crawl_work._parts_of(Work(0, 50, "large.example", 100, 150), spilled)
    of_site = [located for located in ManyEntries(5000).entries(0) if located[1].site == "large.example"]
    assert site == "large.example"
    assert own == of_site[100:150]
    assert sample == sorted(of_site, key=crawl_work._rank)[:30]
    assert spilled.most_held < 100


def test_the_names_of_files_hold_only_numbers_and_hashes() -> None:
    names = [Work(3).name, Work(3, 1, "../../etc/\ud800.example", 2).name]
    assert [name for name in names if not re.fullmatch(r"[0-9a-f-]+", name)] == []
