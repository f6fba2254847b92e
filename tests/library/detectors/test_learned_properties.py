"""A learned template to bytes and back, whatever the page and whatever the answer about it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_pages import DOCUMENTS

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch

SHARES = st.floats(0, 1)


@st.composite
def answers(draw: st.DrawFn) -> tuple[Document, Detection]:
    """Draw a page and an answer about it."""
    document = draw(DOCUMENTS)
    elements, texts = len(document), len(document.texts)

    def flags(count: int) -> list[bool]:
        return draw(st.lists(st.booleans(), min_size=count, max_size=count))

    def scores(count: int) -> list[float] | None:
        return draw(st.none() | st.lists(SHARES, min_size=count, max_size=count))

    candidates = tuple(draw(st.lists(st.text(max_size=20), max_size=3)))
    more_pages = draw(st.none() | st.integers(0, 100))
    sureness = draw(st.none() | SHARES)
    return document, Detection(
        flags(elements),
        flags(texts),
        candidates,
        scores(elements),
        scores(texts),
        more_pages=more_pages,
        sureness=sureness,
    )


@given(answers())
@settings(max_examples=200, deadline=None)
def test_a_way_through_bytes_changes_nothing(drawn: tuple[Document, Detection]) -> None:
    document, answer = drawn
    learned = LearnedTemplate.of("test", KeySketch(document), answer)
    again = LearnedTemplate.from_bytes(learned.to_bytes())
    assert again.to_bytes() == learned.to_bytes()
    applied = again.apply(document)
    for column in ("template", "template_texts", "candidates", "scores", "text_scores", "more_pages", "sureness"):
        assert getattr(applied, column) == getattr(answer, column)
    assert applied.fit == 1.0


@given(answers(), DOCUMENTS)
@settings(max_examples=200, deadline=None)
def test_any_page_gets_an_answer_for_each_element_and_text(
    drawn: tuple[Document, Detection], further: Document
) -> None:
    learned = LearnedTemplate.of("test", KeySketch(drawn[0]), drawn[1])
    applied = learned.apply(further)
    assert len(applied.template) == len(further)
    assert len(applied.template_texts) == len(further.texts)
    assert applied.fit is not None
    assert 0 <= applied.fit <= 1
