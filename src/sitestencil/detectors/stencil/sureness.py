"""Estimate the confidence in an answer: its expected F1."""

from collections.abc import Sequence
from math import exp, log

# Of some forty figures (docs/errors.md) these three predict F1 best: the share of undecided scores, the agreement
# with PageLevel, and whether a page is near. The weights come from a logistic regression on 1,302 answers, by trees
# that had not seen the page's organisation: with all pages, with fewer, and with none that is near.
_DECIDED = (0.2, 0.8)
_INTERCEPT, _UNDECIDED, _AS_PAGE_ALONE, _NO_PAGE_NEAR = -0.156, -0.737, 1.722, -0.687
_LEAST_SHARE = 0.01
# PageLevel's F1 on sites it has not seen (docs/benchmark.md); it answers if no page was compared.
OF_PAGE_ALONE = 0.79
# The mean agreement with PageLevel, for pages so large that PageLevel would take a second.
USUAL_AGREEMENT = 0.77
LARGEST_PAGE = 20_000


def expected_f1(scores: Sequence[float], as_page_alone: float, *, is_near: bool) -> float:
    """Return the expected F1 of an answer, 0 to 1.

    Args:
        scores: the answer's score per element of the document.
        as_page_alone: F1 of PageLevel's answer against this one, 0 to 1.
        is_near: whether a compared page is near the key page.
    """
    least, most = _DECIDED
    undecided = sum(least < score < most for score in scores) / len(scores)
    odds = (
        _INTERCEPT
        + _UNDECIDED * log(undecided + _LEAST_SHARE)
        + _AS_PAGE_ALONE * as_page_alone
        + (0.0 if is_near else _NO_PAGE_NEAR)
    )
    return 1 / (1 + exp(-odds))
