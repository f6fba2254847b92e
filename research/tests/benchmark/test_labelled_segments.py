"""The segments of a labelled page."""

from sitestencil.page.parsing import parse
from sitestencil_research.measurements.pagelevel import labelled_segments


def test_a_labelled_segment_is_the_largest_part_whose_leaves_are_of_one_kind() -> None:
    page = parse("<body><ul><li>a<li>b</ul><div><p>c<p>d<b>e</b><hr></div>", "http://example.org/")
    assert page.tags == ["html", "head", "body", "ul", "li", "li", "div", "p", "p", "b", "hr"]
    assert labelled_segments(page, "EETTTTTCCCE") == {4: 3, 5: 3, 7: 6, 9: 6}
    assert labelled_segments(page, "EETTTTTCCCT") == {4: 3, 5: 3, 7: 7, 9: 8, 10: 10}
