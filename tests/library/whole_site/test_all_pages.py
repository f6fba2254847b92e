"""Sites as people build them: each address that is met is saved, or named with a reason."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import pytest
from tests.support.manual_site import KNOTS
from tests.support.server import Answer, SiteServer
from tests.support.tables import table

from sitestencil.site.frontier import Extent
from sitestencil.site.sources import network
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

Pages = Mapping[str, str | Answer]


@pytest.fixture(autouse=True)
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the servers here count as some of the public internet."""
    monkeypatch.setattr(network, "is_public", lambda _: True)


async def no_pause(_: float) -> None:
    """Do not wait."""


LOADING = Loading(pause=no_pause)


def page(name: str, more: str = "", head: str = "") -> str:
    """Return a page with a text of its own."""
    words = [f"{word}{len(name)}{name[:2]}{name[-1:]}" for word in "ropes of hemp and silk were made here".split()]
    return f"<!doctype html><title>{name}</title>{head}<main><h1>{name}</h1><p>{' '.join(words)}.</p>{more}</main>"


def links(*paths: str, attributes: str = "") -> str:
    return "".join(f"<p><a href='{path}' {attributes}>Look</a>" for path in paths)


@contextmanager
def served(pages: Pages) -> Iterator[SiteServer]:
    """Serve pages by their paths."""
    with SiteServer({}) as site:
        update(site, pages)
        yield site


def update(site: SiteServer, pages: Pages) -> None:
    site.answers |= {path: Answer(one.encode()) if isinstance(one, str) else one for path, one in pages.items()}


def save_again(site: SiteServer, folder: Path, loading: Loading = LOADING) -> Saved:
    return save_site(f"{site.base}/", folder, loading, Choice(), lambda _: None)


def save(pages: Pages, folder: Path, extent: Extent = LOADING.extent) -> tuple[set[str], dict[str, str], list[str]]:
    """Serve pages and save them; return the saved paths, the reasons of the others, and the paths asked for."""
    with served(pages) as site:
        saved = save_again(site, folder, Loading(extent, pause=no_pause))
        left = {url.removeprefix(site.base): why.replace(site.base, "") for url, why in saved.site.left.items()}
        found = {entry.url.removeprefix(site.base) for entry in saved.entries}
        return found, left, [request.path for request in site.requests]


def site_of(*names: str, more: str = "", head: str = "") -> dict[str, str | Answer]:
    """Return a start page with something more, and pages of some names."""
    return {"/": page("Start", more, head), **{f"/{name}": page(name) for name in names}}


MANUAL = [
    "kubectl_delete",
    "docker-stop",
    "npm-uninstall",
    "sql/delete",
    "sql/create",
    "cart",
    "restart/",
    "cli/logout",
]
ORDERS = {"/logout": "logout", "/post/5/delete": "delete", "/edit?id=5": "edit", "/cart/add/7": "add"}
ORDERS |= {"/?add-to-cart=5": "add-to-cart"}


def test_only_the_form_of_an_address_says_on_public_hosts_that_it_acts(tmp_path: Path) -> None:
    buttons = links("button", attributes="role=button data-method=delete")
    contents = f"<ul>{links('cli/login', 'cli/logout', 'cli/publish')}</ul>"
    names = ["button", *MANUAL, "cli/login", "cli/publish"]
    pages = site_of(*names, more=buttons + contents + links(*MANUAL, *ORDERS))
    found, left, _ = save(pages, tmp_path / "out")
    assert found == {"/", *(f"/{name}" for name in names)}
    assert left == {path: f"may act: {word}" for path, word in ORDERS.items()}
    assert "may act: cart" not in (tmp_path / "out/report.html").read_text()
    assert "may act: delete: 1" in (tmp_path / "out/report.html").read_text()
    asked = save(pages, tmp_path / "all", Extent(all_links=True))[2]
    assert {*ORDERS} <= {*asked}


def test_what_a_sitemap_lists_is_a_page(tmp_path: Path) -> None:
    listed = Answer(b"<urlset><url><loc>logout</loc></url></urlset>", "text/xml")
    pages = site_of("logout", more=links("logout")) | {"/sitemap.xml": listed}
    assert save(pages, tmp_path / "out")[:2] == ({"/", "/logout"}, {})


