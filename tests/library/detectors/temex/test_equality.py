"""The equality probability (thesis, Definition 3.2.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.tables import table
from tests.support.temex_definitions import position_probability

from sitestencil.detectors.temex.equality import EqualityParameters, Signature, equality_probability

NONE: frozenset[str] = frozenset()


def test_the_thesis_example_gives_912() -> None:
    """Example 3.2.5: Pc 1, Pa 2/4 as printed .66, Pch 2/3, Pp .95 with weights .4, .1, .1, .4."""
    parameters = EqualityParameters(
        classes_weight=0.4, attributes_weight=0.1, children_weight=0.1, position_weight=0.4
    )
    classes = frozenset({"Author"})
    ours = Signature("div", "", classes, frozenset({"float", "color", "background-color"}), 2)
    theirs = Signature("div", "", classes, frozenset({"float", "color"}), 3)
    assert equality_probability(ours, theirs, 0.95, parameters) == pytest.approx(0.912, abs=0.002)


def test_the_defaults_are_the_thesis_values() -> None:
    parameters = EqualityParameters()
    weights = (
        parameters.classes_weight,
        parameters.position_weight,
        parameters.attributes_weight,
        parameters.children_weight,
    )
    assert weights == (0.5, 0.2, 0.2, 0.1)
    assert 0.75 < parameters.no_classes < 1
    assert (parameters.no_attributes, parameters.no_children) == (0.25, 1)


def test_nodes_of_different_tags_are_never_equal() -> None:
    div = Signature("div", "same", NONE, NONE, 0)
    assert equality_probability(div, div._replace(tag="p"), 1, EqualityParameters()) == 0


def test_nodes_of_one_tag_and_one_id_are_always_equal() -> None:
    ours = Signature("div", "main", frozenset({"a"}), NONE, 1)
    theirs = Signature("div", "main", frozenset({"b"}), frozenset({"role"}), 50)
    assert equality_probability(ours, theirs, 0, EqualityParameters()) == 1


def test_two_empty_ids_are_no_common_id() -> None:
    ours = Signature("div", "", frozenset({"a"}), NONE, 1)
    assert equality_probability(ours, ours._replace(classes=frozenset({"b"})), 1, EqualityParameters()) < 1


@table(
    ("index", "siblings", "other_index", "other_siblings", "probability"),
    [
        (3, 6, 3, 6, 1.0),
        (3, 6, 4, 6, 1 - 1 / 6),
        (3, 4, 3, 6, 1.0),  # Example 3.2.3: same position from the left
        (3, 4, 5, 6, 1.0),  # Example 3.2.3: same position from the right
        (3, 4, 4, 6, 1.0),
        (3, 4, 2, 6, 1 - 1 / 4),
        (5, 6, 3, 4, 1.0),
        (1, 6, 2, 4, 1 - 1 / 4),
    ],
)
def test_the_position_probability_allows_for_what_was_inserted(
    index: int, siblings: int, other_index: int, other_siblings: int, probability: float
) -> None:
    assert position_probability(index, siblings, other_index, other_siblings) == pytest.approx(probability)


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_position_probability_is_symmetric(siblings: int, other: int, data: st.DataObject) -> None:
    i, j = data.draw(st.integers(0, siblings - 1)), data.draw(st.integers(0, other - 1))
    assert position_probability(i, siblings, j, other) == position_probability(j, other, i, siblings)
