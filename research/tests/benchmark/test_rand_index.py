"""The adjusted Rand index, against an oracle library."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from sitestencil.page.parsing import parse
from sitestencil_research.benchmark.rand_index import adjusted_rand_index, labelled_segments


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=60))
def test_the_index_is_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    groups, others = [a for a, _ in pairs], [b for _, b in pairs]
    assert adjusted_rand_index(groups, others) == pytest.approx(adjusted_rand_score(groups, others))


def test_the_names_of_the_groups_do_not_matter() -> None:
    assert adjusted_rand_index([1, 1, 2, 2], ["b", "b", "a", "a"]) == 1


def test_a_labelled_segment_is_the_largest_part_whose_leaves_are_of_one_kind() -> None:
    page = parse("<body><ul><li>a<li>b</ul><div><p>c<p>d<b>e</b><hr></div>", "http://example.org/")
    assert page.tags == ["html", "head", "body", "ul", "li", "li", "div", "p", "p", "b", "hr"]
    assert labelled_segments(page, "EETTTTTCCCE") == {4: 3, 5: 3, 7: 6, 9: 6}
    assert labelled_segments(page, "EETTTTTCCCT") == {4: 3, 5: 3, 7: 7, 9: 8, 10: 10}
