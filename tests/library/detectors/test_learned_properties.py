"""A learned template to bytes and back, whatever the page and whatever the answer about it."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.random_pages import DOCUMENTS, URL

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.template import Template

SHARES = st.floats(0, 1)
# Most of these parts are not compared, so pages that differ in them have one hash.
_PARTS = st.sampled_from(
    [
        *("x", " ", "<p></p>", "<p>x</p>", "<p>x<script>y</script></p>", "<svg></svg>", "<!-- x -->"),
        *("<script></script>", "<script>home</script>", "<style>a{}</style>", "<title>x</title>", "<link>"),
        *("<noscript>x</noscript>", "<noscript><p>x</p></noscript>", "<template><p>x</template>"),
        *("<div><template shadowrootmode=open><p>x</p></template></div>", "<frameset><frame></frameset>"),
    ]
)
LOOKING_ALIKE = st.builds(
    lambda parts, scripting: parse("".join(parts), URL, scripting=scripting),
    st.lists(_PARTS, max_size=4),
    st.booleans(),
)
EMPTY_SCRIPT = parse("<script></script>", URL)
OUTPUTS = (
    Template.to_html,
    Template.to_folder,
    Template.to_jinja,
    Template.slots,
    Template.to_annotated_html,
    Template.content_html,
    Template.content_text,
    Template.content_markdown,
    Template.selectors,
    Template.to_json_lines,
    Template.to_json,
    Template.to_reasons,
)


@st.composite
def answers(draw: st.DrawFn, documents: st.SearchStrategy[Document] = DOCUMENTS) -> tuple[Document, Detection]:
    document = draw(documents)
    elements, texts = len(document), len(document.texts)

    def flags(count: int) -> list[bool]:
        return draw(st.lists(st.booleans(), min_size=count, max_size=count))

    def scores(count: int) -> list[float] | None:
        return draw(st.none() | st.lists(SHARES, min_size=count, max_size=count))

    candidates = tuple(draw(st.lists(st.text(max_size=20), max_size=3)))
    more_pages = draw(st.none() | st.integers(0, 100))
    confidence = draw(st.none() | SHARES)
    return document, Detection(
        flags(elements),
        flags(texts),
        candidates,
        scores(elements),
        scores(texts),
        more_pages=more_pages,
        confidence=confidence,
    )


@given(answers())
@settings(max_examples=200, deadline=None)
def test_a_way_through_bytes_changes_nothing(drawn: tuple[Document, Detection]) -> None:
    document, answer = drawn
    learned = LearnedTemplate.of("test", KeySketch(document), answer)
    again = LearnedTemplate.from_bytes(learned.to_bytes())
    assert again.to_bytes() == learned.to_bytes()
    applied = again.apply(document)
    for column in ("template", "template_texts", "candidates", "scores", "text_scores", "more_pages", "confidence"):
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


@given(answers(LOOKING_ALIKE), LOOKING_ALIKE)
@settings(max_examples=300, deadline=None)
@example((EMPTY_SCRIPT, Detection([True] * 4, [], ())), parse("<script>home</script>", URL))
@example((EMPTY_SCRIPT, Detection([True] * 4, [], ())), parse("<style>a{}</style>", URL))
def test_every_output_can_be_written_of_a_page_that_differs_only_in_what_is_not_compared(
    drawn: tuple[Document, Detection], further: Document
) -> None:
    learned = LearnedTemplate.of("test", KeySketch(drawn[0]), drawn[1])
    template = Template(further, learned.apply(further))
    assert len(template.detection.template_texts) == len(further.texts)
    assert template.detection.text_scores is None or len(template.detection.text_scores) == len(further.texts)
    for write in OUTPUTS:
        write(template)
