"""Bootstrap intervals: what they are, and that they are the same on every run."""

from statistics import NormalDist, stdev

import pytest

from sitestencil_research.benchmark.intervals import SEED, difference_interval, mean_interval


def test_the_interval_of_many_normal_values_is_the_textbooks() -> None:
    values = NormalDist(0.5, 0.1).samples(400, seed=SEED)
    interval = mean_interval(values)
    half = 1.96 * stdev(values) / 400**0.5
    assert interval.high - interval.mean == pytest.approx(half, rel=0.08)
    assert interval.mean - interval.low == pytest.approx(half, rel=0.08)


def test_two_runs_give_the_same_interval() -> None:
    values = [0.2, 0.9, 0.95, 1.0, 0.4]
    assert mean_interval(values) == mean_interval(list(values))


def test_equal_values_have_no_width() -> None:
    interval = mean_interval([0.5] * 7)
    assert (interval.low, interval.mean, interval.high) == (0.5, 0.5, 0.5)


def test_a_site_without_the_figure_is_left_out() -> None:
    assert mean_interval([1.0, None, 0.0]).mean == 0.5
    with pytest.raises(ValueError, match="No site"):
        mean_interval([None, None])


def test_a_difference_is_paired_by_site() -> None:
    ours, theirs = [0.1, 0.9, 0.5, None], [0.0, 0.8, 0.4, 0.3]
    interval = difference_interval(ours, theirs)
    assert (interval.low, interval.high) == pytest.approx((0.1, 0.1))
