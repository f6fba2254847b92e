"""Both mappings on any pages: one to one, in order, below mapped parents or wrappers."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_pages import BODIES, DOCUMENTS, document

from sitestencil.detectors.temex.mapping import (
    GROUP_SIZE,
    REGROUPED_FROM,
    EqualityParameters,
    Mapper,
    MappingParameters,
)
from sitestencil.detectors.tolerant_mapping import tolerant_mapping
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch

# The looser the equality, the more is mapped.
LOOSE = EqualityParameters(threshold=0.1)
EXACT = [
    MappingParameters(),
    MappingParameters(equality=LOOSE, compare_roots=False),
    MappingParameters(equality=LOOSE, compare_roots=False, regroup=True),
    MappingParameters(equality=LOOSE, compare_roots=False, keep_order=False),
]


def check_one_to_one(mapping: Mapping[int, int]) -> None:
    assert len(set(mapping.values())) == len(mapping)


def check_parents(mapping: Mapping[int, int], parents: Sequence[int], other_parents: Sequence[int]) -> None:
    roots = 0
    for element, partner in mapping.items():
        if parents[element] in mapping:
            assert mapping[parents[element]] == other_parents[partner]
        else:
            roots += 1
    assert roots <= 1


def check_surroundings(mapping: Mapping[int, int], parents: Sequence[int], other_parents: Sequence[int]) -> None:
    """Next around a mapped pair there is a mapped pair again: between the two there may be wrappers."""
    partners = set(mapping.values())
    for element, partner in mapping.items():
        ours, theirs = parents[element], other_parents[partner]
        while ours >= 0 and ours not in mapping:
            ours = parents[ours]
        while theirs >= 0 and theirs not in partners:
            theirs = other_parents[theirs]
        assert mapping.get(ours, -1) == theirs


def check_order(mapping: Mapping[int, int]) -> None:
    """Elements are numbered in document order, so mapped ones have to ascend together."""
    assert all(before < after for before, after in pairwise(mapping[element] for element in sorted(mapping)))


@pytest.mark.parametrize("parameters", EXACT, ids=["published", "loose", "regrouped", "unordered"])
@given(key_page=DOCUMENTS, other=DOCUMENTS)
@settings(max_examples=200, deadline=None)
def test_temexs_mapping_is_one_to_one_keeps_parents_and_where_it_is_asked_to_the_order(
    parameters: MappingParameters, key_page: Document, other: Document
) -> None:
    mapping = Mapper(parameters).map(key_page, other)
    check_one_to_one(mapping)
    check_parents(mapping, key_page.parents, other.parents)
    if parameters.keep_order:
        check_order(mapping)


@given(key_page=DOCUMENTS, other=DOCUMENTS)
@settings(max_examples=500, deadline=None)
def test_the_tolerant_mapping_is_one_to_one_keeps_the_order_and_wrappers_apart_the_parents(
    key_page: Document, other: Document
) -> None:
    ours, theirs = KeySketch(key_page), KeySketch(other)
    mapping = tolerant_mapping(ours, theirs)
    assert mapping[0] == 0
    check_one_to_one(mapping)
    check_surroundings(mapping, ours.parents, theirs.parents)
    check_order(mapping)


@given(bodies=st.tuples(BODIES, BODIES, BODIES))
@settings(max_examples=100, deadline=None)
def test_what_both_pages_have_around_a_difference_is_mapped_by_the_tolerant_mapping(
    bodies: tuple[str, str, str],
) -> None:
    """A property that an empty mapping does not have: header and footer of one id are found again."""
    same, one, another = bodies
    pages = [
        KeySketch(document(f"<header id=top>{same}</header><main>{content}</main><footer id=end>{same}</footer>"))
        for content in (one, another)
    ]
    mapping = tolerant_mapping(*pages)
    for name in ("header", "footer"):
        ours, theirs = (page.tags.index(name) for page in pages)
        assert mapping.get(ours, theirs) == theirs


@given(st.integers(REGROUPED_FROM, REGROUPED_FROM + GROUP_SIZE), st.integers(REGROUPED_FROM, 2 * REGROUPED_FROM))
@settings(max_examples=5, deadline=None)
def test_crowded_siblings_that_are_mapped_in_groups_keep_all_three_properties(count: int, other_count: int) -> None:
    key_page, other = (document(f"<ul>{'<li>x</li>' * entries}</ul>") for entries in (count, other_count))
    mapping = Mapper(EXACT[2]).map(key_page, other)
    assert len(mapping) > GROUP_SIZE
    check_one_to_one(mapping)
    check_parents(mapping, key_page.parents, other.parents)
    check_order(mapping)
