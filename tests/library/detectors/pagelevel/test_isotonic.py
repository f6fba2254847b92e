"""Regularised isotonic regression on trees (Chakrabarti, Kumar, Punera 2007, section 4)."""

from collections.abc import Sequence
from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitestencil.detectors.pagelevel.templateness import isotonic_smooth, segments


def _is_monotone(parents: list[int], values: list[float]) -> bool:
    return all(values[parents[node]] <= values[node] for node in range(1, len(parents)))


def _cost(
    parents: list[int], scores: list[float], penalties: list[float], weights: list[int], values: Sequence[float]
) -> float:
    """c(y) of equation 4: the weighted distance of the values from the scores, and the penalties."""
    total = 0.0
    for node, parent in enumerate(parents):
        total += weights[node] * abs(scores[node] - values[node])
        if node and values[node] != values[parent]:
            total += penalties[node]
    return total


def _brute_force(
    parents: list[int], scores: list[float], penalties: list[float], weights: list[int], levels: list[float]
) -> float:
    """The least cost of any monotone assignment of the levels to the nodes."""
    return min(
        _cost(parents, scores, penalties, weights, values)
        for values in product(levels, repeat=len(parents))
        if _is_monotone(parents, list(values))
    )


def _table(parents: list[int], scores: list[float], penalties: list[float], weights: list[int]) -> float:
    """The least cost by the paper's table of n values per node (Algorithm BuildError)."""
    levels = sorted(set(scores))
    own = [[weight * abs(x - level) for level in levels] for x, weight in zip(scores, weights, strict=True)]
    for node in range(len(parents) - 1, 0, -1):
        least = inf
        above = own[parents[node]]
        for number in range(len(levels) - 1, -1, -1):
            least = min(least, own[node][number])
            above[number] += min(own[node][number], penalties[node] + least)
    return min(own[0])


@st.composite
def _trees(draw: st.DrawFn, most: int) -> tuple[list[int], list[float], list[float], list[int]]:
    count = draw(st.integers(1, most))
    parents = [-1, *(draw(st.integers(0, node - 1)) for node in range(1, count))]
    few = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    scores = draw(st.lists(few | st.floats(0, 1), min_size=count, max_size=count))
    penalties = draw(st.lists(few | st.floats(0, 3), min_size=count, max_size=count))
    weights = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    return parents, scores, penalties, weights


@settings(max_examples=300)
@given(_trees(5))
def test_no_assignment_costs_less_than_the_smoothed_one(
    tree: tuple[list[int], list[float], list[float], list[int]],
) -> None:
    parents, scores, _, _ = tree
    smoothed = isotonic_smooth(*tree)
    assert _cost(*tree, smoothed) == pytest.approx(_brute_force(*tree, sorted(set(scores))))
    assert _is_monotone(parents, smoothed)


@settings(max_examples=300)
@given(_trees(60))
def test_larger_trees_are_smoothed_as_by_the_paper_s_table(
    tree: tuple[list[int], list[float], list[float], list[int]],
) -> None:
    parents, scores, _, _ = tree
    smoothed = isotonic_smooth(*tree)
    assert _cost(*tree, smoothed) == pytest.approx(_table(*tree))
    assert _is_monotone(parents, smoothed)
    assert set(smoothed) <= set(scores)


def test_a_penalty_without_end_forbids_a_change() -> None:
    smoothed = isotonic_smooth([-1, 0, 0], [0.0, 1.0, 1.0], [inf] * 3, [1, 1, 1])
    assert smoothed == [1.0, 1.0, 1.0]


def test_a_segment_is_the_run_of_equal_values_down_the_tree() -> None:
    parents = [-1, 0, 1, 0, 3]
    assert segments(parents, [0.2, 0.7, 0.7, 0.2, 0.7]) == [0, 1, 1, 0, 4]
