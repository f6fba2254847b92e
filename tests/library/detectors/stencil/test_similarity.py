"""Which of the compared pages count: a copy of the key page does not."""

from sitestencil.detectors.stencil.similarity import MOST_PAGES, ComparedPage, ComparedPages, KeyPage
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse

URL = "https://site.test/"
MENU = "<ul><li>News of the harbour<li>Sport in the county<li>Weather at sea</ul>"


def page(name: str, addition: str = "") -> str:
    return (
        f"<!doctype html><body>{MENU}<h1>{name} at the harbour</h1>"
        f"<p>Long is the report of {name}, which the paper prints here.</p>{addition}"
    )


def compared(key: KeyPage, name: str, html: str) -> ComparedPage:
    return key.compare(CandidateSketch(html.encode(), f"{URL}{name}", scripting=False))


def addresses(pages: ComparedPages) -> set[str]:
    return {each.sketch.url.removeprefix(URL) for each in pages.pages}


def test_a_copy_of_the_key_page_with_a_line_more_is_left_out() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    others = [compared(key, name, page(name)) for name in ("Snow", "Hail")]
    copy = compared(key, "print", page("Rain", "<p>Printed on Sunday."))
    assert addresses(ComparedPages.of([*others, copy])) == {"Snow", "Hail"}


def test_two_pages_are_too_few_to_tell_a_copy() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    copy = compared(key, "print", page("Rain", "<p>Printed on Sunday."))
    assert addresses(ComparedPages.of([compared(key, "Snow", page("Snow")), copy])) == {"Snow", "print"}


def test_pages_that_share_what_all_share_are_no_copies() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    names = {"Snow", "Hail", "Sleet", "Wind"}
    assert addresses(ComparedPages.of([compared(key, name, page(name)) for name in sorted(names)])) == names


def test_where_all_are_copies_all_count() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    copies = [compared(key, str(number), page("Rain", f"<p>Copy {number}")) for number in range(3)]
    assert len(ComparedPages.of(copies).pages) == 3


def test_one_page_that_is_much_nearer_does_not_outweigh_all_others() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    pages = ComparedPages.of([compared(key, "Snow", page("Snow")), compared(key, "other", "<table><tr><td>No")])
    assert pages.weights == [0.5, 0.5]


def test_of_many_pages_the_most_similar_count() -> None:
    key = KeyPage(KeySketch(parse(page("Rain"), URL)))
    near = [compared(key, f"near{n}", page(f"Snow {n}")) for n in range(MOST_PAGES)]
    far = [compared(key, f"far{n}", f"<table><tr><td>No {n}") for n in range(9)]
    assert addresses(ComparedPages.of([*far, *near])) == {f"near{n}" for n in range(MOST_PAGES)}
