"""Estimate the confidence in an answer: its expected F1."""

from collections.abc import Sequence
from math import exp, log

# Of some forty figures (research/docs/errors.md) these two predict F1 best: the number of undecided scores beside
# that of template elements, and the share of elements that have another text on all pages. The weights come from a
# logistic regression on 2,490 answers, by trees that had not seen the page's organisation: as loaded (these weigh
# three times), with fewer pages, and with none that is near.
_DECIDED = (0.2, 0.8)
_INTERCEPT, _UNDECIDED, _OTHER_TEXTS = 1.180, -0.692, 6.958
_LEAST_SHARE = 0.01
# PageLevel's F1 on sites it has not seen (research/docs/benchmark.md); it answers if no page was compared.
OF_PAGE_ALONE = 0.79


def expected_f1(scores: Sequence[float], template: Sequence[bool], other_texts: float) -> float:
    """Return the expected F1 of an answer, 0 to 1.

    Args:
        scores: the answer's score per element of the document.
        template: whether each element is template.
        other_texts: the share of the compared elements that have another text on all pages.
    """
    least, most = _DECIDED
    undecided = sum(least < score < most for score in scores) / max(1, sum(template))
    odds = _INTERCEPT + _UNDECIDED * log(undecided + _LEAST_SHARE) + _OTHER_TEXTS * other_texts
    return 1 / (1 + exp(-odds))
