"""The tolerant mapping, similarity and the evidence, on pages of a few elements."""

from itertools import permutations

from sitestencil.detectors.stencil.evidence import IN_CONTENTS, collect_evidence
from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.detectors.tolerant_mapping import tolerant_mapping
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.page.sketch import Sketch

URL = "http://site.test/"


def sketch(body: str, url: str = URL) -> Sketch:
    return CandidateSketch(f"<!doctype html><body>{body}".encode(), url, scripting=False)


def keyed(body: str) -> KeyPage:
    return KeyPage(KeySketch(parse(f"<!doctype html><body>{body}", URL)))


def at(page: Sketch, name: str) -> int:
    return next(element for element in range(len(page)) if page.attributes(element).get("id") == name)


def test_an_element_of_the_same_id_is_mapped_before_one_of_the_same_kind() -> None:
    ours = sketch('<div id="menu">one</div><div id="story">two</div>')
    theirs = sketch('<div>advertisement</div><div id="menu">uno</div><div id="story">due</div>')
    mapping = tolerant_mapping(ours, theirs)
    assert mapping[at(ours, "menu")] == at(theirs, "menu")
    assert mapping[at(ours, "story")] == at(theirs, "story")


def test_entries_of_a_list_are_mapped_in_order_equal_ones_first() -> None:
    ours = sketch("<ul><li id=a>one</li><li id=b>two</li><li id=c>three</li></ul>")
    theirs = sketch("<ul><li>zero</li><li>one</li><li>three</li><li>four</li></ul>")
    mapping = tolerant_mapping(ours, theirs)
    assert theirs.own_texts[mapping[at(ours, "a")]] == "one"
    assert theirs.own_texts[mapping[at(ours, "c")]] == "three"
    assert at(ours, "b") not in mapping


def test_the_mark_of_the_place_in_a_menu_and_numbers_do_not_make_another_kind() -> None:
    ours, theirs = sketch('<p id="x" class="item-3 active">'), sketch('<p id="x" class="item-4">')
    assert ours.kinds[at(ours, "x")] == theirs.kinds[at(theirs, "x")]


def test_the_order_in_which_pages_come_does_not_change_the_evidence() -> None:
    key = keyed('<div id="a"><p>one</p></div><ul><li>x<li>y</ul><p>same</p>')
    others = [
        sketch('<div id="a"><p>two</p></div><ul><li>x<li>y</ul><p>same</p>', f"{URL}1"),
        sketch('<div id="a"><h2>three</h2></div><ul><li>x<li>z</ul><p>same</p>', f"{URL}2"),
        sketch("<main>another kind</main><p>same</p>", f"{URL}3"),
    ]
    found = [
        collect_evidence(key, ComparedPages.of([key.compare(other) for other in order])).columns
        for order in permutations(others)
    ]
    assert len(found[0]) == len(FEATURES)
    assert all(columns == found[0] for columns in found)


def test_a_list_of_places_on_this_page_is_a_table_of_contents_where_other_pages_list_others() -> None:
    def page(*chapters: str) -> str:
        entries = "".join(f'<li><a href="#{name}">{name}</a></li>' for name in chapters)
        heads = "".join(f'<h2 id="{name}">{name}</h2><p>About {name}.</p>' for name in chapters)
        return f'<ul id="contents">{entries}</ul><main>{heads}</main>'

    key = keyed(page("wind", "sails", "ropes"))
    evidence = collect_evidence(key, ComparedPages.of([key.compare(sketch(page("mills", "flour"), f"{URL}1"))]))
    ruled = zip(evidence.judged.elements, evidence.rules, strict=True)
    listed = {element for element, rule in ruled if rule == IN_CONTENTS}
    assert {key.sketch.tags[element] for element in listed} >= {"li"}
    assert at(key.sketch, "contents") not in listed
