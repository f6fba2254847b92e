"""The positions of a page's elements: the browser's, or estimated from the source.

Without style sheets little is known: blocks stack at their parent's full width, table cells share a row, and text
flows in lines. The estimate lays the page out by these rules. It finds how much room an element needs, and how far
it is from the page's top and bottom.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from sitestencil.page.document import Box, Document
from sitestencil.page.hidden import hides
from sitestencil.page.html_names import INLINE, UNSEEN

PAGE_WIDTH = 1280.0
CHARACTER_WIDTH = 8.0
LINE_HEIGHT = 20.0

# Elements that take room without text: width and height, unless their attributes give others.
_REPLACED = {
    "audio": (300.0, 54.0),
    "canvas": (300.0, 150.0),
    "embed": (300.0, 150.0),
    "iframe": (300.0, 150.0),
    "img": (100.0, 100.0),
    "input": (160.0, LINE_HEIGHT),
    "meter": (80.0, LINE_HEIGHT),
    "object": (300.0, 150.0),
    "progress": (160.0, LINE_HEIGHT),
    "select": (120.0, LINE_HEIGHT),
    "svg": (24.0, LINE_HEIGHT),
    "textarea": (180.0, 2 * LINE_HEIGHT),
    "video": (300.0, 150.0),
}
_WIDE = re.compile("[\u2e80-\U0010ffff]")
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d+)?)\s*(%?)")


def page_boxes(document: Document) -> Sequence[Box]:
    """Return each element's box: the browser's if known, otherwise the estimate."""
    return document.boxes if document.boxes is not None else estimate_boxes(document)


def estimate_boxes(document: Document) -> list[Box]:
    """Return each element's box on a page 1,280 pixels wide, estimated from the source.

    An element that is not rendered, such as a script, has a box without area.
    """
    return _Layout(document).boxes()


class _Layout:
    """A layout without style sheets, as columns over the elements."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.texts = _text_advances(document)
        self.unseen = unrendered(document)
        self.widths = self._widths()
        count = len(document)
        self.inline = [False] * count
        self.advances = [0.0] * count
        self.heights = [0.0] * count
        self.offsets = [(0.0, 0.0)] * count

    def boxes(self) -> list[Box]:
        """Measure from the leaves up, then place from the root down."""
        for element in range(len(self.document) - 1, -1, -1):
            if not self.unseen[element]:
                self._measure(element)
        boxes: list[Box] = []
        for element, parent in enumerate(self.document.parents):
            x, y = (boxes[parent].x, boxes[parent].y) if parent >= 0 else (0.0, 0.0)
            right, down = self.offsets[element]
            width = 0.0 if self.unseen[element] else self.widths[element]
            if self.inline[element]:
                width = min(self.advances[element], width)
            boxes.append(Box(x + right, y + down, width, self.heights[element]))
        return boxes

    def _widths(self) -> list[float]:
        """Return the width available to each element: its parent's, which the cells of a row share."""
        document = self.document
        widths: list[float] = []
        for element, parent in enumerate(document.parents):
            width = widths[parent] if parent >= 0 else PAGE_WIDTH
            if document.tags[element] in {"td", "th"} and document.tags[parent] == "tr":
                width /= len(document.children[parent])
            widths.append(width)
        return widths

    def _measure(self, element: int) -> None:
        tag = self.document.tags[element]
        if tag in _REPLACED:
            self._measure_replaced(element)
            return
        children = [child for child in self.document.children[element] if not self.unseen[child]]
        self.inline[element] = (tag in INLINE or "-" in tag) and all(self.inline[child] for child in children)
        if tag == "tr":
            self._measure_row(element, children)
            return
        flow = _Flow(self.widths[element], self.texts.get((element, -1), 0.0))
        for child in self.document.children[element]:
            if not self.unseen[child]:
                self.offsets[child] = self._put(flow, child)
            flow.advance += self.texts.get((element, child), 0.0)
        self.advances[element] = flow.advance
        flow.end_line()
        self.heights[element] = flow.height

    def _put(self, flow: "_Flow", child: int) -> tuple[float, float]:
        """Put a child into its parent's flow and return its place there."""
        if self.inline[child]:
            return flow.put_inline(self.advances[child], self.heights[child])
        flow.end_line()
        place = (0.0, flow.height)
        flow.height += self.heights[child] if self.document.tags[child] != "br" else 0.0
        return place

    def _measure_row(self, row: int, cells: Sequence[int]) -> None:
        right = 0.0
        for cell in cells:
            self.offsets[cell] = (right, 0.0)
            right += self.widths[cell]
            self.heights[row] = max(self.heights[row], self.heights[cell])

    def _measure_replaced(self, element: int) -> None:
        width, height = _REPLACED[self.document.tags[element]]
        attributes, most = self.document.attributes[element], self.widths[element]
        self.inline[element] = True
        self.advances[element] = min(most, _length(attributes.get("width", ""), most, width))
        self.heights[element] = _length(attributes.get("height", ""), height, height)


