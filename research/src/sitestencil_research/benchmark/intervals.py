"""Bootstrap confidence intervals of means over few sites, the same on every run.

Each resample draws, with replacement, as many sites as there are. The interval lies between percentiles of the
resampled means (Efron's percentile interval). All entrants share the draws, so their differences are paired.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from random import Random
from statistics import quantiles

SEED = 20260
RESAMPLES = 5000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: Sequence[float | None]) -> Interval:
    """Return the mean of a figure over sites, with its interval; None marks a site without that figure.

    Raises:
        ValueError: no site has the figure.
    """
    return grouped_interval([[] if value is None else [value] for value in values])


def difference_interval(values: Sequence[float | None], others: Sequence[float | None]) -> Interval:
    """Return the interval of the mean difference between two entrants' figures on the same sites."""
    pairs = zip(values, others, strict=True)
    return mean_interval([None if a is None or b is None else a - b for a, b in pairs])


def grouped_interval(groups: Sequence[Sequence[float]]) -> Interval:
    """Return the mean over all values, with an interval for which whole groups are drawn.

    Raises:
        ValueError: there are no values.
    """
    sums, counts = [fsum(group) for group in groups], [len(group) for group in groups]
    if not any(counts):
        raise ValueError("No site has this figure.")
    drawn = ((sum(map(sums.__getitem__, draw)), sum(map(counts.__getitem__, draw))) for draw in _draws(len(groups)))
    means = [total / count for total, count in drawn if count]
    cuts = quantiles(means, n=round(2 / (1 - LEVEL)), method="inclusive")
    return Interval(fsum(sums) / sum(counts), cuts[0], cuts[-1])


@lru_cache(maxsize=4)
def _draws(sites: int) -> list[list[int]]:
    random = Random(SEED)  # noqa: S311 - no secret: every run must draw the same sites
    return [random.choices(range(sites), k=sites) for _ in range(RESAMPLES)]
