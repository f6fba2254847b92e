"""The rules that overrule the score, on small sites made for one rule each."""

from collections.abc import Sequence

from sitestencil.detectors.stencil.evidence import (
    ANOTHER_TEXT,
    BY_SCORE,
    EQUAL_EVERYWHERE,
    IN_FORM,
    IN_LANDMARK,
    LINKS_ON_OTHER_KINDS,
    NOWHERE_ELSE,
    collect_evidence,
)
from sitestencil.detectors.stencil.page_parts import small_forms
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.parsing import parse
from sitestencil.site.loaded_page import LoadedPage

FORM = "<form id='comment'><label>Name</label><input name='name'><button>Send</button></form>"
BOX = "<aside id='box'><h3>Opening hours</h3><p>Every day from nine to five</p></aside>"
STORY = "<article id='story'>{}</article>"
PARAGRAPHS = "".join(f"<p>The {word} paragraph of a long story about {{0}}</p>" for word in "one two three".split())


def page(name: str, more: str = "") -> str:
    story = STORY.format(PARAGRAPHS.format(name) * 9)
    return f"<!doctype html><body><nav id='menu'><a href='/'>Home</a></nav>{story}{more}"


def rules(key_page: str, others: Sequence[str]) -> dict[str, str]:
    """Return the rule for each judged element that has an id."""
    prepared = KeyPage(parse(key_page, "https://site.test/key"))
    sketches = [LoadedPage(f"https://site.test/{n}", html.encode()).sketch() for n, html in enumerate(others)]
    evidence = collect_evidence(prepared, ComparedPages.of(list(map(prepared.compare, sketches))))
    judged = zip(evidence.judged.elements, evidence.rules, strict=True)
    return {name: rule for element, rule in judged if (name := prepared.sketch.ids[element])}


OTHERS = [page(name) for name in ("ropes", "knots", "tides")]


def test_a_form_that_no_other_page_has_is_template() -> None:
    assert rules(page("boats", FORM), OTHERS)["comment"] == IN_FORM


def test_a_list_of_many_choices_makes_no_form_large() -> None:
    boards = "".join(f"<option>The board of {number} sailors and their boats</option>" for number in range(90))
    jump = f"<form id='jump'><select id='boards'>{boards}</select><button>Go</button></form>"
    assert rules(page("boats", jump), OTHERS)["jump"] == IN_FORM


def test_a_list_of_choices_outside_forms_is_template() -> None:
    languages = "<div id='languages'><select id='list'><option>English<option>Deutsch</select></div>"
    assert rules(page("boats", languages), OTHERS)["list"] == IN_FORM


def test_a_form_inside_a_box_that_no_other_page_has_is_judged_alone() -> None:
    found = rules(page("boats", f"<div id='box'><p>News of today and of yesterday</p>{FORM}</div>"), OTHERS)
    assert (found["box"], found["comment"]) == (NOWHERE_ELSE, IN_FORM)


def test_what_no_other_page_has_and_is_no_form_is_content() -> None:
    assert rules(page("boats", BOX), OTHERS)["box"] == NOWHERE_ELSE


def test_a_form_around_the_page_says_nothing_of_what_is_in_it() -> None:
    def wrapped(html: str) -> str:
        return html.replace("<body>", "<body><form id='everything'>")

    sketch = KeyPage(parse(wrapped(page("boats")), "https://site.test/key")).sketch
    assert small_forms(sketch) == []
    assert IN_FORM not in rules(wrapped(page("boats")), list(map(wrapped, OTHERS))).values()


def test_a_footer_that_no_other_page_has_is_template() -> None:
    footer = "<footer id='end'><p>Founded in 1901 by two sailors</p></footer>"
    assert rules(page("boats", footer), OTHERS)["end"] == IN_LANDMARK


def test_a_footer_inside_a_wrapper_that_no_other_page_has_is_judged_alone() -> None:
    more = "<div id='wrapper'><p>News of today</p><footer id='end'><p>Founded in 1901</p></footer></div>"
    found = rules(page("boats", more), OTHERS)
    assert (found["wrapper"], found["end"]) == (NOWHERE_ELSE, IN_LANDMARK)


def test_a_text_in_a_header_that_every_page_has_otherwise_is_content() -> None:
    def titled(name: str) -> str:
        return page(name, f"<header><h1 id='title'>All about {name}</h1></header>")

    assert rules(titled("boats"), [titled(name) for name in ("ropes", "knots", "tides")])["title"] == ANOTHER_TEXT


def test_a_sidebar_is_believed_only_where_no_page_is_near() -> None:
    far = ["<!doctype html><table><tr><td>Nothing of the kind</table>"]
    assert rules(page("boats", BOX), far)["box"] == IN_LANDMARK
    assert rules(page("boats", BOX), OTHERS)["box"] == NOWHERE_ELSE


def test_what_three_pages_have_as_it_is_is_template() -> None:
    others = [page(name, BOX) for name in ("ropes", "knots", "tides")]
    assert rules(page("boats", BOX), others)["box"] == EQUAL_EVERYWHERE


def test_two_pages_that_have_it_could_be_chance() -> None:
    others = [page(name, BOX) for name in ("ropes", "knots")]
    assert rules(page("boats", BOX), others)["box"] == BY_SCORE


def test_what_one_page_has_otherwise_is_judged_by_score() -> None:
    others = [page("ropes", BOX), page("knots", BOX), page("tides", BOX.replace("Every day", "On Mondays"))]
    assert rules(page("boats", BOX), others)["box"] == BY_SCORE


LINKS = "<p id='links'>" + "".join(f"<a href='/{name}'>All {name}</a>" for name in "texts maps days names".split())
OTHER_KIND = "<!doctype html><nav id='menu'><a href='/'>Home</a></nav><table>" + "<tr><td>Price" * 40 + "</table>{}"


def test_links_that_pages_of_other_kinds_have_too_are_template_in_any_place() -> None:
    story = page("boats").replace("<p>The one", LINKS + "<p>The one", 2)
    others = [page("ropes", LINKS), page("knots", LINKS), OTHER_KIND.format(LINKS), OTHER_KIND.format("")]
    assert rules(story, others)["links"] == LINKS_ON_OTHER_KINDS


def test_links_that_only_pages_of_this_kind_have_are_judged_by_score() -> None:
    others = [page("ropes", LINKS), page("knots", LINKS), *[OTHER_KIND.format("")] * 2]
    assert rules(page("boats", LINKS), others)["links"] == BY_SCORE


def test_a_text_that_every_page_has_otherwise_is_content() -> None:
    def titled(name: str) -> str:
        return page(name, f"<h1 id='title'>All about {name}</h1>")

    assert rules(titled("boats"), [titled(name) for name in ("ropes", "knots", "tides")])["title"] == ANOTHER_TEXT


def test_a_picture_that_every_page_has_with_another_description_is_content() -> None:
    def shown(name: str) -> str:
        return page(name, f"<img id='photo' src='photo.jpg' alt='Some {name} in the harbour'>")

    assert rules(shown("boats"), [shown(name) for name in ("ropes", "knots", "tides")])["photo"] == ANOTHER_TEXT
