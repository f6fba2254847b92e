"""Sources that change what another one gives."""

import asyncio

import pytest
from tests.support.small_site import HOME, PAGES

from sitestencil.errors import PageUnavailable
from sitestencil.page.parsing import parse
from sitestencil.site.links import link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import PagesInHand
from sitestencil_research.perturbations.page_changes import HostMove, with_empty_first_child
from sitestencil_research.perturbations.sources import ChangedPages, MovedPages, ParsedPages, WithoutPage, WithPage


def load(source: Source, url: str) -> LoadedPage:
    return asyncio.run(source.load(link_to(url)))


@pytest.fixture
def pages() -> ParsedPages:
    return ParsedPages(PagesInHand(PAGES))


def test_each_page_is_parsed_once_and_those_that_came_are_known(pages: ParsedPages) -> None:
    first, again = load(pages, f"{HOME}b").document(), load(pages, f"{HOME}b").document()
    with pytest.raises(PageUnavailable):
        load(pages, f"{HOME}missing")
    load(pages, f"{HOME}a")
    assert first is again
    assert pages.answered == [f"{HOME}b", f"{HOME}a"]


def test_changed_pages_are_changed_and_the_source_keeps_its_own(pages: ParsedPages) -> None:
    changed = ChangedPages(pages, lambda page: with_empty_first_child(page).document)
    assert len(load(changed, f"{HOME}a").document()) == len(load(pages, f"{HOME}a").document()) + 1


def test_a_page_is_missing_under_each_of_its_addresses(pages: ParsedPages) -> None:
    without = WithoutPage(pages, f"{HOME}a")
    for url in (f"{HOME}a", "http://www.site.test/a"):
        with pytest.raises(PageUnavailable, match="404"):
            load(without, url)
    assert load(without, f"{HOME}b").url == f"{HOME}b"


def test_one_page_more_is_there_beside_the_others(pages: ParsedPages) -> None:
    copy = parse("<p>Copy", f"{HOME}copy")
    with_page = WithPage(pages, copy)
    assert load(with_page, f"{HOME}copy").document() is copy
    assert load(with_page, f"{HOME}a").url == f"{HOME}a"


def test_a_moved_site_answers_on_its_new_host_only(pages: ParsedPages) -> None:
    moved = MovedPages(pages, HostMove("site.test", "new.example:81"))
    page = load(moved, "http://new.example:81/a")
    assert page.url == page.document().url == "http://new.example:81/a"
    assert page.document().tags == load(pages, f"{HOME}a").document().tags
