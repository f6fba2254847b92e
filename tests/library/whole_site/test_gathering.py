"""The files of a site's pages: a name of its own for each, which every system takes."""

from sitestencil.crawl.input.crawled import CrawlPage, Record
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
