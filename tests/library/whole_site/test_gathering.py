"""The files of a site's pages: a name of its own for each, which every system takes."""

import zlib
from collections.abc import Callable, Mapping, Set
from pathlib import PurePosixPath
from time import process_time

from tests.support.tables import table

from sitestencil.crawl.input.crawled import CrawlPage, Record
from sitestencil.page.parsing import parse
from sitestencil.site.frontier import Extent, Frontier
from sitestencil.whole_site import loaded_files
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


def test_no_folder_has_the_name_of_a_file() -> None:
    paths = ["a", "a.md./b", "a.md/c", "a.MD.../d", "a.html%2e/e", "a.txt./f", "a.md.html./g", "con.md./h"]
    for ending in (".md", ".txt", ".html"):
        site = Site(BASE, [CrawlPage(BASE + path, b"", "", 0, None, Record()) for path in paths], ending=ending)
        files = {name.casefold() for name in site.files.values()}
        folders = {str(folder).casefold() for name in site.files.values() for folder in PurePosixPath(name).parents}
        assert (len(files), files & folders) == (len(paths), set())
        assert [folder for folder in folders if folder != "." and folder.endswith(".")] == []


def test_a_page_keeps_the_name_that_it_had() -> None:
    site = Site(BASE, [CrawlPage(BASE + path, b"", "", 0, None, Record()) for path in ("Guide", "guide", "GUIDE")])
    site.names = {site.key(f"{BASE}GUIDE"): "GUIDE", site.key(f"{BASE}gone"): "guide-more"}
    assert site.files[site.key(f"{BASE}GUIDE")] == "pages/GUIDE"
    assert len({name.casefold() for name in site.files.values()}) == 3


def page_of(title: str, text: str, right: str, more: str = "") -> bytes:
    frame = "".join(f"<li><a href=/{name}>{name.title()} of the site</a>" for name in "abcdefgh")
    head = (
        f"<title>{title}</title><link rel=canonical href='{right}'>"
        if title
        else f"<link rel=canonical href='{right}'>"
    )
    return f"<!doctype html>{head}<body><ul>{frame}</ul>{more}<p>{text}</p><footer>One Lane, Town</footer>".encode()


def gathered(pages: Mapping[str, bytes], saved: Set[str] = frozenset()) -> Site:
    site = Site(BASE)
    site.add_once(((CrawlPage(BASE + path, b""), zlib.compress(html)) for path, html in pages.items()), saved)
    return site


@table("title", ["", "Our site", "Page {}"])
def test_a_canonical_page_is_believed_where_both_show_the_same(title: str) -> None:
    pages = {f"p{at}": page_of(title.format(at), f"Room {at} has {at + 20} metres.", BASE) for at in range(12)}
    pages[""] = page_of(title.format("first"), "Welcome to all our rooms.", BASE)
    assert gathered(pages).left == {}
    pictures = {
        path: page_of(title, "Our pictures", BASE, f"<img src={path or 'first'}.png>") for path in ("", *"abcdefgh")
    }
    assert gathered(pictures).left == {}
    text = " ".join(f"word{at} of a long story" for at in range(30))
    pages |= {"story": page_of(title, text, f"{BASE}story")}
    pages |= {f"sale/story{at}": page_of(title, text, f"{BASE}story", f"<b>Sale {at}</b>") for at in range(3)}
    assert sorted(gathered(pages).left) == [f"{BASE}sale/story{at}" for at in range(3)]
    circle = {"x": page_of(title, text, f"{BASE}y"), "y": page_of(title, f"{text} and", f"{BASE}x")}
    assert gathered(circle).left == {}


def test_no_sentence_is_lost_with_a_copy() -> None:
    rooms = {f"p{at}": page_of(f"Room {at}", f"Room {at} has a view.", f"{BASE}p{at}") for at in range(12)}

    def left(*own: str, saved: Set[str] = frozenset(), latest: str = "") -> list[str]:
        """Return the pages that are left out of three old ones, which have texts of their own."""
        pages, names = dict(rooms), [f"v1/{at}" for at in range(len(own))]
        for at, (name, more) in enumerate(zip(names, own, strict=True)):
            text = " ".join(f"word{at} of a {number}th long story" for number in range(100))
            pages |= {f"latest/{at}": page_of("", text, f"{BASE}latest/{at}", latest)}
            pages |= {name: page_of("", text, f"{BASE}latest/{at}", more)}
        site = gathered(pages, {Site(BASE).key(BASE + name) for name in saved})
        return [name for name in names if f"{BASE}{name}" in site.left]

    two_halves = "<p>This version has <b>one more</b> paragraph, which stands <i>nowhere else</i>."
    assert left(two_halves, "") == ["v1/1"]
    assert (
        left("<p>It works. Since this version the pump also runs without any water.", latest="<p>It works.") == []
    )
    assert left(
        "<p>On 12.5.2024 this page of the manual was read 17 times",
        latest="<p>On 3.4.2023 this page of the manual was read 9 times",
    ) == ["v1/0"]
    assert left("<ul><li>Old version<li>Read the new one", latest="<p>News: <a>here</a>") == ["v1/0"]
    banner = "<p>You read an old version of this manual; the new one has more."
    assert left(banner, banner, banner) == ["v1/1", "v1/2"]
    assert left(banner, banner, banner, saved={"v1/2"}) == ["v1/0", "v1/1"]


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
        Frontier(BASE, Extent(), may_act=False, refusal=lambda _: None).read(parse(html, BASE), 0)

    def gather(html: str) -> None:
        Site(BASE).add_once([(CrawlPage(BASE, b""), zlib.compress(html.encode()))])

    def relink(text: str) -> None:
        loaded_files._PICTURE_FILE.sub("", text)

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
