"""A detector's answer: for every element and every text of a page, whether the template has it."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from sitestencil.detectors.doubt import Doubt
from sitestencil.page.document import Document


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an element is taken for template, or for content. Shares are of the compared pages, by their weight.

    Attributes:
        element: the element that was judged: the one asked for, or the one above it whose judgement it takes.
        score: 0 to 1, how probable it is template.
        mapped: the share of the pages that have it in its place.
        same_text: that have its own text there.
        equal: that have it there with all that is in it.
        found_elsewhere: that have an equal subtree anywhere.
        rule: what decided instead of the score; empty where the score did.
        pages: the numbers of the compared pages, as in `Detection.candidates`, that have it in its place.
    """

    element: int
    score: float
    mapped: float
    same_text: float
    equal: float
    found_elsewhere: float
    rule: str = ""
    pages: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return the reason as a line of text."""
        agreed = f"in place {self.mapped:.0%}, same text {self.same_text:.0%}, equal {self.equal:.0%}"
        rule = f"; {self.rule}" if self.rule else ""
        return f"{self.score:.2f}: {agreed}, found anywhere {self.found_elsewhere:.0%}{rule}"


@dataclass(frozen=True, slots=True, repr=False)
class Detection:
    """A detector's answer about a key page.

    Attributes:
        template: per element, whether it belongs to the template.
        template_texts: per text node, whether the text does; one inside a content element never counts.
        candidates: the addresses of the pages that were compared.
        scores: per element, how probable the detector takes it to be template; None where it only votes.
        text_scores: per text node, how probable it is that the template has a text there.
        reasons: per element, why; None where the detector does not tell, or had no page to compare with.
        more_pages: how many further pages of the key page's kind would make the answer surer; None where the
            detector does not tell.
        fit: how far the page is of the kind that the answer was learned from, 0 to 1; 1 for the key page itself.
        doubt: what is wrong where the answer is no more than a guess; None where nothing is known to be.
        sureness: the F1 to expect of the answer, 0 to 1; None where the detector does not tell.
        unknown: in how many places of the template a part stands that what was learned says nothing of; such
            parts are taken for content.

    Example:
        >>> from sitestencil import extract
        >>> extract("<p>A page alone", url="https://site.example/", pages={}, detector="pagelevel").detection
        <Detection: 2 of 4 elements are template>
    """

    template: Sequence[bool]
    template_texts: Sequence[bool]
    candidates: tuple[str, ...]
    scores: Sequence[float] | None = None
    text_scores: Sequence[float] | None = None
    reasons: Sequence[Reason] | None = None
    more_pages: int | None = None
    fit: float = 1.0
    doubt: Doubt | None = None
    sureness: float | None = None
    unknown: int = 0

    def __repr__(self) -> str:
        """Return how much is template."""
        return f"<Detection: {sum(self.template)} of {len(self.template)} elements are template>"


def with_frame(page: Document, template: Sequence[bool], compared: Container[int] = ()) -> list[bool]:
    """Return the answer completed by what lies outside the compared trees.

    ``html`` and ``head`` carry the design and are template. An embedded tree (an open shadow root, a frame's
    document) goes with the element that holds it.

    Args:
        page: the page.
        template: the answer.
        compared: the roots of the embedded trees that were compared, which have answers of their own.
    """
    complete = list(template)
    body = page.body if page.body is not None else len(page)
    complete[:body] = [True] * body
    for root in page.embedded:
        if root in compared:
            continue
        host = complete[page.parents[root]]
        complete[root : page.ends[root]] = [host] * (page.ends[root] - root)
    return complete


def with_containers(page: Document, template: Sequence[bool]) -> list[bool]:
    """Return the answer completed by everything that contains a template element."""
    complete = list(template)
    for element in range(len(complete) - 1, 0, -1):
        if complete[element]:
            complete[page.parents[element]] = True
    return complete
