"""The medoid, against its definition."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitestencil.detectors.hybex.medoid import Point, medoid

coarse = st.integers(-2, 2).map(float)
fine = st.floats(-100, 100, allow_subnormal=False)  # whose distances are not exact
points = st.lists(st.one_of(st.tuples(*[coarse] * 4), st.tuples(*[fine] * 4)), min_size=1, max_size=30)


def sums(several: list[Point]) -> list[float]:
    return [math.fsum(math.dist(point, other) for other in several) for point in several]


ALMOST_THE_SAME = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 4.0), (5e-86, 4.0)]


@settings(max_examples=500)
@given(points)
@example(ALMOST_THE_SAME)
def test_no_point_has_a_smaller_sum_of_distances(several: list[Point]) -> None:
    expected = sums(several)
    assert expected[medoid(several)] <= min(expected) * (1 + 1e-9)


def test_the_first_of_equal_points_is_taken() -> None:
    assert medoid([(5.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]) == 1


def test_points_on_a_sphere_have_one_too() -> None:
    circle = [(math.cos(angle), math.sin(angle)) for angle in range(12)]
    expected = sums(list(circle))
    assert expected[medoid(circle)] == pytest.approx(min(expected))


def test_without_points_there_is_none() -> None:
    with pytest.raises(ValueError, match="no points"):
        medoid([])
