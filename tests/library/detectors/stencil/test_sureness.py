"""The F1 to expect of an answer, on a small site whose answer is changed by hand."""

from dataclasses import replace

import pytest

from sitestencil.detectors.stencil.evidence import collect_evidence
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.detectors.stencil.sureness import expected_f1
from sitestencil.page.parsing import parse
from sitestencil.page.sketch import Sketch
from sitestencil.site.loaded_page import LoadedPage

PAGE = "<nav><a href='/'>Home</a></nav><main><h1>{0}</h1><p>All about {0}</p></main><footer>End</footer>"


def sketch_of(name: str) -> Sketch:
    return LoadedPage(f"https://site.test/{name}", PAGE.format(name).encode()).sketch()


KEY_PAGE = KeyPage(parse(PAGE.format("boats"), "https://site.test/boats"))
COMPARED = ComparedPages.of([KEY_PAGE.compare(sketch_of(name)) for name in ("ropes", "knots", "tides")])
EVIDENCE = collect_evidence(KEY_PAGE, COMPARED)
DOCUMENT = KEY_PAGE.sketch.document
TEMPLATE = [tag not in {"h1", "p"} for tag in DOCUMENT.tags]
DECIDED = [0.99 if is_template else 0.01 for is_template in TEMPLATE]


def sureness(scores: list[float], template: list[bool], compared: ComparedPages = COMPARED) -> float:
    return expected_f1(KEY_PAGE.sketch, compared, EVIDENCE, scores, template)


def test_a_decided_answer_from_pages_of_the_kind_is_almost_surely_right() -> None:
    assert 0.96 < sureness(DECIDED, TEMPLATE) < 1


@pytest.mark.parametrize(("score", "other"), [(0.15, 0.05), (0.4, 0.15), (0.85, 0.95)])
def test_scores_that_say_neither_make_it_less_sure(score: float, other: float) -> None:
    def with_score(of_p: float) -> list[float]:
        return [of_p if tag == "p" else kept for tag, kept in zip(DOCUMENT.tags, DECIDED, strict=True)]

    assert sureness(with_score(score), TEMPLATE) < sureness(with_score(other), TEMPLATE)


def test_content_that_other_pages_have_makes_it_less_sure() -> None:
    without_menu = [
        is_template and tag not in {"nav", "a"} for tag, is_template in zip(DOCUMENT.tags, TEMPLATE, strict=True)
    ]
    assert sureness(DECIDED, without_menu) < sureness(DECIDED, TEMPLATE)


def test_pages_that_are_not_similar_make_it_less_sure() -> None:
    unlike = ComparedPages.of([replace(page, similarity=0.3) for page in COMPARED.pages])
    assert sureness(DECIDED, TEMPLATE, unlike) < sureness(DECIDED, TEMPLATE)


def test_an_answer_without_content_has_a_sureness() -> None:
    assert 0 < sureness([1.0] * len(DOCUMENT), [True] * len(DOCUMENT)) < 1
