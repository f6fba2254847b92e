"""Reduce the content's tree to the few elements of Markdown, so that the output can hold nothing else.

Blocks inside a line of text (a heading in a link, a list in a table's cell) become part of that line. A table with
blocks in its cells serves the layout: its cells become blocks of their own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sitestencil.outputs.plain_text import collapsed, preformatted
from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol"})
_EMPHASIS = {
    "b": "strong",
    "strong": "strong",
    "em": "em",
    "i": "em",
    "cite": "em",
    "var": "em",
    "del": "del",
    "s": "del",
    "strike": "del",
}
# A table's parts are blocks, but tell nothing about its cells.
_BLOCKS_OF_THEIR_OWN = BLOCKS - {"tr", "tbody", "thead", "tfoot", "caption"}
_CODE = frozenset({"code", "kbd", "samp", "tt", "pre"})
# A relative address has no scheme; only a page of unknown address has any.
_LINKED = re.compile(r"(?:https?://|mailto:|tel:|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
_IMAGE = re.compile(r"(?:https?://|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
# No honest text is nested deeper; anything below becomes part of one line.
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class _Place:
    """The place for the children of an element.

    Attributes:
        children: the remaining children.
        target: the element that receives them.
        in_line: whether the target is a line of text.
        inside: the names of the target and its ancestors.
        depth: the target's depth.
        has_one_block: whether the target receives a single element.
        ends_with: a text to add to the target after its last child.
    """

    children: Iterator[Element | str]
    target: Element
    in_line: bool
    inside: frozenset[str]
    depth: int
    has_one_block: bool
    ends_with: str = ""


def markdown_tree(body: Element) -> Element:
    """Return a ``div`` that holds only headings, paragraphs, lists, quotes, code, tables, links and images."""
    return _Builder(body).build(body)


class _Builder:
    def __init__(self, body: Element) -> None:
        self._with_blocks = _elements_with_blocks(body)
        self._places: list[_Place] = []

    def build(self, body: Element) -> Element:
        root = Element("div")
        self._places.append(_place(body, root, in_line=False, inside=frozenset({"div"}), depth=0))
        while self._places:
            place = self._places[-1]
            child = next(place.children, None)
            if child is None:
                place.target.add(place.ends_with)
                self._places.pop()
            elif isinstance(child, str):
                place.target.add(collapsed(child))
            elif child.name in _CODE:
                _add_code(child, place)
            elif child.name == "img":
                _add_image(child, place.target)
            elif child.name == "br":
                place.target.add(" " if place.in_line and "p" not in place.inside else Element("br"))
            elif child.name not in NO_TEXT:
                self._add(child, place)
        return root

    def _enter(self, element: Element, made: Element, place: _Place, *, in_line: bool) -> None:
        """Put an element's children into a new one."""
        inside = place.inside | {made.name}
        self._places.append(_place(element, made, in_line=in_line, inside=inside, depth=place.depth + 1))

    def _unwrap(self, element: Element, place: _Place, *, in_line: bool, ends_with: str = "") -> None:
        """Put an element's children into its own place."""
        entered = _place(element, place.target, in_line=in_line, inside=place.inside, depth=place.depth)
        alone = entered.has_one_block and place.has_one_block
        self._places.append(replace(entered, has_one_block=alone, ends_with=ends_with))

    def _add(self, element: Element, place: _Place) -> None:
        name, target, has_blocks = element.name, place.target, id(element) in self._with_blocks
        is_block = name in BLOCKS or name in CELLS
        if place.in_line or place.depth > _DEEPEST:
            self._add_in_line(element, place)
        elif name in _HEADINGS or (name == "p" and not has_blocks):
            self._enter(element, _added(target, name), place, in_line=True)
        elif name in _LISTS:
            self._add_list(element, place)
        elif name == "table" and not has_blocks:
            self._add_table(element, place)
        elif name == "hr":
            target.add(Element("hr"))
        elif name == "blockquote":
            self._enter(element, _added(target, name), place, in_line=False)
        elif is_block and not place.has_one_block:
            self._enter(element, _added(target, "div"), place, in_line=False)
        elif is_block or (has_blocks and name != "a"):
            self._unwrap(element, place, in_line=False)
        else:
            self._add_in_line(element, place)

    def _add_in_line(self, element: Element, place: _Place) -> None:
        name, target = element.name, place.target
        address = element.attributes.get("href", "")
        if name in BLOCKS or name in CELLS:
            target.add(" ")
            self._unwrap(element, place, in_line=True, ends_with=" ")
        elif name == "a" and "a" not in place.inside and _LINKED.match(address):
            link = Element("a", attributes={"href": address})
            target.add(link)
            self._enter(element, link, place, in_line=True)
        elif name in _EMPHASIS and _EMPHASIS[name] not in place.inside:
            self._enter(element, _added(target, _EMPHASIS[name]), place, in_line=True)
        else:
            self._unwrap(element, place, in_line=place.in_line or name == "a")

    def _add_list(self, element: Element, place: _Place) -> None:
        """Add a list; other children than items become items, too."""
        children = [child for child in element.children if isinstance(child, Element) or child.strip()]
        made = _added(place.target, element.name)
        if element.name == "ol":
            made.attributes["start"] = str(_start(element))
        for child in children:
            is_item = isinstance(child, Element) and child.name == "li"
            item = child if is_item else Element("li", children=[child])
            assert isinstance(item, Element)
            self._enter(item, _added(made, "li"), place, in_line=False)

    def _add_table(self, table: Element, place: _Place) -> None:
        for caption in _parts(table, "caption"):
            self._enter(caption, _added(place.target, "p"), place, in_line=True)
        made = Element("table")
        for row in _parts(table, "tr"):
            cells = [cell for cell in row.children if isinstance(cell, Element) and cell.name in CELLS]
            made_row = _added(made, "tr") if cells else made
            for cell in cells:
                self._enter(cell, _added(made_row, cell.name), place, in_line=True)
        if made.children:
            place.target.add(made)


