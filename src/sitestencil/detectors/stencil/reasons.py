"""Why the detector answers as it does, for every element; made when it is asked for."""

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from sitestencil.detectors.detection import Reason
from sitestencil.detectors.stencil.evidence import Evidence
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch


class Reasons(Sequence[Reason]):
    """A reason for each element of the document. Of the compared pages nothing is kept but what they said."""

    def __init__(self, key_sketch: KeySketch, evidence: Evidence, scores: Sequence[float]) -> None:
        self._document = key_sketch.document
        self._numbers = key_sketch.numbers
        self._document_elements = key_sketch.document_elements
        self._evidence = evidence
        self._scores = scores

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
        compared = _compared(self._document, self._numbers, range(len(self))[element])
        if compared is None:
            return Reason(element, self._scores[element], 0.0, 0.0, 0.0, 0.0, "not compared")
        judged = self._evidence.judged.judged_as[self._numbers[compared]]
        agreement = self._evidence.agreement
        rule = "the body holds what every page has" if compared == self._document.body else self._rules[judged]
        return Reason(
            self._document_elements[judged],
            self._scores[element],
            agreement.mapped[judged],
            agreement.same_text[judged],
            agreement.equal[judged],
            self._evidence.judged.found_elsewhere[judged],
            rule,
        )


def _compared(document: Document, numbers: Sequence[int], element: int) -> int | None:
    """Return the element, or the one above it that it goes with; scripts, for one, are not compared."""
    while element >= 0 and numbers[element] < 0:
        element = document.parents[element]
    return element if element >= 0 else None
