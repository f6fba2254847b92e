"""An element around what another page has directly: it costs itself, and not the page."""

import pytest
from tests.support.tables import table

from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil.evidence import NOWHERE_ELSE, collect_evidence
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.detectors.tolerant_mapping import elements_around, tolerant_mapping
from sitestencil.extraction import learn
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.page.sketch import Sketch

URL = "https://site.test/"
HEAD = "<header><h1>The Harbour Paper</h1><ul><li><a href='/a'>News</a></li><li>Sport</li></ul></header>"
FOOT = "<footer><p>All rights reserved</p></footer>"


def story(text: str) -> str:
    return f"<main><article><h2>{text} today</h2><p>{text} and more.</p></article></main>"


def sketch(body: str, url: str = URL) -> Sketch:
    return CandidateSketch(f"<!doctype html><body>{body}".encode(), url, scripting=False)


def tags_mapped(ours: Sketch, theirs: Sketch) -> dict[str, str]:
    return {ours.tags[one]: theirs.tags[other] for one, other in tolerant_mapping(ours, theirs).items()}


@table("wrapper", ["<div>{}</div>", "<div class='all'>{}</div>", "<div><div>{}</div></div>"])
def test_what_a_wrapper_holds_is_mapped_as_if_it_were_not_there(wrapper: str) -> None:
    plain, other = HEAD + story("Rain") + FOOT, sketch(HEAD + story("Snow") + FOOT)
    for mapped in (
        tags_mapped(sketch(wrapper.format(plain)), other),
        tags_mapped(other, sketch(wrapper.format(plain))),
    ):
        assert {tag: mapped.get(tag) for tag in ("header", "main", "footer", "article", "p")} == {
            tag: tag for tag in ("header", "main", "footer", "article", "p")
        }


def test_a_wrapper_without_classes_around_elements_without_classes_is_taken_off() -> None:
    def page(name: str, wrapper: str = "{}") -> Sketch:
        bare = f"<div><h1>Paper</h1><ul><li>News</ul></div><div><h2>{name}</h2><p>{name}</p></div><div><p>End</div>"
        return sketch(wrapper.format(bare))

    ours, theirs = page("Rain", "<div>{}</div>"), page("Snow")
    partners = tolerant_mapping(ours, theirs)
    (ours_title,), (theirs_title,) = (
        [n for n, tag in enumerate(each.tags) if tag == "h2"] for each in (ours, theirs)
    )
    assert partners[ours_title] == theirs_title


def test_elements_around_take_the_partner_of_what_is_around_them() -> None:
    parents = [-1, 0, 1, 2, 3]
    assert elements_around([4], parents, {0: 10, 4: 14}) == {1: 10, 2: 10, 3: 10}
    assert elements_around([4], parents, {3: 13, 4: 14}) == {}
    assert elements_around([4], parents, {4: 14}) == {}


def test_a_wrapper_is_judged_by_what_is_around_it_and_what_it_holds_for_itself() -> None:
    key = KeyPage(
        KeySketch(parse(f"<!doctype html><body><div id='wrapper'>{HEAD}{story('Rain')}{FOOT}</div>", URL))
    )
    others = [key.compare(sketch(HEAD + story(text) + FOOT, f"{URL}{text}")) for text in ("Snow", "Hail", "Sleet")]
    evidence = collect_evidence(key, ComparedPages.of(others))
    (wrapper,) = (n for n in range(len(key.sketch)) if key.sketch.ids[n] == "wrapper")
    assert wrapper in evidence.judged.elements
    assert evidence.judged.judged_as[wrapper + 1] == wrapper + 1
    assert evidence.agreement.mapped[wrapper] == pytest.approx(1)
    assert NOWHERE_ELSE not in evidence.rules


def test_a_learned_template_is_applied_through_a_wrapper() -> None:
    pages = {f"{URL}{name}": HEAD + story(name) + FOOT for name in ("a", "b", "c")}
    learned = learn(HEAD + story("Rain") + FOOT, url=URL, pages=pages, detector="stencil")
    assert isinstance(learned, LearnedTemplate)
    further: Document = parse(f"<div>{HEAD}{story('Wind')}{FOOT}</div>", f"{URL}d")
    detection = learned.apply(further)
    shown = {further.tags[element] for element, is_template in enumerate(detection.template) if is_template}
    assert {"div", "header", "footer"} <= shown