def _place(element: Element, target: Element, *, in_line: bool, inside: frozenset[str], depth: int) -> _Place:
    significant = (child for child in element.children if isinstance(child, Element) or child.strip())
    first = next(significant, None)
    has_one_block = isinstance(first, Element) and next(significant, None) is None
    return _Place(iter(element.children), target, in_line, inside, depth, has_one_block)


def _added(target: Element, name: str) -> Element:
    made = Element(name)
    target.add(made)
    return made


def _add_code(element: Element, place: _Place) -> None:
    """Add code as plain text. In a cell, a bar would end both the cell and the code."""
    text = _text(element)
    if element.name == "pre" and not place.in_line:
        if text.strip():
            place.target.add(Element("pre", children=[preformatted(text)]))
    elif "|" in text:
        place.target.add(collapsed(text))
    elif text.strip():
        place.target.add(Element("code", children=[collapsed(text)]))


def _add_image(element: Element, target: Element) -> None:
    address, words = element.attributes.get("src", ""), collapsed(element.attributes.get("alt", "")).strip()
    if _IMAGE.match(address):
        target.add(Element("img", attributes={"src": address, "alt": words}))
    elif words:
        target.add(words)


def _text(element: Element) -> str:
    parts, steps = [], [iter(element.children)]
    while steps:
        child = next(steps[-1], None)
        if child is None:
            steps.pop()
        elif isinstance(child, str):
            parts.append(child)
        elif child.name == "br":
            parts.append("\n")
        elif child.name not in NO_TEXT:
            steps.append(iter(child.children))
    return "".join(parts)


def _parts(table: Element, name: str) -> list[Element]:
    """Return the elements of a name in a table and its sections."""
    sections = [child for child in table.children if isinstance(child, Element)]
    inside = [part for section in sections for part in ([section] if section.name == name else section.children)]
    return [part for part in inside if isinstance(part, Element) and part.name == name]


def _start(element: Element) -> int:
    text = element.attributes.get("start", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def _elements_with_blocks(body: Element) -> set[int]:
    """Return the identities of elements that contain blocks; for tables, those with blocks in cells."""
    with_blocks: set[int] = set()
    steps: list[tuple[Element, Iterator[Element | str]]] = [(body, iter(body.children))]
    while steps:
        element, children = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            if steps and (element.name in _BLOCKS_OF_THEIR_OWN or id(element) in with_blocks):
                with_blocks.add(id(steps[-1][0]))
        elif isinstance(child, Element):
            steps.append((child, iter(child.children)))
    return with_blocks
