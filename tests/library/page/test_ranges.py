"""Ranges: sorted, disjoint, in bounds, and the same numbers again."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sitestencil.page.document import ranges

FLAGS = st.lists(st.booleans(), max_size=300)


@given(FLAGS)
def test_ranges_are_sorted_apart_from_each_other_in_bounds_and_hold_the_numbers(flags: list[bool]) -> None:
    made = ranges(number for number, flag in enumerate(flags) if flag)
    assert all(0 <= start < end <= len(flags) for start, end in made)
    assert all(before[1] < after[0] for before, after in pairwise(made))
    assert [number for start, end in made for number in range(start, end)] == [
        number for number, flag in enumerate(flags) if flag
    ]
