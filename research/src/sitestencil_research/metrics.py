"""Score elements, or the words, anchor words and links in them (PageLevel, section 6.1).

The content's words are counted the other way round: a content word is right if it is left out of the template. Two
further figures say how much content a person sees, and how much of the template is hidden.

A word has the label of the element that holds its text. The answer for a word is the detector's answer for the
text, not for the element. Where the design has a place for a headline, the element is template and its text is
content.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sitestencil.page.document import Document
from sitestencil.page.html_names import LINKS
from sitestencil.page.words import words
from sitestencil_research.labels import CONTENT, TEMPLATE
from sitestencil_research.scoring import Score, score

_SWAPPED = str.maketrans({TEMPLATE: CONTENT, CONTENT: TEMPLATE})


@dataclass(frozen=True, slots=True)
class TemplateAnswer:
    """The template of a key page as a detector found it, per element and per text node."""

    document: Document
    elements: Sequence[bool]
    texts: Sequence[bool]

    @classmethod
    def of_elements(cls, document: Document, elements: Sequence[bool]) -> "TemplateAnswer":
        """Return an answer given for elements only: each text goes with the element that holds it."""
        return cls(document, elements, [run.parent >= 0 and elements[run.parent] for run in document.texts])


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its name in the figures and for people, and how it scores an answer against elements' labels."""

    name: str
    title: str
    score: Callable[[TemplateAnswer, str], Score]


def score_elements(answer: TemplateAnswer, labels: str) -> Score:
    """Count each element once."""
    return score(answer.elements, labels)


def score_words(answer: TemplateAnswer, labels: str) -> Score:
    """Count the words of every text node."""
    return _score_texts(answer, labels, [True] * len(labels))


def score_content_words(answer: TemplateAnswer, labels: str) -> Score:
    """Count the words of all texts left out of the template, against the words of the content."""
    left_out = [not is_template for is_template in answer.texts]
    return score(
        left_out, _of_texts(answer, labels.translate(_SWAPPED)), _word_counts(answer, [True] * len(labels))
    )


def score_anchor_words(answer: TemplateAnswer, labels: str) -> Score:
    """Count the words in links."""
    inside = [False] * len(labels)
    for element, parent in enumerate(answer.document.parents):
        inside[element] = _is_link(answer.document, element) or (parent >= 0 and inside[parent])
    return _score_texts(answer, labels, inside)


def score_links(answer: TemplateAnswer, labels: str) -> Score:
    """Count each link element once."""
    return score(answer.elements, labels, [_is_link(answer.document, element) for element in range(len(labels))])


def _score_texts(answer: TemplateAnswer, labels: str, counted: Sequence[bool]) -> Score:
    return score(answer.texts, _of_texts(answer, labels), _word_counts(answer, counted))


def _of_texts(answer: TemplateAnswer, labels: str) -> str:
    return "".join(labels[run.parent] for run in answer.document.texts)


def _word_counts(answer: TemplateAnswer, counted: Sequence[bool]) -> list[int]:
    runs = answer.document.texts
    return [len(words(run.text)) if run.parent >= 0 and counted[run.parent] else 0 for run in runs]


def _is_link(document: Document, element: int) -> bool:
    return document.tags[element] in LINKS and "href" in document.attributes[element]


_ALL = (
    Measure("elements", "elements", score_elements),
    Measure("words", "words", score_words),
    Measure("content_words", "the content's words", score_content_words),
    Measure("anchor_words", "words in links", score_anchor_words),
    Measure("links", "links", score_links),
)
MEASURES = MappingProxyType({measure.name: measure for measure in _ALL})


@dataclass(frozen=True, slots=True)
class TextVisibility:
    """The part of a page's texts that a person sees if only the template is shown, as shares of characters.

    White space and texts that are not scored do not count.

    Attributes:
        content_visible: the share of the content's characters that stay visible; 0 if there are none.
        template_hidden: the share of the template's characters that are hidden; 0 if there are none.
    """

    content_visible: float
    template_hidden: float


def text_visibility(answer: TemplateAnswer, labels: str) -> TextVisibility:
    """Return the shares of the texts that a person sees, by an answer."""
    characters = [len("".join(run.text.split())) for run in answer.document.texts]
    totals, visible = {TEMPLATE: 0, CONTENT: 0}, {TEMPLATE: 0, CONTENT: 0}
    for label, is_shown, count in zip(_of_texts(answer, labels), answer.texts, characters, strict=True):
        if label in totals:
            totals[label] += count
            visible[label] += count * is_shown
    hidden = totals[TEMPLATE] - visible[TEMPLATE]
    return TextVisibility(visible[CONTENT] / max(1, totals[CONTENT]), hidden / max(1, totals[TEMPLATE]))
