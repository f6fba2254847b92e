"""The files of a site's pages: a name of its own for each, which every system takes."""

import zlib
from collections.abc import Callable
from time import process_time

from sitestencil.crawl.input.crawled import CrawlPage, Record
from sitestencil.page.parsing import parse
from sitestencil.site.frontier import Extent, Frontier
from sitestencil.whole_site import writing
from sitestencil.whole_site.gathering import Site, file_of

BASE = "https://site.example/"


def test_each_page_has_a_file_that_no_disk_takes_for_another() -> None:
    same = ["Guide", "guide", "GUIDE", "caf%C3%A9", "cafe%CC%81", "stra%C3%9Fe", "strasse", "a%2Fb", "a-b", "a--b"]
    site = Site(BASE, [CrawlPage(BASE + path, b"", "", 0, None, Record()) for path in same])
    names = [name.casefold() for name in site.files.values()]
    assert len(set(names)) == len(same)
    crafted = site.files[site.key(f"{BASE}guide")].removeprefix("pages/")
    site = Site(BASE, [CrawlPage(BASE + path, b"", "", 0, None, Record()) for path in ("GUIDE", crafted, "guide")])
    assert len(set(site.files.values())) == 3


def test_windows_takes_each_name() -> None:
    cases = {
        "con": "_con",
        "con.html": "_con",
        "COM%C2%B9": "_COM¹",
        "lpt1.tar.gz": "_lpt1.tar.gz",
        "a%3Ab%5Cc%22": "a-b-c-",
        "end.": "end",
        "../../etc/passwd": "-/-/etc/passwd",
    }
    assert {path: file_of(BASE + path) for path in cases} == cases
    assert max(len(file_of(f"{BASE}{'long-name/' * count}end")) for count in range(60)) < 150


def test_the_time_for_a_hostile_page_grows_with_its_size() -> None:
    def read(html: str) -> None:
        Frontier(BASE, Extent(), may_act=False, may_crawl=lambda _: True).read(parse(html, BASE), 0)

    def gather(html: str) -> None:
        Site(BASE).add_once([(CrawlPage(BASE, b""), zlib.compress(html.encode()))])

    def relink(text: str) -> None:
        writing._PICTURE_FILE.sub("", text)

    cases: dict[str, tuple[Callable[[str], None], str]] = {
        "a word without end": (read, "a"),
        "links that name no canonical page": (gather, "<link rel=canonical "),
        "a path up and up": (relink, "../"),
    }

    def seconds(name: str, size: int) -> float:
        work, part = cases[name]
        start = process_time()
        work(part * (size // len(part)))
        return process_time() - start

    # Square shapes take seconds for the larger size.
    slow = {name: min(seconds(name, 40_000) for _ in range(3)) for name in cases}
    fast = {name: min(seconds(name, 10_000) for _ in range(3)) for name in cases}
    assert {name for name in cases if slow[name] > 8 * max(fast[name], 0.02)} == set()
