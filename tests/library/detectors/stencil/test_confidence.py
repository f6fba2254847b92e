"""The F1 to expect of an answer, on a small page whose answer is changed by hand."""

from tests.support.tables import table

from sitestencil.detectors.stencil.doubts import expected_f1
from sitestencil.page.parsing import parse

DOCUMENT = parse(
    "<nav><a href='/'>Home</a></nav><main><h1>Boats</h1><p>All about boats</p></main><footer>End</footer>",
    "https://site.test/boats",
)
TEMPLATE = [tag not in {"h1", "p"} for tag in DOCUMENT.tags]
DECIDED = [0.99 if is_template else 0.01 for is_template in TEMPLATE]


def confidence(scores: list[float], other_texts: float = 0.1) -> float:
    return expected_f1(scores, TEMPLATE, other_texts)


def test_a_decided_answer_from_pages_of_the_kind_is_almost_surely_right() -> None:
    assert 0.96 < confidence(DECIDED) < 1


@table(("score", "other"), [(0.4, 0.15), (0.6, 0.85)])
def test_scores_that_say_neither_make_it_less_sure(score: float, other: float) -> None:
    def with_score(of_p: float) -> list[float]:
        return [of_p if tag == "p" else kept for tag, kept in zip(DOCUMENT.tags, DECIDED, strict=True)]

    assert confidence(with_score(score)) < confidence(with_score(other))


def test_an_answer_without_content_or_without_template_has_a_confidence() -> None:
    for is_template in (True, False):
        assert 0 < expected_f1([1.0] * len(DOCUMENT), [is_template] * len(DOCUMENT), 0.0) < 1
