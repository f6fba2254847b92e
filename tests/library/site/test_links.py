"""Hyperlink distance, DOM distance and Algorithm 1 (thesis, section 2.2)."""

import time
from collections.abc import Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tests.support.tables import table

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site.links import (
    MOST_LINKS,
    Link,
    _depths,
    _dom_distances,
    _nearest,
    farthest_first,
    hyperlink_distance,
    site_links,
    sort_links,
)
from sitestencil.site.other_links import other_links
from sitestencil.urls import directories

MATHS = "http://www.upv.es/research/maths/"
NEWS = "http://www.bbc.com/news"


@table(
    ("h", "other", "distance"),
    [
        (MATHS, MATHS, 0),
        (MATHS, MATHS + "geometry/", 1),
        (MATHS, "http://www.upv.es/research/", -1),
        (MATHS, "http://www.upv.es/research/physics/dynamics", -1),
        (NEWS, "http://www.bbc.com/news/world/europe/", 2),
        (NEWS, "http://www.bbc.com/weather", -1),
        (NEWS, "http://www.bbc.com/sport/0/formula1/26599556", -1),
    ],
)
def test_hyperlink_distance_is_that_of_the_thesis_examples(h: str, other: str, distance: int) -> None:
    assert hyperlink_distance(directories(h), directories(other)) == distance


def test_hyperlink_distance_to_another_root_is_the_whole_way_back() -> None:
    assert hyperlink_distance(("research", "maths"), ("www.upv.es", "research")) == -2


def test_the_resource_name_is_no_directory_but_a_last_segment_without_a_dot_is() -> None:
    assert directories("http://www.upv.es/research/maths/index.html") == ("www.upv.es", "research", "maths")
    assert directories("http://www.bbc.com/news?page=2#top") == ("www.bbc.com", "news")


def dom_distance(path: Sequence[int], other: Sequence[int]) -> int:
    """Return the DOM distance of two nodes given by their paths from the root (thesis, Definition 2.2.10)."""
    common = 0
    for ours, theirs in zip(path, other, strict=False):
        if ours != theirs:
            break
        common += 1
    return len(path) + len(other) - 2 * common


def _page(*addresses: str, url: str = "http://www.bbc.com/news/") -> str:
    return "".join(f'<a href="{address}">x</a>' for address in addresses)


def test_link_relevance_orders_as_in_example_2_2_13() -> None:
    addresses = {
        "A2": "http://www.bbc.com/news/world/europe/",
        "A3": "http://www.bbc.com",
        "A4": "http://www.bbc.com/news/uk/",
        "A5": "http://www.bbc.com/sport/0/football/28497920/",
        "A6": "http://www.bbc.com/news/also_in_the_news/",
    }
    page = parse(_page(*addresses.values()), "http://www.bbc.com/news/")
    order = [link.url.rstrip("/") for link in sort_links(page, site_links(page))]
    assert set(order[:2]) == {addresses["A4"].rstrip("/"), addresses["A6"].rstrip("/")}
    assert order[2] == addresses["A2"].rstrip("/")
    assert set(order[3:]) == {addresses["A3"], addresses["A5"].rstrip("/")}


def test_dom_relevance_orders_as_in_example_2_2_15() -> None:
    table = {
        ("A3", "A1"): 6,
        ("A3", "A2"): 3,
        ("A3", "A4"): 7,
        ("A3", "A5"): 7,
        ("A5", "A1"): 5,
        ("A5", "A2"): 6,
        ("A5", "A4"): 6,
        ("A2", "A1"): 5,
        ("A2", "A4"): 6,
        ("A4", "A1"): 5,
    }
    distances = {**table, **{(b, a): distance for (a, b), distance in table.items()}}
    links = ["A1", "A2", "A3", "A4", "A5"]
    nearest = {a: min(distances[a, b] for b in links if b != a) for a in links}

    def order(*group: str) -> list[str]:
        return list(farthest_first(group, nearest, lambda a: [distances.get((a, b), 0) for b in group]))

    assert order("A3", "A5") + order("A1") + order("A2", "A4") == ["A5", "A3", "A1", "A4", "A2"]


def test_self_links_repeated_links_other_hosts_and_files_that_are_no_pages_are_dropped() -> None:
    page = parse(
        _page("/a/", "#top", "./", "/a/index.html", "https://other.org/b", "mailto:x@y.z", "/c.pdf", "/d?x=1#y"),
        "http://example.org/here/index.html",
    )
    assert [link.url for link in site_links(page)] == ["http://example.org/a/", "http://example.org/d?x=1"]


