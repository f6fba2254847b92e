"""What a score can count: elements, or the words, anchor words and links in them (PageLevel, section 6.1).

A word has the label of the element that holds its text. Whether a detector called the word template is its answer
about the text, not about the element: where the design has a place for a headline, the element is template and the
text in it is content.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sitestencil.evaluation.scoring import Score, score
from sitestencil.page.document import Document
from sitestencil.page.html_names import LINKS

# Scripts written without spaces count by the character, as PageLevel's words would be meaningless there.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")


@dataclass(frozen=True, slots=True)
class TemplateAnswer:
    """What was called template of a key page, per element and per text node."""

    document: Document
    elements: Sequence[bool]
    texts: Sequence[bool]

    @classmethod
    def of_elements(cls, document: Document, elements: Sequence[bool]) -> "TemplateAnswer":
        """Return the answer of those who tell elements only: a text goes with the element that holds it."""
        return cls(document, elements, [run.parent >= 0 and elements[run.parent] for run in document.texts])


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that can be counted.

    Attributes:
        name: what the figures call it.
        title: what people call it.
        score: scores an answer against the labels of the elements.
    """

    name: str
    title: str
    score: Callable[[TemplateAnswer, str], Score]


def scored_words(text: str) -> list[str]:
    """Return the words of a text in lower case; an ideograph or kana counts as one."""
    return _WORD.findall(text.lower())


def score_elements(answer: TemplateAnswer, labels: str) -> Score:
    """Count each element once."""
    return score(answer.elements, labels)


def score_words(answer: TemplateAnswer, labels: str) -> Score:
    """Count the words of every text node."""
    return _score_texts(answer, labels, [True] * len(labels))


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
    runs = answer.document.texts
    counts = [len(scored_words(run.text)) if run.parent >= 0 and counted[run.parent] else 0 for run in runs]
    return score(answer.texts, "".join(labels[run.parent] for run in runs), counts)


def _is_link(document: Document, element: int) -> bool:
    return document.tags[element] in LINKS and "href" in document.attributes[element]


_ALL = (
    Measure("elements", "elements", score_elements),
    Measure("words", "words", score_words),
    Measure("anchor_words", "words in links", score_anchor_words),
    Measure("links", "links", score_links),
)
MEASURES = MappingProxyType({measure.name: measure for measure in _ALL})
