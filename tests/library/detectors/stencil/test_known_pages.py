"""Pages known from earlier visits answer at once, and a site that has changed is noticed by one load."""

import asyncio
from collections.abc import Callable, Mapping

from tests.library.detectors.stencil.test_detector import FRONT, HOME, site
from tests.support.memory_source import MemorySource
from tests.support.tables import table

from sitestencil.detectors.detection import Detection, Doubt
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.detectors.stored_sketch import encoded
from sitestencil.page.parsing import parse
from sitestencil.site.loading import KnownPage, KnownPages, PageLoader

NEXT = "http://site.test/news/1.html"
BANNER = '<section class="campaign"><h2>Save the harbour</h2><p>Sign the petition today.</p></section>'
SITE = {**site(), **FRONT}


def visit(url: str, pages: Mapping[str, str], known: KnownPages) -> tuple[Detection, list[str]]:
    """Return the answer about a page of a site, and the addresses asked for."""
    source, key_page = MemorySource(pages), parse(pages[url], url)
    return asyncio.run(Stencil().detect(key_page, PageLoader(key_page, source, known=known))), source.asked


def known_after_first_visit() -> KnownPages:
    known = KnownPages()
    visit(HOME, SITE, known)
    return KnownPages([KnownPage(sketch.url, encoded(sketch)) for sketch in known.seen])


def redesigned(html: str) -> str:
    """Return a page with other classes and other words in the frame."""
    new = html.replace('class="', 'class="new-').replace("The Harbour Paper", "Harbour News")
    return new.replace("Part ", "Chapter ").replace("All rights reserved by", "Copyright of")


def with_banner(html: str) -> str:
    return html.replace("<main", f"{BANNER}<main")


def test_the_next_page_needs_no_load_and_has_the_same_answer() -> None:
    known = known_after_first_visit()
    answer, asked = visit(NEXT, SITE, known)
    assert asked == []
    assert known.outdated == []
    assert answer.template == visit(NEXT, SITE, KnownPages())[0].template


@table("change", [redesigned, with_banner])
def test_a_site_that_has_changed_is_forgotten_and_compared_anew(change: Callable[[str], str]) -> None:
    known = known_after_first_visit()
    pages = {url: change(html) for url, html in SITE.items()}
    answer, asked = visit(NEXT, pages, known)
    assert len(asked) > 1
    assert set(known.outdated) == {page.url for page in known.pages}
    assert answer.template == visit(NEXT, pages, KnownPages())[0].template


@table("others", [SITE, {}])
def test_a_new_block_on_one_page_costs_one_load_and_forgets_nothing_out_of_reach_either(
    others: Mapping[str, str],
) -> None:
    known = known_after_first_visit()
    answer, asked = visit(NEXT, {**others, NEXT: with_banner(SITE[NEXT])}, known)
    assert len(asked) == 1
    assert known.outdated == []
    assert len(answer.candidates) >= 3


def test_a_page_without_links_is_alone_whatever_pages_are_known() -> None:
    lone = (
        "<!doctype html><body><div class=lone><h1>Tides</h1><p>High water is at noon today.</p>"
        "<ul><li>Low at six</li><li>High at one</li></ul></div>"
    )
    answer, _ = visit("http://site.test/lone", {"http://site.test/lone": lone}, known_after_first_visit())
    assert answer.candidates
    assert answer.doubt is Doubt.ALONE