def test_what_was_followed_from_a_page_beside_it_is_passed_over_but_a_query_is_each_pages_own() -> None:
    body = '<a href="c.html">x</a><a href="?page=2">y</a>'
    followed: set[tuple[str, str]] = set()
    first, second = (
        [link.url for link in site_links(parse(body, f"http://example.org/a/{name}"), followed)]
        for name in ("one", "two")
    )
    assert first == ["http://example.org/a/c.html", "http://example.org/a/one?page=2"]
    assert second == ["http://example.org/a/two?page=2"]


def test_links_resolve_against_the_pages_base() -> None:
    page = parse('<base href="/deep/er/"><a href="x">x</a>', "http://example.org/")
    assert [link.url for link in site_links(page)] == ["http://example.org/deep/er/x"]


@given(st.lists(st.sampled_from(["<div>", "</div>", '<a href="/%d">', "</a>", "<p>"]), max_size=60))
def test_the_nearest_other_link_is_found_without_comparing_all_pairs(pieces: list[str]) -> None:
    html = "".join(piece % number if "%" in piece else piece for number, piece in enumerate(pieces))
    page = parse(html, "http://example.org/here")
    links = site_links(page)
    expected: dict[Link, int] = {}
    for a, b in combinations(links, 2):
        distance = dom_distance(page.path(a.element), page.path(b.element))
        for link in (a, b):
            expected[link] = min(distance, expected.get(link, distance))
    if len(links) > 1:
        assert _nearest(page, _depths(page), links) == expected


@given(st.lists(st.sampled_from(["<div>", "</div>", '<a href="/%d">', "</a>", "<p>"]), max_size=60))
def test_the_dom_distances_to_many_links_are_those_of_their_paths(pieces: list[str]) -> None:
    page = parse(
        "".join(piece % number if "%" in piece else piece for number, piece in enumerate(pieces)), "http://x/"
    )
    links = [link.element for link in site_links(page)]
    for link in links:
        expected = [dom_distance(page.path(link), page.path(other)) for other in links]
        assert _dom_distances(page, _depths(page), link, links) == expected


@table(
    ("own", "linked"),
    [
        ("https://example.org/", "https://www.example.org/a"),
        ("https://www.example.org/", "https://example.org/a"),
        ("https://example.org/", "http://example.org/a"),
        ("https://example.org/", "http://www.example.org/a"),
        ("http://www.example.org/", "http://example.org/a"),
    ],
)
def test_links_in_another_spelling_of_the_site_are_asked_for_in_its_own(own: str, linked: str) -> None:
    page = parse(_page(linked, linked.replace("/a", "/")), own)
    assert [(link.url, link.page) for link in site_links(page)] == [(f"{own}a", f"{own.partition('//')[2]}a")]


def test_an_http_pages_links_to_https_stay_so() -> None:
    page = parse(_page("https://example.org/a"), "http://example.org/")
    assert [link.url for link in site_links(page)] == ["https://example.org/a"]


def test_a_page_of_the_other_spelling_has_links_in_the_key_pages_own() -> None:
    page = parse(_page("/a", "http://example.org/"), "http://www.example.org/b")
    assert [link.url for link in site_links(page, key_url="http://example.org/")] == [
        "http://example.org/a",
        "http://example.org/",
    ]


def test_of_a_hundred_thousand_links_the_first_pages_are_looked_at() -> None:
    page = parse("".join(f"<a href=/{n}>{n}</a>" for n in range(100_000)), "http://example.org/")
    start = time.process_time()
    links = site_links(page)
    assert [link.page for link in (links[0], links[-1])] == ["example.org/0", f"example.org/{MOST_LINKS - 1}"]
    assert len(links) == MOST_LINKS
    assert next(sort_links(page, links)) in links
    assert time.process_time() - start < 2


def nested_links(levels: int) -> Document:
    """Return a page of links in links, as a script can build it and no parser does."""
    return Document(
        url="http://example.org/",
        base="http://example.org/",
        tags=["html", *["a"] * levels],
        parents=range(-1, levels),
        attributes=[{}, *({"href": f"/{n}"} for n in range(levels))],
        texts=[],
    )


def test_eight_thousand_links_in_links_are_sorted_in_no_time() -> None:
    page = nested_links(8_000)
    start = time.process_time()
    order = sort_links(page, site_links(page))
    assert len({next(order).page for _ in range(100)}) == 100
    assert time.process_time() - start < 5


def test_links_that_no_browser_shows_are_found_in_time_however_many_begin() -> None:
    page = parse(f"<p>{'<noframes>' + '<a ' * 33_000 + '</noframes>'}" * 8, "https://site.example/")
    start = time.process_time()
    assert other_links(page) == {}
    assert time.process_time() - start < 1