def test_a_redirect_leads_to_a_page_with_an_acting_word(tmp_path: Path) -> None:
    moved = Answer(b"", status=301, headers={"Location": "/v2/docker_stop"})
    assert save(site_of("v2/docker_stop", more=links("stop")) | {"/stop": moved}, tmp_path / "out")[0] == {
        "/",
        "/v2/docker_stop",
    }


@table(
    ("body", "head"),
    [
        ("<map><area href=other></map>", ""),
        ("<iframe src=other></iframe>", ""),
        ("<embed src=film type=video/mp4><embed src=other type=text/html>", ""),
        ("<object data=other></object>", ""),
        ("<svg><a xlink:href=other><text>Other</text></a></svg>", ""),
        ("<noscript><a href=other>Other</a></noscript>", ""),
        ("", "<link rel=next href=other>"),
        ("", "<link rel=contents href=other>"),
        ("", "<link rel='canonical' href=other>"),
        ("", "<link rel=alternate hreflang=de href=other>"),
        ("", "<meta http-equiv=Refresh content=\"0; URL='other'\">"),
        ("<a href='other;jsessionid=5F2A'>A</a><a href='other?PHPSESSID=31b7'>B</a><a href=other>C</a>", ""),
    ],
)
def test_a_page_is_met_by_any_kind_of_link(tmp_path_factory: pytest.TempPathFactory, body: str, head: str) -> None:
    found, left, asked = save(site_of("other", more=body, head=head), tmp_path_factory.mktemp("a") / "out")
    assert (found, left, asked.count("/other")) == ({"/", "/other"}, {}, 1)


@pytest.mark.parametrize(
    "headers",
    [{"Refresh": "3; url=other"}, {"Link": '</style.css>; rel=preload, <other>; title="2"; rel="next prefetch"'}],
)
def test_a_page_that_only_headers_lead_to_is_met(tmp_path: Path, headers: dict[str, str]) -> None:
    pages = site_of() | {"/other": page("other")}
    pages["/"] = Answer(page("Start").encode(), headers=headers)
    found, left, asked = save(pages, tmp_path / "out")
    assert (found, left, asked.count("/other")) == ({"/", "/other"}, {}, 1)


def test_a_page_that_only_loads_itself_again_leads_nowhere(tmp_path: Path) -> None:
    _, left, asked = save(site_of(head="<meta http-equiv=refresh content=30>"), tmp_path / "out")
    assert (left, asked.count("/30")) == ({}, 0)


def test_a_feed_that_the_start_page_names_is_a_sitemap(tmp_path: Path) -> None:
    feed = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/a.html'/></entry></feed>"
    head = (
        "<link rel=alternate type=application/atom+xml href=news><link type=application/rss+xml href=//b.example/>"
    )
    pages = site_of("a.html", head=head) | {"/news": Answer(feed, "application/atom+xml")}
    found, left, asked = save(pages, tmp_path / "out")
    assert (found, left, asked.count("/news")) == ({"/", "/a.html"}, {}, 1)


@pytest.mark.parametrize(
    "way",
    [
        "<select><option>Choose<option value='a.html'>A</select>",
        "<button onclick=\"location.href = '/a.html'\">A</button>",
        "<a href=\"javascript:window.open('a.html','w')\">A</a>",
        "<iframe srcdoc=\"<a class=x href='a.html?x=1&amp;amp;y'>A</a>\"></iframe>",
        "<noframes><a href=a.html>A</a></noframes>",
    ],
)
def test_a_page_behind_a_menu_a_script_or_a_frame_is_saved(tmp_path: Path, way: str) -> None:
    pages = site_of("a.html", more=f"{way}<button onclick=\"location='/log-out'\">B</button>")
    found, left, asked = save(pages, tmp_path / "out")
    assert any("a.html" in one for one in found)
    assert [one for one in left if "log-out" in one] and "/log-out" not in asked


