"""The F1 to expect of an answer, on a small page whose answer is changed by hand."""

import pytest

from sitestencil.detectors.stencil.sureness import expected_f1
from sitestencil.page.parsing import parse

DOCUMENT = parse(
    "<nav><a href='/'>Home</a></nav><main><h1>Boats</h1><p>All about boats</p></main><footer>End</footer>",
    "https://site.test/boats",
)
TEMPLATE = [tag not in {"h1", "p"} for tag in DOCUMENT.tags]
DECIDED = [0.99 if is_template else 0.01 for is_template in TEMPLATE]


def sureness(scores: list[float], as_page_alone: float = 0.9, *, is_near: bool = True) -> float:
    return expected_f1(scores, as_page_alone, is_near=is_near)


def test_a_decided_answer_from_pages_of_the_kind_is_almost_surely_right() -> None:
    assert 0.96 < sureness(DECIDED) < 1


@pytest.mark.parametrize(("score", "other"), [(0.4, 0.15), (0.6, 0.85)])
def test_scores_that_say_neither_make_it_less_sure(score: float, other: float) -> None:
    def with_score(of_p: float) -> list[float]:
        return [of_p if tag == "p" else kept for tag, kept in zip(DOCUMENT.tags, DECIDED, strict=True)]

    assert sureness(with_score(score)) < sureness(with_score(other))


def test_an_answer_unlike_that_from_the_page_alone_is_less_sure() -> None:
    assert sureness(DECIDED, 0.3) < sureness(DECIDED, 0.9)


def test_pages_that_are_not_near_make_it_less_sure() -> None:
    assert sureness(DECIDED, is_near=False) < sureness(DECIDED)


def test_an_answer_without_content_has_a_sureness() -> None:
    assert 0 < sureness([1.0] * len(DOCUMENT)) < 1