@dataclass(slots=True)
class _Flow:
    """The content of an element so far: the height of its full lines, and the open line."""

    width: float
    advance: float
    height: float = 0.0
    tallest: float = LINE_HEIGHT

    def put_inline(self, advance: float, height: float) -> tuple[float, float]:
        """Append an inline box to the open line, and return its start."""
        lines, right = divmod(self.advance, self.width)
        place = (right if right + advance <= self.width else 0.0, self.height + lines * LINE_HEIGHT)
        self.advance += advance
        self.tallest = max(self.tallest, height)
        return place

    def end_line(self) -> None:
        """End the open line, unless it is empty."""
        if self.advance:
            self.height += max(ceil(self.advance / self.width) * LINE_HEIGHT, self.tallest)
            self.advance, self.tallest = 0.0, LINE_HEIGHT


def unrendered(document: Document) -> list[bool]:
    """Return, per element, whether the source hides it from rendering."""
    unseen: list[bool] = []
    for element, parent in enumerate(document.parents):
        within = parent >= 0 and (unseen[parent] or document.tags[parent] in _REPLACED)
        unseen.append(within or is_hidden(document, element))
    return unseen


def is_hidden(document: Document, element: int) -> bool:
    """Return whether the source hides an element itself, whatever is around it."""
    tag, attributes = document.tags[element], document.attributes[element]
    if tag in UNSEEN or (tag == "noscript" and document.scripting):
        return True
    if not attributes:
        return False
    return hides(attributes) or (tag == "input" and attributes.get("type", "").lower() == "hidden")


def _text_advances(document: Document) -> dict[tuple[int, int], float]:
    """Return the length of the text at each place, by its parent and the sibling before it."""
    kept_as_written: list[bool] = []
    for tag, parent in zip(document.tags, document.parents, strict=True):
        kept_as_written.append(tag == "pre" or (parent >= 0 and kept_as_written[parent]))
    advances: dict[tuple[int, int], float] = {}
    for parent, after, text in document.texts:
        if text.isspace() and not kept_as_written[parent]:
            continue
        advance = CHARACTER_WIDTH * len(" ".join(text.split()))
        if not text.isascii():
            advance += CHARACTER_WIDTH * count_wide(text)
        if kept_as_written[parent]:
            advance += text.count("\n") * PAGE_WIDTH / 2
        advances[parent, after] = advances.get((parent, after), 0.0) + advance
    return advances


def count_wide(text: str) -> int:
    """Return the number of characters as wide as ideographs, which have no spaces between words either."""
    return len(_WIDE.findall(text))


def _length(value: str, whole: float, default: float) -> float:
    """Return an attribute's length in pixels; per cent refer to the whole."""
    found = _LENGTH.match(value)
    if found is None:
        return default
    number = float(found[1])
    return whole * min(number, 100.0) / 100 if found[2] else min(number, 10_000.0)