def test_what_only_a_script_shows_is_named(tmp_path: Path) -> None:
    found, left, _ = save(site_of(more=links("#/about", "/#!team", "#part", "#/")), tmp_path / "out")
    assert (found, {*left.values()}) == ({"/"}, {"only a script shows it"})
    assert {*left} == {"/#/about", "/#!team"}


def test_a_start_page_that_only_leads_on_is_no_end(tmp_path: Path) -> None:
    pages = {
        "/": "<meta http-equiv=refresh content='0;url=/en/'>",
        "/en/": page("Start", links("a")),
        "/en/a": page("a"),
    }
    assert {"/en/", "/en/a"} <= save(pages, tmp_path / "out")[0]


def test_links_that_are_not_followed_are_named(tmp_path: Path) -> None:
    other = "https://fr.site.example/"
    pages = site_of("b", more=links("a", attributes="rel=nofollow") + links("b"))
    pages["/b"] = page(
        "b",
        links("c"),
        f"<meta name=robots content=nofollow><link rel=alternate hreflang=fr href={other}><body><iframe src=https://film.example/></iframe>",
    )
    _, left, _ = save(pages, tmp_path / "out")
    assert {*left} == {"/a", "/c", other}


def test_twins_of_an_address_are_one_page(tmp_path: Path) -> None:
    pages = site_of(*KNOTS, more=links("a", "a/", "A", *KNOTS))
    for second, path in enumerate(("/a", "/a/", "/A")):
        pages[path] = page("a", "<p>" + " ".join(KNOTS.values()) + f"<p>At 12:0{second}")
    found, left, _ = save(pages, tmp_path / "out")
    assert len(found) == len(KNOTS) + 2
    assert [*left.values()] == ["a copy of another page"] * 2


def test_pages_that_differ_only_in_numbers_are_all_saved(tmp_path: Path) -> None:
    def numbers(day: int) -> str:
        rows = "".join(f"<tr><td>{hour}<td>{day * 31 + hour * 7}.5" for hour in range(12))
        return f"<title>Data</title><h1>Data</h1><table>{rows}</table>"

    pages = site_of(more=links(*(f"data/{day}" for day in range(20))))
    pages |= {f"/data/{day}": numbers(day) + links(f"{day + 20}") for day in range(40)}
    assert len(save(pages, tmp_path / "out", Extent(most_pages=30))[0]) == 30


COLOURS, SIZES, FITS = ("red", "blue", "green", "black"), ("small", "large", "huge"), ("slim", "wide", "loose")


def _shop(separator: str) -> Iterator[tuple[str, str]]:
    """Yield a list of things, whose filters take words into its address, and the things."""
    filters, things = [*COLOURS, *SIZES, *FITS], [f"/thing-{name}" for name in KNOTS]
    for count in range(4):
        for chosen in combinations(filters, count):
            more = (sorted((*chosen, one), key=filters.index) for one in filters if one not in chosen)
            wanted = links(*(f"/shop{separator}{separator[-1].join(one)}" for one in more))
            shown = links(*things[count:], attributes="class=thing")
            path = f"/shop{separator}{separator[-1].join(chosen)}" if chosen else "/shop"
            yield path, f"<title>Shop {' '.join(chosen)}</title><h1>{' '.join(chosen)}</h1>{wanted}{shown}"
    yield from ((thing, page(thing)) for thing in things)


def test_combinations_of_filters_do_not_fill_the_number_of_pages(tmp_path: Path) -> None:
    pages = site_of(more=links("shop")) | dict(_shop("/"))
    found, left, _ = save(pages, tmp_path / "out", Extent(most_pages=40))
    assert {f"/thing-{name}" for name in KNOTS} <= found
    assert "several filters of one list" in left.values()


