"""Where elements stand, estimated from the source."""

from dataclasses import replace

from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import LINE_HEIGHT, PAGE_WIDTH, estimate_boxes, page_boxes
from sitestencil.page.parsing import parse


def _page(body: str) -> Document:
    return parse(f"<!doctype html><title>t</title><body>{body}", "http://example.org/")


def _box(body: str, tag: str) -> Box:
    page = _page(body)
    return estimate_boxes(page)[page.tags.index(tag)]


def test_blocks_stack_at_the_page_s_whole_width() -> None:
    page = _page("<header>a</header><main><p>b<p>c</main><footer>d</footer>")
    boxes = estimate_boxes(page)
    places = {page.tags[element]: boxes[element] for element in range(len(page))}
    assert places["header"] == Box(0, 0, PAGE_WIDTH, LINE_HEIGHT)
    assert places["main"] == Box(0, LINE_HEIGHT, PAGE_WIDTH, 2 * LINE_HEIGHT)
    assert places["footer"].y == 3 * LINE_HEIGHT
    assert boxes[0].height == 4 * LINE_HEIGHT


def test_text_breaks_into_lines() -> None:
    assert _box("<p>" + "word " * 100, "p").height == 4 * LINE_HEIGHT


def test_a_link_is_as_wide_as_its_text_and_stands_behind_what_is_before_it() -> None:
    assert _box("<p>four<a href=x>twelve</a>", "a") == Box(32, 0, 48, LINE_HEIGHT)


def test_wide_characters_take_twice_the_room() -> None:
    assert _box("<p><a href=x>网上商城</a>", "a").width == 2 * _box("<p><a href=x>shop</a>", "a").width


def test_the_cells_of_a_row_stand_side_by_side_and_share_its_width() -> None:
    page = _page("<table><tr><td>a<td><p>b<p>c")
    boxes = estimate_boxes(page)
    left, right = (boxes[element] for element, tag in enumerate(page.tags) if tag == "td")
    assert (left.x, right.x, left.width) == (0, PAGE_WIDTH / 2, PAGE_WIDTH / 2)
    assert boxes[page.tags.index("tr")].height == right.height == 2 * LINE_HEIGHT


def test_a_picture_is_as_large_as_its_attributes_say() -> None:
    assert _box('<p><img width="400" height="300px">', "img")[2:] == (400, 300)
    assert _box('<p><img width="50%" height="300">', "img").width == PAGE_WIDTH / 2
    assert _box('<p><img width="400" height="300">', "p").height == 300


def test_what_is_not_rendered_has_no_area() -> None:
    page = _page("<script>let a</script><div hidden><p>a</div><p style='display : none'>b</p><input type=hidden>")
    boxes = estimate_boxes(page)
    hidden = [box for box, tag in zip(boxes, page.tags, strict=True) if tag in {"script", "p", "input", "title"}]
    assert len(hidden) == 5
    assert all(box.width * box.height == 0 for box in hidden)
    assert boxes[0].height == 0


def test_an_inline_element_around_blocks_is_laid_out_as_a_block() -> None:
    assert _box("<a href=x><div>one</div><div>two</div></a>", "a") == Box(0, 0, PAGE_WIDTH, 2 * LINE_HEIGHT)


def test_the_browser_s_boxes_are_used_where_there_are_some() -> None:
    page = _page("<p>a")
    rendered = [Box(1, 2, 3, 4)] * len(page)
    assert page_boxes(replace(page, boxes=rendered)) == rendered
    assert page_boxes(page) == estimate_boxes(page)
