"""Pathological pages are refused before parsing; honest pages never are."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from sitestencil.errors import PageUnavailable
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document
from sitestencil.page.encoding import decode
from sitestencil.page.limits import MOST_ATTRIBUTES, MOST_COPIED_OPTIONS, MOST_LEVELS, MOST_TAGS, check_markup
from sitestencil.page.parsing import parse

URL = "http://x.test/"
ENDLESS = {
    "40,000 nested divs": "<div>" * 40_000,
    "in upper case": "<DIV>" * 40_000,
    "with spaces": "<div \n>" * 40_000,
    "as if they ended themselves": "<div/>" * 40_000,
    "unknown elements": "<x-y>" * 40_000,
    "ended afterwards": "<div>" * 40_000 + "</div>" * 40_000,
    "ended before": "</div>" * 40_000 + "<div>" * 40_000,
    "links in containers": "".join(f"<a href=/{n}><div>" for n in range(8_000)),
    "lists": "<ul><li>" * 20_000,
    "tables": "<table><tr><td>" * 20_000,
    "40,000 attributes": "<p " + " ".join(f"a{n}=1" for n in range(40_000)) + ">",
    "quoted": "<p " + "".join(f"a{n}='1'" for n in range(40_000)) + ">",
    "of nothing": "<p" + "".join(f"/a{n}" for n in range(40_000)) + ">",
    "of an end tag": "</p " + " ".join(f"a{n}=1" for n in range(40_000)) + ">",
    "of the end tag of a title": "<title></title " + " ".join(f"a{n}=1" for n in range(40_000)) + ">",
    "of a script": "<script " + " ".join(f"a{n}=1" for n in range(40_000)) + "></script>",
    "whose values hold what ends tags": "<p " + " ".join(f"a{n}='>'" for n in range(40_000)) + ">",
    "beside what begins tags": "<p " + "".join(f"a{n} {'<b ' * (n % 300 == 0)}" for n in range(40_000)) + ">",
    "ended in comments": "<x><!--</x></x>-->" * 60_000,
    "ended in what is taken for a comment": "<x><!y </x>" * 60_000,
    "ended in character data": "<svg>" + "<x><![CDATA[></x></x>]]>" * 60_000,
    "ended in scripts": "<x><script><!--<script></script></x></x>--></script>" * 20_000,
    "ended in titles of SVG": "<x><svg><title><!--</title></x></x>--></title></svg>" * 20_000,
    "ended by other names": "<x></y>" * 60_000,
    "ended by names that only look alike": "<kx></\u212ax>" * 60_000,
    "ended by names with odd spaces": "<x></x\x0b>" * 60_000,
    "ended by none, and what is no tag": "".join(f"<x{n}></br>" for n in range(60_000)),
    "formatting ended in comments": "".join(f"<font size={n}><!--</font>--><p></p>" for n in range(4_000)),
    "a body again and again": "".join(f"<body a{n}=1>" for n in range(40_000)),
    "formatting left open": "".join(f"<font size={n}><p>" for n in range(5_000)),
    "two million tags": "<p>" * 1_600_000,
    "options that are copied": "<select><button><selectedcontent></button>" + "<option>x" * 39_000,
}


@pytest.fixture(params=["document", "sketch"])
def read(request: pytest.FixtureRequest) -> Callable[[bytes], object]:
    def document(html: bytes) -> Document:
        return parse(html, URL)

    def sketch(html: bytes) -> CandidateSketch:
        return CandidateSketch(html, URL, scripting=False)

    return document if request.param == "document" else sketch


@pytest.mark.parametrize("name", ENDLESS)
def test_a_page_that_would_take_very_long_is_refused_in_no_time(name: str, read: Callable[[bytes], object]) -> None:
    html = ENDLESS[name].encode()
    start = time.process_time()
    with pytest.raises(PageUnavailable, match="This page"):
        read(html)
    assert time.process_time() - start < 1


def test_one_end_tag_of_many_attributes_costs_only_its_own_page() -> None:
    attributes = " ".join(f"a{n}=1" for n in range(MOST_ATTRIBUTES + 1))
    with pytest.raises(PageUnavailable, match="attributes"):
        parse(f"<p>text</p {attributes}>", URL)
    assert parse(f"<p>text</p {attributes.rpartition(' ')[0]}>", URL).tags[-1] == "p"


def test_a_long_list_of_options_takes_no_time(read: Callable[[bytes], object]) -> None:
    start = time.process_time()
    read(b"<select>" + b"<option>" * 39_000)
    assert time.process_time() - start < 2


def test_what_stands_just_within_the_limits_is_read(read: Callable[[bytes], object]) -> None:
    read(b"<div>" * MOST_LEVELS)
    read(("<p " + " ".join(f"a{n}=1" for n in range(MOST_ATTRIBUTES)) + ">").encode())
    read(b"<select><button><selectedcontent></button>" + b"<option>x" * MOST_COPIED_OPTIONS)
    check_markup("<p>" * MOST_TAGS)


def test_what_ends_is_not_deep(read: Callable[[bytes], object]) -> None:
    read(b"<div></div>" * 5_000 + b"<br><img><p><li><td>" * 2_000)
    read(b"<svg>" + b"<path/>" * 5_000)
    read(b"<script>" + b"'<div>'" * 5_000 + b"</script><!--" + b"<div>" * 5_000 + b"-->")
    read(b"<p title='" + b"<div>" * 5_000 + b"'>")


def test_a_depth_that_the_markup_does_not_show_is_found_in_the_tree(read: Callable[[bytes], object]) -> None:
    with pytest.raises(PageUnavailable, match="nested deeper"):
        read(b"<div><!--</div>--" + b"><div><!--</div>--" * 700 + b">")


def test_the_copied_option_is_in_the_tree_as_in_browsers() -> None:
    page = parse(
        "<select><button><selectedcontent></selectedcontent></button><option><b>x</b></option></select>", URL
    )
    assert page.tags.count("b") == 2


def benchmark_pages(benchmark_sites: Path) -> Iterator[Path]:
    for group in (benchmark_sites, benchmark_sites.parent / "opened"):
        for folder in sorted(group.iterdir()):
            yield from sorted((folder / "pages").rglob("*.html"))


def test_no_honest_page_is_refused(benchmark_sites: Path) -> None:
    pages = Random(1).sample(list(benchmark_pages(benchmark_sites)), 1_000)
    for file in pages:
        check_markup(decode(file.read_bytes()))
