"""The compiled pairing of names in order gives what plain Python gives."""

from hypothesis import example, given
from hypothesis import strategies as st

from sitestencil.detectors.native_pairs import ordered_pairs
from sitestencil.detectors.tolerant_mapping import plain_ordered_pairs

NAMES = st.lists(st.one_of(st.none(), st.sampled_from("abc"), st.tuples(st.sampled_from("de"))), max_size=30)


@given(NAMES, NAMES)
@example([], [])
@example([None], [None])
@example(["a"] * 20, ["a"] * 7)
def test_names_are_paired_as_by_plain_python(names: list[object], other_names: list[object]) -> None:
    assert ordered_pairs(names, other_names) == plain_ordered_pairs(names, other_names)
    assert ordered_pairs(tuple(names), other_names) == plain_ordered_pairs(tuple(names), other_names)
