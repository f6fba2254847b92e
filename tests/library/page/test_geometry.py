"""Where elements stand, estimated from the source."""

from dataclasses import replace

from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import LINE_HEIGHT, PAGE_WIDTH, estimate_boxes, page_boxes
from sitestencil.page.parsing import parse


def _page(body: str) -> Document:
    return parse(f"<!doctype html><title>t</title><body>{body}", "http://example.org/")


def test_blocks_stack_at_the_page_s_whole_width() -> None:
    page = _page("<header>a</header><main><p>b<p>c</main><footer>d</footer>")
    boxes = estimate_boxes(page)
    places = {page.tags[element]: boxes[element] for element in range(len(page))}
    assert places["header"] == Box(0, 0, PAGE_WIDTH, LINE_HEIGHT)
    assert places["main"] == Box(0, LINE_HEIGHT, PAGE_WIDTH, 2 * LINE_HEIGHT)
    assert places["footer"].y == 3 * LINE_HEIGHT
    assert boxes[0].height == 4 * LINE_HEIGHT


def test_the_cells_of_a_row_stand_side_by_side_and_share_its_width() -> None:
    page = _page("<table><tr><td>a<td><p>b<p>c")
    boxes = estimate_boxes(page)
    left, right = (boxes[element] for element, tag in enumerate(page.tags) if tag == "td")
    assert (left.x, right.x, left.width) == (0, PAGE_WIDTH / 2, PAGE_WIDTH / 2)
    assert boxes[page.tags.index("tr")].height == right.height == 2 * LINE_HEIGHT


def test_what_is_not_rendered_has_no_area() -> None:
    page = _page("<script>let a</script><div hidden><p>a</div><p style='display : none'>b</p><input type=hidden>")
    boxes = estimate_boxes(page)
    hidden = [box for box, tag in zip(boxes, page.tags, strict=True) if tag in {"script", "p", "input", "title"}]
    assert len(hidden) == 5
    assert all(box.width * box.height == 0 for box in hidden)
    assert boxes[0].height == 0


def test_the_browser_s_boxes_are_used_where_there_are_some() -> None:
    page = _page("<p>a")
    rendered = [Box(1, 2, 3, 4)] * len(page)
    assert page_boxes(replace(page, boxes=rendered)) == rendered
    assert page_boxes(page) == estimate_boxes(page)
