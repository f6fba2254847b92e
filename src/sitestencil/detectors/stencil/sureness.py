"""Estimate the confidence in an answer: its expected F1."""

from collections.abc import Sequence
from math import exp, log

from sitestencil.detectors.stencil.evidence import Evidence
from sitestencil.detectors.stencil.similarity import ComparedPages
from sitestencil.page.key_sketch import KeySketch

# Of some forty figures (docs/errors.md) these four predict F1 best. Two are the shares of undecided scores, by a
# wide and a narrow measure. The third is how much of the content other pages have too. The fourth is the similarity
# of the most similar page. The weights come from a logistic regression on 1,451 answers: all labelled pages and six
# perturbations of them, by trees that had not seen the page's organisation.
_WIDE, _NARROW = (0.1, 0.9), (0.2, 0.8)
_INTERCEPT, _UNDECIDED_WIDELY, _UNDECIDED, _RECURRING, _SIMILARITY = -0.479, -0.324, -0.638, -2.742, 2.267
_LEAST_SHARE = 0.01
# PageLevel's F1 on sites it has not seen (docs/benchmark.md); it answers if no page was compared.
OF_PAGE_ALONE = 0.79


def expected_f1(
    key_sketch: KeySketch,
    compared: ComparedPages,
    evidence: Evidence,
    scores: Sequence[float],
    template: Sequence[bool],
) -> float:
    """Return the expected F1 of an answer, 0 to 1.

    Args:
        key_sketch: the key page.
        compared: the other pages; at least one.
        evidence: their evidence on the key page.
        scores: the answer's score per element of the document.
        template: the answer.
    """
    odds = (
        _INTERCEPT
        + _UNDECIDED_WIDELY * log(_undecided(scores, *_WIDE) + _LEAST_SHARE)
        + _UNDECIDED * log(_undecided(scores, *_NARROW) + _LEAST_SHARE)
        + _RECURRING * _recurring_content(key_sketch, evidence, template)
        + _SIMILARITY * compared.pages[0].similarity
    )
    return 1 / (1 + exp(-odds))


def _undecided(scores: Sequence[float], least: float, most: float) -> float:
    return sum(least < score < most for score in scores) / len(scores)


def _recurring_content(key_sketch: KeySketch, evidence: Evidence, template: Sequence[bool]) -> float:
    """Return the mean weight of the pages that have an element of the content anywhere."""
    found_elsewhere = evidence.judged.found_elsewhere
    shares = [
        share
        for share, element in zip(found_elsewhere, key_sketch.document_elements, strict=True)
        if not template[element]
    ]
    return sum(shares) / len(shares) if shares else 0.0
