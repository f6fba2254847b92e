"""Whether confidence can be believed."""

from math import isnan
from random import Random

import pytest

from sitestencil_research.benchmark.calibration import (
    area_under_curve,
    expected_calibration_error,
    rank_correlation,
    reliability_bins,
)


def test_the_bins_hold_equally_many_answers_by_ascending_confidence() -> None:
    random = Random(3)
    predicted = [random.random() for _ in range(95)]
    bins = reliability_bins(predicted, predicted)
    assert len(bins) == 10
    assert {one.count for one in bins} == {9, 10}
    assert [one.least for one in bins] == sorted(one.least for one in bins)
    assert expected_calibration_error(bins) == pytest.approx(0)


def test_fewer_answers_than_bins_make_as_many_bins_as_answers() -> None:
    assert [one.count for one in reliability_bins([0.1, 0.9], [0.0, 1.0])] == [1, 1]


def test_the_error_is_the_distance_from_the_truth_weighed_by_answers() -> None:
    bins = reliability_bins([0.5, 0.5, 0.9, 0.9], [0.0, 1.0, 0.7, 0.7], 2)
    assert [one.error for one in bins] == pytest.approx([0.0, 0.2])
    assert expected_calibration_error(bins) == pytest.approx(0.1)


def test_a_confidence_that_is_always_the_same_has_no_correlation() -> None:
    assert isnan(rank_correlation([0.9, 0.9, 0.9], [0.1, 0.5, 1.0]))


def test_answers_that_are_all_good_have_no_area_under_the_curve() -> None:
    assert isnan(area_under_curve([0.9, 0.8], [True, True]))
