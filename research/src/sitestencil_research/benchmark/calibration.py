"""Compare a detector's confidence with the true F1, in bins and as one figure.

All bins hold the same number of answers, sorted by prediction. Predictions crowd near 1, so bins of equal width
would mostly be empty (adaptive calibration error; Nixon et al., "Measuring Calibration in Deep Learning", 2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, nan
from statistics import mean

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of similar confidence: how many, the least and most predicted F1, its mean, and the mean true F1."""

    count: int
    least: float
    most: float
    predicted: float
    true: float

    @property
    def error(self) -> float:
        """The distance between prediction and truth."""
        return abs(self.predicted - self.true)


def reliability_bins(predicted: Sequence[float], true: Sequence[float], bins: int = BINS) -> list[ReliabilityBin]:
    """Return the answers in bins of equal size, the least confident first; ties keep their order.

    Raises:
        ValueError: the numbers of predictions and truths differ.

    Example:
        >>> [(one.predicted, one.true) for one in reliability_bins([0.9, 0.5, 0.7, 0.9], [1.0, 0.2, 0.6, 0.8], 2)]
        [(0.6, 0.4), (0.9, 0.9)]
    """
    answers = sorted(zip(predicted, true, strict=True), key=lambda answer: answer[0])
    edges = [round(number * len(answers) / bins) for number in range(bins + 1)]
    parts = [answers[start:end] for start, end in pairwise(edges) if end > start]
    return [
        ReliabilityBin(
            len(part), part[0][0], part[-1][0], mean(one for one, _ in part), mean(other for _, other in part)
        )
        for part in parts
    ]


def expected_calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """Return the mean distance between prediction and truth; each bin weighs as much as its answers."""
    return fsum(one.count * one.error for one in bins) / sum(one.count for one in bins)


def rank_correlation(values: Sequence[float], others: Sequence[float]) -> float:
    """Return Spearman's rank correlation; ties share their mean rank. Return nan if all values are equal.

    Raises:
        ValueError: the two sequences differ in length.

    Example:
        >>> round(rank_correlation([1, 2, 3], [10, 20, 15]), 6)
        0.5
    """
    from scipy.stats import spearmanr

    if len(set(values)) == 1 or len(set(others)) == 1:
        return nan
    return float(spearmanr(values, others).statistic)


def area_under_curve(values: Sequence[float], are_good: Sequence[bool]) -> float:
    """Return the chance that a good answer has a greater value than a bad one; a tie counts as one half.

    Return nan if all answers are good, or none. This is the area under the ROC curve.

    Raises:
        ValueError: the two sequences differ in length.

    Example:
        >>> area_under_curve([0.5, 0.7, 0.9], [False, True, False])
        0.5
    """
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(are_good, values)) if len(set(are_good)) == 2 else nan
