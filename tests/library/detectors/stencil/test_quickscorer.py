"""Scoring by trees, many rows at once."""

import pytest
from tests.support.scored_rows import is_scored_alike
from tests.support.tables import table

from sitestencil.detectors.stencil.tree_model import LEAF, QuickScorer, Trees


def test_a_tree_goes_left_up_to_the_value_of_a_node() -> None:
    trees = Trees(roots=[0, 3], feature=[1, LEAF, LEAF, LEAF], value=[0.5, -2.0, 3.0, 0.25], right=[2, 0, 0, 0])
    assert QuickScorer(trees).log_odds([[9.0, 9.0, 7.0], [0.5, 0.6, 0.5]]) == [-1.75, 3.25, -1.75]


@table("rows", [0, 1, 64, 150])
def test_compiled_sums_are_those_of_plain_python_bit_by_bit(rows: int) -> None:
    assert is_scored_alike(rows)


def test_columns_of_unequal_length_are_refused() -> None:
    trees = Trees(roots=[0], feature=[1, LEAF, LEAF], value=[0.5, -2.0, 3.0], right=[2, 0, 0])
    with pytest.raises((ValueError, IndexError)):
        QuickScorer(trees).log_odds([[9.0, 9.0], [0.5]])


def test_a_tree_of_more_than_eight_leaves_is_refused() -> None:
    comb = [0, LEAF] * 8 + [LEAF]
    right = [place + 2 if feature != LEAF else 0 for place, feature in enumerate(comb)]
    with pytest.raises(ValueError, match="9 leaves"):
        QuickScorer(Trees(roots=[0], feature=comb, value=[float(place) for place in range(17)], right=right))
