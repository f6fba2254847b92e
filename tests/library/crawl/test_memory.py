import gc
import platform
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from tests.support.crawls import article, pages_of, response, write_warc

from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.input.units import units_of
from sitestencil.crawl.learning import ReadPages, learn_site
from sitestencil.crawl.notes import Notes
from sitestencil.crawl.spill import skipped_of, spill_unit


def test_a_site_that_is_done_leaves_nothing_for_the_collector() -> None:
    pages = [
        CrawlPage(url, html, "a.warc", number) for number, (url, html) in enumerate(pages_of("site.example", 20))
    ]
    # A page that no template fits is compared with others; that makes other objects.
    other = b"<body>" + b"<section><h3>Alone</h3><pre>text</pre></section>" * 9
    pages += [CrawlPage("https://site.example/other", other), CrawlPage("https://b.example/", article("b", 1))]
    _do(pages)  # what is made once stays
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        _do(pages)
        gc.collect()
        assert [thing for thing in gc.garbage if _is_ours(thing)] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_pages_are_kept_by_their_size() -> None:
    filler = "<p>" + "knot " * 200_000
    pages = [CrawlPage(url, html + filler.encode(), url) for url, html in pages_of("site.example", 30)]
    read: ReadPages = {}
    templates = learn_site("site.example", pages, read=read)
    assert templates.groups
    assert 0 < sum(len(sample.page.html) for sample in read.values()) <= 16 << 20


def test_skipped_records_take_no_memory_together(tmp_path: Path) -> None:
    def peak(records: int) -> int:
        write_warc(tmp_path / "a.warc", [response("https://a.example/", b"", status="404")] * records)
        tracemalloc.start()
        try:
            [unit] = units_of([tmp_path / "a.warc"])
            spill_unit(unit, 1, tmp_path, 0, Notes(tmp_path))
            assert sum(1 for _ in skipped_of(tmp_path, 0)) == records
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(8000) < 1.5 * peak(2000)


RELEASED = """
import mmap, pathlib
from sitestencil.crawl.limits import FreeMemory

def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

holes = [bytes(600) for _ in range(50_000)]  # what imports have left free is taken first
large, small = [], []
for _ in range(2000):
    large.append(bytearray(b"x") * 100_000)
    small.append(bytes(600))  # behind each large piece, so that none is at the end of the heap
large.clear()
free_memory, sizes = FreeMemory(), [resident()]
for pages in (59, 1):
    free_memory.after(pages)
    sizes.append(resident())
print(*sizes)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are not asked to")
def test_free_memory_is_given_back_to_the_system_after_some_pages() -> None:
    done = subprocess.run([sys.executable, "-c", RELEASED], check=True, capture_output=True, text=True)
    before, after_few, after_some = map(int, done.stdout.split())
    assert after_few > before - 10_000_000
    assert after_some < before - 50_000_000


def _do(pages: list[CrawlPage]) -> None:
    read: ReadPages = {}
    extractor = SiteExtractor(learn_site("site.example", pages[:18], read=read), read=read)
    assert {extractor.content(page).way for page in pages} >= {"template", "compared"}


def _is_ours(thing: object) -> bool:
    return type(thing).__module__.startswith(("sitestencil", "selectolax"))
