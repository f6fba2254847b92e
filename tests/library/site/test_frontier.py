"""The addresses of a site that are still to be loaded: within bounds, and no trap grows for ever."""

import gzip
from itertools import product

import pytest
from tests.support.tables import table

from sitestencil.page.parsing import parse
from sitestencil.site import frontier as frontiers
from sitestencil.site.frontier import NO_PAGE, OUTSIDE, Extent, Frontier
from sitestencil.site.sources.robots import MOST_BYTES, sitemap_of
from sitestencil.whole_site.gathering import file_of

START = "https://site.example/docs/"


def frontier(start: str = START, **extent: object) -> Frontier:
    wanted = Extent(**extent)  # type: ignore[arg-type]
    return Frontier(start, wanted, may_act=False, refusal=lambda url: "robots.txt" if "/private" in url else None)


def rest(queue: Frontier) -> list[str]:
    found = []
    while one := queue.next():
        found.append(one[0])
    return found


@table(
    ("start", "url", "reason"),
    [
        (START, "a", None),
        (START, "http://www.site.example/docs/a#top", None),
        (START, "https://site.example/other", OUTSIDE),
        (START, "https://other.example/docs/a", ""),
        ("https://site.example/docs/index.html", "https://site.example/docs/a", None),
        ("https://site.example/docs", "https://site.example/docs/a", None),
        ("https://site.example/docs", "https://site.example/docsearch", OUTSIDE),
        (START, "private/a", "robots.txt"),
        (START, "logout", "may act: logout"),
        ("http://site.example/docs/", "https://site.example/docs/a", None),
        (START, "x/y/x/y/x/", "endless addresses"),
        (START, "/".join("abcdefghijklmnopq"), "endless addresses"),
    ],
)
def test_an_address_is_loaded_or_left_for_a_reason(start: str, url: str, reason: str | None) -> None:
    queue = frontier(start)
    address = url if "://" in url else f"{START}{url}"
    queue.add([address, address], 1)
    assert len(rest(queue)) == (reason is None)
    assert queue.left == ({address: reason} if reason else {})


def test_where_links_may_act_those_that_are_elsewhere_are_named_too() -> None:
    queue = Frontier(START, Extent(), may_act=True, refusal=lambda _: None)
    queue.read(parse("<ul><li><a href=/docs/x7>Valve</a><li><a href=/x8>Pump</a></ul>", START), 0)
    assert queue.left == {f"{START}x7": NO_PAGE, "https://site.example/x8": OUTSIDE}


def test_numbered_addresses_are_left_once_they_bring_nothing_new() -> None:
    queue, loaded = frontier(), 0
    queue.add([f"{START}day/1?view=list"], 1)
    while (found := queue.next()) and loaded < 100:
        loaded += 1
        page = f"<main>Day {loaded}<a href='{START}day/{loaded + 1}?view=list'>Next day</a>"
        queue.read(parse(page, found[0]), found[1])
    assert loaded < 10
    assert list(queue.left.values()) == ["nothing new at such addresses"]


def test_addresses_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitestencil.site.frontier._MOST_MET", 10)
    queue = frontier(most_pages=1)
    queue.add([f"{START}{letter * number}" for letter in "abcdefgh" for number in range(1, 25)], 1)
    queue.add([f"{START}{'long' * 1000}"], 1)
    assert (len(rest(queue)), set(queue.left.values())) == (113, {"too many or too long addresses"})
    assert max(map(len, queue.left)) < 3000


@pytest.mark.parametrize("may_act", [False, True])
def test_a_page_of_many_links_leads_to_all_or_says_that_there_are_more(
    monkeypatch: pytest.MonkeyPatch, *, may_act: bool
) -> None:
    names = ["".join(letters) for letters in product("abcdefghijklmnop", repeat=3)]
    page = parse(
        "<nav><ul>" + "".join(f"<li><a href=about/{name}>About</a>" for name in names) + "</ul></nav>", START
    )
    queue = Frontier(START, Extent(), may_act=may_act, refusal=lambda _: None)
    queue.read(page, 0)
    assert (len(queue.queue) + len(queue.left), queue.is_whole) == (len(names), True)
    monkeypatch.setattr(frontiers, "_MOST_LINKS", 10)
    queue = Frontier(START, Extent(), may_act=may_act, refusal=lambda _: None)
    queue.read(page, 0)
    assert queue.left[f"{START}, its further links"] == "more than 10 links"
    assert not queue.is_whole


def test_a_page_may_ask_that_its_links_are_not_followed() -> None:
    queue = frontier()
    queue.read(parse("<a href=a rel='ugc nofollow'>A</a><a href=b>B</a>", START), 0)
    queue.read(parse("<meta name=robots content='noindex, nofollow'><body><a href=c>C</a>", f"{START}x"), 0)
    assert rest(queue) == [f"{START}b"]


def test_a_sitemap_may_be_packed_and_is_bounded() -> None:
    text = b"<urlset><url><loc> https://site.example/a </loc></url><url><loc>ftp://b</loc></url></urlset>"
    assert sitemap_of(gzip.compress(text), START) == (["https://site.example/a"], [], True)
    assert sitemap_of(gzip.compress(text + b" " * MOST_BYTES), START) == (["https://site.example/a"], [], False)
    assert sitemap_of(b"https://site.example/a\n\nno address\n", START) == (["https://site.example/a"], [], True)
    many = b"<urlset>" + b"<loc>ftp://a</loc>" * 50_000 + b"<loc>https://site.example/a</loc></urlset>"
    assert sitemap_of(many, START) == ([], [], False)


@table(
    ("path", "file"),
    [
        ("", "index"),
        ("a.html", "a"),
        ("a/", "a/index"),
        ("%2e%2e/%2e%2e/etc/passwd", "-/-/etc/passwd"),
        ("..%5C..%5Cx", "_..-..-x"),
        ("a%00b%0A", "a-b-"),
        ("CON.html", "_CON"),
        ("a.md/b.txt", "a_/b"),
        (".htaccess", "_.htaccess"),
        ("view?id=3&x=/..", "view@id=3&x=-"),
    ],
)
def test_no_address_leads_out_of_the_folder(path: str, file: str) -> None:
    assert file_of(f"https://site.example/{path}") == file
    assert len(file_of(f"https://site.example/{'x' * 3000}")) < 100
