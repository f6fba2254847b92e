"""What a detector finds: for every element and every text of the key page, whether the template has it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.document import Document


@dataclass(frozen=True, slots=True, repr=False)
class Detection:
    """A detector's answer about a key page.

    Attributes:
        template: per element, whether it belongs to the template.
        template_texts: per text node, whether the text does; one inside a content element never counts.
        candidates: the addresses of the pages that were compared.
        scores: per element, how probable the detector takes it to be template; None where it only votes.
    """

    template: Sequence[bool]
    template_texts: Sequence[bool]
    candidates: tuple[str, ...]
    scores: Sequence[float] | None = None

    def __repr__(self) -> str:
        """Return how much is template."""
        return f"<Detection: {sum(self.template)} of {len(self.template)} elements are template>"


def with_frame(key: Document, template: Sequence[bool]) -> list[bool]:
    """Return the answer completed by what lies outside the compared trees.

    ``html`` and ``head`` carry the design and are template. An embedded tree (an open shadow root, a frame's
    document) exists in the live page only, not in the candidates' bytes: it goes with the element that hosts it.
    """
    complete = list(template)
    body = key.body if key.body is not None else len(key)
    complete[:body] = [True] * body
    for root in key.embedded:
        host = complete[key.parents[root]]
        complete[root : key.ends[root]] = [host] * (key.ends[root] - root)
    return complete


def with_containers(key: Document, template: Sequence[bool]) -> list[bool]:
    """Return the answer completed by everything that contains a template element."""
    complete = list(template)
    for element in range(len(complete) - 1, 0, -1):
        if complete[element]:
            complete[key.parents[element]] = True
    return complete
