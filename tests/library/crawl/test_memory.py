import gc
import mmap
import platform
from pathlib import Path

import pytest
from tests.support.crawls import article, pages_of

from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.free_memory import FreeMemory
from sitestencil.crawl.learning import ReadPages, learn_site
from sitestencil.crawl.pages import CrawlPage


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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are not asked to")
def test_free_memory_is_given_back_to_the_system() -> None:
    large, small = [], []
    for _ in range(4000):
        large.append(b"x" * 100_000)
        small.append(b"y" * 600)  # behind each large piece, so that none is at the end of the heap
    large.clear()
    before, free_memory = _resident_bytes(), FreeMemory()
    free_memory.after(59)
    assert _resident_bytes() > before - 10_000_000
    free_memory.after(1)
    assert _resident_bytes() < before - 100_000_000
    assert len(small) == 4000


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE


def _do(pages: list[CrawlPage]) -> None:
    read: ReadPages = {}
    extractor = SiteExtractor(learn_site("site.example", pages[:18], read=read), read=read)
    assert {extractor.content(page).way for page in pages} >= {"template", "compared"}


def _is_ours(thing: object) -> bool:
    return type(thing).__module__.startswith(("sitestencil", "selectolax"))
