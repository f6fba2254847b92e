"""Compiled main content gives what plain Python gives, bit by bit, on real pages and on hostile ones."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.described_pages import check
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.random_pages import BODIES

from sitestencil.evaluation.labels import labelled_sites
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite

URL = "https://site.example/"
HEAD = "<title>Knots and ropes</title><meta name=description content='How to tie a rope'><h1>Knots</h1>"
TABLE = "<table><tr><td>a<td>b</table><dl><dt>Term<dd>Says <a href=/x>more</a>, 12 of it.</dl>" * 3
NAMED = "<ul class='menu-top nav'>" + "<li class=item-4 style=x id=story role=list><a>Überall 3.</a>" * 9


@given(HOSTILE_MARKUP)
def test_hostile_pages_are_described_as_by_plain_python(html: str) -> None:
    check(parse(html, URL))


@given(BODIES, BODIES, st.sampled_from(["", HEAD]))
def test_common_pages_are_described_as_by_plain_python(one: str, other: str, head: str) -> None:
    check(parse(f"{head}<article class='story-text'>{one}</article>{TABLE}{other}{NAMED}", URL))


@pytest.mark.parametrize(
    "html",
    [
        f"{HEAD}<div><template shadowrootmode=open><p>in <a>the</a> shadow</p></template>light</div><nav><p>x",
        f"{HEAD}<noscript><p>no</noscript><p hidden>no<p style='display: none'>no<input type=hidden><p>yes<b>A</b>",
        "<p>٣ Ⅷ 文字、です。<h1>ÄÖ 12</h1><a href=/>one two</a> three <a href=/>4</a>",
        "<body><p>only" + "<div>" * 400 + "deep",
        "<frameset><frame></frameset>",
        "x",
        "",
    ],
)
def test_odd_pages_are_described_as_by_plain_python(html: str) -> None:
    check(parse(html, URL))


def test_real_pages_are_described_as_by_plain_python(benchmark_sites: Path) -> None:
    folders = labelled_sites(benchmark_sites)
    assert len(folders) > 30
    for folder in folders:
        site = StoredSite(folder)
        for file in sorted(site.pages.rglob("*.html"))[:3]:
            check(parse(file.read_bytes(), site.url_of(file.relative_to(site.pages).as_posix())))
