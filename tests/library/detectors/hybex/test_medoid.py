"""The medoid, against its definition."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitestencil.detectors.hybex.detector import Point, medoid

coarse = st.integers(-2, 2).map(float)
fine = st.floats(-100, 100)
points = st.lists(st.one_of(st.tuples(*[coarse] * 4), st.tuples(*[fine] * 4)), min_size=1, max_size=30)


def sums(several: list[Point]) -> list[float]:
    return [math.fsum(math.dist(point, other) for other in several) for point in several]


ALMOST_THE_SAME = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 4.0), (5e-86, 4.0)]
# The inverse of such a distance is infinite.
THE_LEAST_APART = [(100.0, 5e-324), (0.0, 100.0), (100.0, 0.0), (-3.0, 1.0), (0.0, 100.0)]
ALL_THE_LEAST_APART = [(6e-323, 2.5e-323), (-5e-323, -4e-323), (-1e-323, -8e-323)]
FAR_FROM_THE_ORIGIN = [
    tuple(100 - steps * math.ulp(99.0) for steps in point) for point in ((2, 1), (1, 3), (0, 0), (3, 6), (1, 2))
]


@settings(max_examples=500)
@given(points)
@example(ALMOST_THE_SAME)
@example(THE_LEAST_APART)
@example(ALL_THE_LEAST_APART)
@example(FAR_FROM_THE_ORIGIN)
def test_no_point_has_a_smaller_sum_of_distances(several: list[Point]) -> None:
    expected = sums(several)
    assert expected[medoid(several)] <= min(expected) * (1 + 1e-9)


def test_without_points_there_is_none() -> None:
    with pytest.raises(ValueError, match="no points"):
        medoid([])
