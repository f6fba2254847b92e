"""The mapping of siblings, against Definition 3.3.1 taken literally."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.temex_definitions import position_probability

from sitestencil.detectors.temex.mapping import (
    EqualityParameters,
    Mapper,
    MappingParameters,
    Signature,
    equality_probability,
)
from sitestencil.detectors.temex.siblings import Pair
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse

_SIGNATURES = st.builds(
    Signature,
    tag=st.sampled_from(["li", "p"]),
    id=st.sampled_from(["", "", "", "x", "y"]),
    classes=st.frozensets(st.sampled_from("abc"), max_size=2),
    attributes=st.frozensets(st.sampled_from(["href", "title"]), max_size=1),
    children=st.integers(0, 3),
)
_PARAMETERS = EqualityParameters(threshold=0.5)


def by_probability(
    left: Sequence[Signature], right: Sequence[Signature], parameters: EqualityParameters
) -> list[tuple[float, int, int]]:
    """Return all pairs with their probability, negative; the most probable first, then in document order."""

    def probability(i: int, j: int) -> float:
        position = position_probability(i, len(left), j, len(right))
        return equality_probability(left[i], right[j], position, parameters)

    return sorted((round(-probability(i, j), 9), i, j) for i in range(len(left)) for j in range(len(right)))


def literally_without_order(
    left: Sequence[Signature], right: Sequence[Signature], parameters: EqualityParameters
) -> list[Pair]:
    """Map two lists of siblings: of the pairs of free nodes always the most probable."""
    taken: dict[int, int] = {}
    for probability, i, j in by_probability(left, right, parameters):
        if -probability > parameters.threshold + 1e-9 and i not in taken and j not in taken.values():
            taken[i] = j
    return list(taken.items())


def literally(left: Sequence[Signature], right: Sequence[Signature], parameters: EqualityParameters) -> list[Pair]:
    """Map two lists of siblings exactly as the definition says it."""
    all_pairs = by_probability(left, right, parameters)

    def mapping(rows: range, columns: range) -> list[Pair]:
        pairs = [pair for pair in all_pairs if pair[1] in rows and pair[2] in columns]
        if not pairs or -min(pairs)[0] <= parameters.threshold + 1e-9:
            return []
        _, i, j = min(pairs)
        before = mapping(range(rows.start, i), range(columns.start, j))
        return [*before, (i, j), *mapping(range(i + 1, rows.stop), range(j + 1, columns.stop))]

    return mapping(range(len(left)), range(len(right)))


def mapped(left: Sequence[Signature], right: Sequence[Signature], *, keep_order: bool = True) -> list[Pair]:
    return Mapper(MappingParameters(_PARAMETERS, keep_order=keep_order))._siblings(left, right)


@settings(max_examples=400)
@given(st.lists(_SIGNATURES, min_size=1, max_size=9), st.lists(_SIGNATURES, min_size=1, max_size=9))
def test_the_mapping_is_the_definitions(left: list[Signature], right: list[Signature]) -> None:
    assert sorted(mapped(left, right)) == literally(left, right, _PARAMETERS)


@given(st.lists(_SIGNATURES, min_size=1, max_size=9), st.lists(_SIGNATURES, min_size=1, max_size=9))
def test_without_order_the_most_probable_pair_of_free_nodes_comes_next(
    left: list[Signature], right: list[Signature]
) -> None:
    pairs = mapped(left, right, keep_order=False)
    assert sorted(pairs) == sorted(literally_without_order(left, right, _PARAMETERS))
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


def test_long_lists_that_differ_in_one_place_are_mapped_without_comparing_all_pairs() -> None:
    item = Signature("li", "", frozenset({"entry"}), frozenset(), 1)
    ours = item._replace(tag="p")
    theirs = item._replace(tag="div")
    left = [item] * 10_000 + [ours] + [item] * 10_000
    right = [item] * 10_000 + [theirs] + [item] * 10_000
    pairs = mapped(left, right)
    assert len(pairs) == 20_000
    assert all(i == j for i, j in pairs)


def test_long_lists_of_different_lengths_are_mapped_without_looking_at_all_pairs() -> None:
    item = Signature("li", "", frozenset({"entry"}), frozenset(), 1)
    for keep_order in (True, False):
        mapper = Mapper(MappingParameters(keep_order=keep_order))
        assert len(mapper._siblings([item] * 10_000, [item] * 7_000)) == 7_000
        assert mapper._steps < 10 * 10_000


def test_pages_whose_siblings_differ_too_much_or_stand_too_far_apart_are_not_compared() -> None:
    item = Signature("li", "", frozenset({"entry"}), frozenset(), 1)
    other = item._replace(classes=frozenset({"other"}))
    different = [[item._replace(classes=frozenset({f"{n}{k}"})) for n in range(450)] for k in "ab"]
    far = [[item] * 8_000 + [other] * 8_000, [other] * 8_000 + [item] * 8_000]
    for left, right in (different, far):
        with pytest.raises(PageUnavailable):
            mapped(left, right, keep_order=False)


def test_siblings_of_distinct_names_or_ids_are_not_compared_pair_by_pair() -> None:
    def page(body: str) -> Document:
        return parse(f"<!doctype html><body>{body}", "https://site.example/")

    def compared(one: str, another: str) -> int:
        mapper = Mapper(MappingParameters())
        mapper.map(page(one), page(another))
        return len(mapper._known)

    names = "".join(f"<x-{number}>w</x-{number}>" for number in range(200))
    own, other = ("".join(f"<p id={page}{number}>w" for number in range(200)) for page in "ab")
    assert compared(names, names) <= 201
    assert compared(own, other) <= 2
    assert compared(own, own) <= 2
