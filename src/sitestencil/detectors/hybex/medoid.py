"""Find the medoid of a set of points: the point with the least sum of distances to all others.

The direct way takes quadratic time. But the sum of distances to fixed points is convex. So its value and slope at
one point bound it from below everywhere. A point whose bound exceeds the best sum so far is skipped. The answer
stays exact.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import mul, sub

Point = tuple[float, ...]

# Bounds and sums are rounded, so a point is skipped only if it is worse by more than this.
_ROUNDING = 1e-9
# Shorter distances are rounded more, and their inverses overflow. Such neighbours count, but do not pull.
_SHORTEST_EXACT = 1e-300


def medoid(points: Sequence[Point]) -> int:
    """Return the index of the point with the least sum of Euclidean distances; the first of a tie.

    Raises:
        ValueError: there are no points.
    """
    if not points:
        raise ValueError("no points")
    distances = _SumOfDistances(points)
    candidates = distances.distinct
    best = (math.inf, 0)
    inexact = len(points) * _SHORTEST_EXACT
    while candidates:
        point = _central(candidates)
        total, slope = distances.at(point)
        best = min(best, (total, distances.first[point]))
        limit = best[0] * (1 + _ROUNDING) + inexact - total
        candidates = [
            other for other in candidates if other != point and _dot(slope, map(sub, other, point)) <= limit
        ]
    return best[1]


class _SumOfDistances:
    """The sum of the distances to some points; equal points are counted together."""

    def __init__(self, points: Sequence[Point]) -> None:
        counts = Counter(points)
        self.distinct = list(counts)
        self.first: dict[Point, int] = {}
        for number, point in enumerate(points):
            self.first.setdefault(point, number)
        self._counts = list(counts.values())
        self._columns = list(zip(*self.distinct, strict=True))

    def at(self, point: Point) -> tuple[float, Point]:
        """Return the sum at one of the points, and a slope that bounds the sum from below."""
        distances = [math.dist(point, other) for other in self.distinct]
        pulls = [
            count / distance if distance > _SHORTEST_EXACT else 0.0
            for count, distance in zip(self._counts, distances, strict=True)
        ]
        # Subtract first: two points almost the same pull so hard that a difference of products is all rounding
        # error.
        slope = tuple(
            _dot(pulls, [value - other for other in column])
            for value, column in zip(point, self._columns, strict=True)
        )
        return _dot(self._counts, distances), slope


def _central(candidates: Sequence[Point]) -> Point:
    """Return the candidate nearest to their mean: its slope rules out the most points."""
    mean = tuple(math.fsum(column) / len(candidates) for column in zip(*candidates, strict=True))
    return min(candidates, key=lambda point: math.dist(point, mean))


def _dot(left: Iterable[float], right: Iterable[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total
