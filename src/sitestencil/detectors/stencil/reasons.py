"""Explain the detector's answer for every element, on request."""

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from sitestencil.detectors.detection import Reason
from sitestencil.detectors.stencil.evidence import (
    ANOTHER_TEXT,
    BY_SCORE,
    EQUAL_EVERYWHERE,
    IN_CONTENTS,
    IN_FORM,
    IN_LANDMARK,
    LINKS_ON_OTHER_KINDS,
    NOWHERE_ELSE,
    Evidence,
)
from sitestencil.detectors.stencil.similarity import ComparedPages
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch

BODY = "the body holds what every page has"
NOT_COMPARED = "not compared"
# Every rule that a reason may give; the order gives their numbers in the host's protocol.
RULES = (
    BY_SCORE,
    IN_CONTENTS,
    NOWHERE_ELSE,
    ANOTHER_TEXT,
    BODY,
    NOT_COMPARED,
    IN_FORM,
    EQUAL_EVERYWHERE,
    IN_LANDMARK,
    LINKS_ON_OTHER_KINDS,
)
_NO_ELEMENT = -1


class Reasons(Sequence[Reason]):
    """A reason for each element of the document. It keeps only the evidence of the compared pages.

    Args:
        key_sketch: the key page.
        evidence: the evidence on the key page.
        scores: the score per element of the document.
        present: per compared page, a byte per element of the sketch: 1 if the page has it in its place; see
            `presence`.
    """

    def __init__(
        self, key_sketch: KeySketch, evidence: Evidence, scores: Sequence[float], present: Sequence[bytes] = ()
    ) -> None:
        self._document = key_sketch.document
        self._numbers = key_sketch.numbers
        self._document_elements = key_sketch.document_elements
        self._evidence = evidence
        self._scores = scores
        self._present = present

    def __len__(self) -> int:
        """Return the number of elements of the document."""
        return len(self._scores)

    @cached_property
    def _rules(self) -> dict[int, str]:
        return dict(zip(self._evidence.judged.elements, self._evidence.rules, strict=True))

    @overload
    def __getitem__(self, element: int) -> Reason: ...
    @overload
    def __getitem__(self, element: slice) -> list[Reason]: ...
    def __getitem__(self, element: int | slice) -> Reason | list[Reason]:
        """Return an element's reason."""
        if isinstance(element, slice):
            return [self[each] for each in range(*element.indices(len(self)))]
        judged = self.judged_with(element)
        if judged == _NO_ELEMENT:
            return Reason(element, self._scores[element], 0.0, 0.0, 0.0, 0.0, NOT_COMPARED)
        body = self._document.body
        if judged == body:
            rule, judged = BODY, self._judged(judged)
        else:
            judged = self._judged(judged)
            rule = self._rules[judged]
        agreement = self._evidence.agreement
        return Reason(
            self._document_elements[judged],
            self._scores[element],
            agreement.mapped[judged],
            agreement.same_text[judged],
            agreement.equal[judged],
            self._evidence.judged.found_elsewhere[judged],
            rule,
            tuple(number for number, page in enumerate(self._present) if page[judged]),
        )

    def judged_with(self, element: int) -> int:
        """Return the element of the document with the same reason; -1 if it is not compared."""
        compared = _compared(self._document, self._numbers, range(len(self))[element])
        if compared is None:
            return _NO_ELEMENT
        return compared if compared == self._document.body else self._document_elements[self._judged(compared)]

    def all_judged_with(self) -> list[int]:
        """Return `judged_with` of every element, in time that does not depend on their depth."""
        judged: list[int] = []
        for element, parent in enumerate(self._document.parents):
            goes_with_parent = self._numbers[element] < 0 and parent >= 0
            judged.append(judged[parent] if goes_with_parent else self.judged_with(element))
        return judged

    def _judged(self, compared: int) -> int:
        return self._evidence.judged.judged_as[self._numbers[compared]]


def presence(compared: ComparedPages) -> list[bytes]:
    """Return, per compared page, a byte per element of the key page's sketch: 1 if the page has it in its place."""
    return [page.present for page in compared.pages]


def _compared(document: Document, numbers: Sequence[int], element: int) -> int | None:
    """Return the element, or its nearest compared ancestor; scripts, for example, are not compared."""
    while element >= 0 and numbers[element] < 0:
        element = document.parents[element]
    return element if element >= 0 else None
