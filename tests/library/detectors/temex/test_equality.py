"""The equality probability (thesis, Definition 3.2.2)."""

import pytest

from sitestencil.detectors.temex.mapping import EqualityParameters, Signature, equality_probability

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
