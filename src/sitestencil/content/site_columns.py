"""Take what compared pages tell of each block of a page."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from sitestencil.detectors.detection import Detection
from sitestencil.page.document import Document
from sitestencil.reading.blocks import Block

Column = Sequence[float]
_UNKNOWN = 0.5  # whether a text is template


def without_unjudged(document: Document, detection: Detection) -> Detection:
    """Return a page's template with no verdict in shadow trees and frames that no page was compared on.

    These have the verdict of the element that holds them, which tells nothing of their text.
    """
    scores, reasons = detection.scores, detection.reasons
    if not document.embedded or scores is None or detection.text_scores is None:
        return detection
    elements, texts, template = list(scores), list(detection.text_scores), list(detection.template_texts)
    for root in document.embedded:
        host, end = document.parents[root], document.ends[root]
        is_equal = reasons is not None and reasons[host].equal == 1
        if not is_equal and set(scores[root:end]) == {scores[host]}:
            elements[root:end] = [_UNKNOWN] * (end - root)
            for number in document.runs(root):
                texts[number], template[number] = _UNKNOWN, False
    return replace(detection, scores=elements, text_scores=texts, template_texts=template)


class SiteColumns(msgspec.Struct, frozen=True, eq=False):
    """The evidence of compared pages for each block.

    Attributes:
        template: the share of its texts that are template; -1 if no page was compared.
        scores: the mean probability that its texts are template; -1 likewise.
        compared: the number of compared pages.
    """

    template: Column
    scores: Column
    compared: int

    @classmethod
    def without_pages(cls, blocks: int) -> "SiteColumns":
        """Return the columns of a page alone."""
        return cls([-1.0] * blocks, [-1.0] * blocks, 0)

    @classmethod
    def of(cls, document: Document, blocks: Sequence[Block], detection: Detection) -> "SiteColumns":
        """Return the columns of a page by its template."""
        if not detection.candidates:
            return cls.without_pages(len(blocks))
        template = list(map(float, detection.template_texts))
        scores = detection.text_scores or _scores_of_texts(document, detection) or template
        return cls(
            [_mean(block.texts, template) for block in blocks],
            [_mean(block.texts, scores) for block in blocks],
            len(detection.candidates),
        )


def _scores_of_texts(document: Document, detection: Detection) -> list[float] | None:
    """Return per text the score of its element, on its own side of one half: a learned template scores no texts."""
    scores = detection.scores
    if scores is None:
        return None
    return [
        max(_UNKNOWN, scores[run.parent]) if is_template else min(_UNKNOWN, scores[run.parent])
        for run, is_template in zip(document.texts, detection.template_texts, strict=True)
    ]


def _mean(numbers: Sequence[int], values: Sequence[float]) -> float:
    if len(numbers) == 1:
        return values[numbers[0]]
    return sum([values[number] for number in numbers]) / len(numbers)