@table(
    ("content", "paths"),
    [
        ("<urlset><url><!-- <loc>/no</loc> --><loc a='1'>\n<!-- x --> /b/a</loc></url></urlset>", ["/b/a"]),
        (
            "<s:urlset xmlns:s='s' xmlns:i='i'><s:url><s:loc>a</s:loc><i:loc>/no.png</i:loc></s:url></s:urlset>",
            ["/a"],
        ),
        (
            "<urlset><url><loc><![CDATA[a?b=1&c=2]]></loc></url><url><loc>a?b=1&d</loc></url></urlset>",
            ["/a?b=1&c=2", "/a?b=1&d"],
        ),
        ("<rss><channel><link>/no</link><item><link>/a</link></item></channel></rss>", ["/a"]),
    ],
)
def test_a_sitemap_is_read_as_xml(tmp_path_factory: pytest.TempPathFactory, content: str, paths: list[str]) -> None:
    for encoding in ("utf-8", "utf-16"):
        pages = site_of() | {"/sitemap.xml": Answer(content.encode(encoding), "text/xml")}
        assert save(pages, tmp_path_factory.mktemp("a") / "out")[2][3:] == paths


def test_a_sitemap_may_have_50_megabytes_and_its_line_may_be_relative_or_wrong(tmp_path: Path) -> None:
    robots = Answer(b"Sitemap: maps/one.xml\nSitemap: ftp://site.example/\nSitemap: http://[\n", "text/plain")
    filled = b"<urlset>" + b" " * 6_000_000 + b"<url><loc>../a</loc></url></urlset>"
    others = {"/robots.txt": robots, "/maps/one.xml": Answer(filled, "text/xml")}
    found, left, _ = save(site_of("a") | others, tmp_path / "out")
    assert (found, [*left.values()]) == ({"/", "/a"}, ["this sitemap has no web address"] * 2)


def test_each_address_that_gives_no_page_is_named_and_leads_on(tmp_path: Path) -> None:
    around = [Answer(b"", status=302, headers={"Location": path}) for path in ("/two", "/one")]
    denied = Answer(page("denied", links("behind")).encode(), headers={"X-Robots-Tag": "noindex"})
    pages = site_of("behind", more=links("one", "bytes", "denied"))
    pages |= {"/one": around[0], "/two": around[1], "/denied": denied, "/bytes": Answer(b"\x89PNG\r\n\x1a\n\0\0<x")}
    found, left, _ = save(pages, tmp_path / "out")
    assert found == {"/", "/behind"}
    reasons = {"/one": "moved to", "/two": "moved to", "/bytes": "says that it is HTML", "/denied": "robots denied"}
    assert {path: words for path, words in reasons.items() if words in left.get(path, "")} == reasons


def test_a_saved_page_that_is_denied_to_robots_stays(tmp_path: Path) -> None:
    with served(site_of("a", more=links("a"))) as site:
        save_again(site, tmp_path / "out")
        site.answers["/a"] = Answer(page("a", "<p>News.").encode(), headers={"X-Robots-Tag": "noindex"})
        changes = save_again(site, tmp_path / "out").changes or {}
    assert {what: found for what, found in changes.items() if found} == {"not reached": [f"{site.base}/a"]}


def test_linked_files_are_listed_and_saved_if_wanted(tmp_path: Path) -> None:
    names, large = ["map.pdf", "all.zip", "page.jpg", "gone.pdf"], b"%PDF" + b" " * 6_000_000
    pages = site_of("b", more=links(*names, "b")) | {"/all.zip": Answer(b"PK", "application/zip")}
    rows: list[dict[str, str]] = []
    with served({**pages, "/map.pdf": Answer(large, "application/pdf"), "/page.jpg": page("picture")}) as site:
        for files in (False, True, False):
            save_again(site, tmp_path / "out", Loading(pause=no_pause, files=files))
            found = map(json.loads, (tmp_path / "out/files.jsonl").read_text().splitlines())
            rows.append({row["url"].rpartition("/")[2]: row.get("file", row.get("detail", "")) for row in found})
    before, after, last = rows
    assert before == dict.fromkeys(names, "")
    assert (tmp_path / "out" / after["map.pdf"]).read_bytes() == large
    assert (after["page.jpg"], "404" in after["gone.pdf"]) == ("it is a page in HTML", True)
    assert after["map.pdf"] == last["map.pdf"]
    assert f"(../{after['all.zip']})" in (tmp_path / "out/pages/index.md").read_text()
    assert after["map.pdf"] in (tmp_path / "out/report.html").read_text()
