"""Scoring by trees, many rows at once."""

import pytest

from sitestencil.detectors.stencil.quickscorer import LEAF, QuickScorer, Trees


def test_a_tree_goes_left_up_to_the_value_of_a_node() -> None:
    trees = Trees(roots=[0, 3], feature=[1, LEAF, LEAF, LEAF], value=[0.5, -2.0, 3.0, 0.25], right=[2, 0, 0, 0])
    assert QuickScorer(trees).log_odds([[9.0, 9.0, 7.0], [0.5, 0.6, 0.5]]) == [-1.75, 3.25, -1.75]


def test_a_tree_of_more_than_eight_leaves_is_refused() -> None:
    comb = [0, LEAF] * 8 + [LEAF]
    right = [place + 2 if feature != LEAF else 0 for place, feature in enumerate(comb)]
    with pytest.raises(ValueError, match="9 leaves"):
        QuickScorer(Trees(roots=[0], feature=comb, value=[float(place) for place in range(17)], right=right))
