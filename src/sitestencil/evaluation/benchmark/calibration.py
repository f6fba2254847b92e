"""Whether a detector's sureness can be believed: predicted beside true F1, in bins, and as one figure.

The bins hold equally many answers each, by ascending prediction: predictions crowd near 1, and bins of equal width
would leave most of them empty (adaptive calibration error; Nixon et al., "Measuring Calibration in Deep Learning",
2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, nan, sqrt
from statistics import mean

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of like sureness.

    Attributes:
        count: how many there are.
        least: the least predicted F1 among them.
        most: the greatest.
        predicted: their mean predicted F1.
        true: their mean true F1.
    """

    count: int
    least: float
    most: float
    predicted: float
    true: float

    @property
    def error(self) -> float:
        """How far prediction and truth are apart."""
        return abs(self.predicted - self.true)


def reliability_bins(predicted: Sequence[float], true: Sequence[float], bins: int = BINS) -> list[ReliabilityBin]:
    """Return the answers in bins of equal size, the least sure first; equal predictions keep their order.

    Raises:
        ValueError: there are not as many predictions as truths.

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
    """Return the mean distance of prediction and truth over the bins, each weighed by its answers."""
    return fsum(one.count * one.error for one in bins) / sum(one.count for one in bins)


def rank_correlation(values: Sequence[float], others: Sequence[float]) -> float:
    """Return Spearman's rank correlation, equal values sharing the mean of their ranks; nan where all are equal.

    Raises:
        ValueError: there are not as many values as others.

    Example:
        >>> rank_correlation([1, 2, 3], [10, 20, 15])
        0.5
    """
    ranks, other_ranks = _ranks(values), _ranks(others)
    middle = (len(values) + 1) / 2
    products = fsum((a - middle) * (b - middle) for a, b in zip(ranks, other_ranks, strict=True))
    squares = fsum((a - middle) ** 2 for a in ranks) * fsum((b - middle) ** 2 for b in other_ranks)
    return products / sqrt(squares) if squares else nan


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: rank for rank, value in reversed(list(enumerate(ordered, start=1)))}
    last = {value: rank for rank, value in enumerate(ordered, start=1)}
    return [(first[value] + last[value]) / 2 for value in values]
