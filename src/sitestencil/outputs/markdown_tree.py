"""Reduce the content's tree to the few elements of Markdown, so that the output can hold nothing else.

Blocks inside a line of text (a heading in a link, a list in a table's cell) become part of that line. A table with
blocks in its cells that is no table of data serves the layout: its cells become blocks of their own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sitestencil.outputs.code_blocks import Languages
from sitestencil.outputs.content_tree import CODES, EDGE_OF_BLOCK, ContentTree
from sitestencil.outputs.markdown_parts import (
    LISTS,
    MOST_LABELLED,
    code,
    code_block,
    formula,
    grid,
    has_row_headers,
    items,
    label,
    numbers,
    parts,
    rows_and_left,
    words_and_formulas,
)
from sitestencil.outputs.names import NAMES
from sitestencil.outputs.plain_text import collapsed
from sitestencil.outputs.tree import Element, elements
from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, CELLS, HEADINGS
from sitestencil.reading.page_tex import PageTex, page_tex
from sitestencil.reading.reading import reading

_ONE_LINE = HEADINGS | CELLS | {"note"}
_EMPHASIS = NAMES["emphasis"]
_LABELLED = frozenset("aAiI")
# A relative address has no scheme; only a page of unknown address has any.
_LINKED = re.compile(r"(?:https?://|mailto:|tel:|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
# Of all tables of a page, those added for cells that others cover, or for short rows.
_MOST_EMPTY_CELLS = 20_000
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


def markdown_tree(document: Document, content: ContentTree) -> Element:
    """Return a ``div`` that holds only headings, paragraphs, lists, quotes, code, tables, links and images."""
    return _Builder(document, content).build(content.root)


class _Builder:
    def __init__(self, document: Document, content: ContentTree) -> None:
        read = reading(document)
        self._with_blocks, self._data_tables = content.with_blocks, read.data_tables
        # Programs may drop a note that nothing refers to.
        referred = {one.attributes["note"] for one in elements(content.root) if one.name == "noteref"}
        self._notes = {element: str(number) for element, number in read.notes.items() if str(number) in referred}
        self._languages, self._page_tex = Languages(document), page_tex(document)
        self._places: list[_Place] = []
        self._empty_cells = _MOST_EMPTY_CELLS

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
                _add_words(collapsed(child), place, self._page_tex)
            elif child.name == "pre" and not place.in_line:
                place.target.add(code_block(child, self._languages.of(child.number)))
            elif child.name in CODES:
                place.target.add(code(child, in_cell=not CELLS.isdisjoint(place.inside)))
            elif child.name in {"img", "noteref"}:
                place.target.add(child)
            elif child.name == EDGE_OF_BLOCK:
                place.target.add(" " if place.in_line else Element("div"))
            elif child.name == "tex":
                _add_formula(child, place)
            elif child.name == "br":
                place.target.add(Element("br") if _ONE_LINE.isdisjoint(place.inside) else " ")
            else:
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
        name, target, has_blocks = element.name, place.target, element.number in self._with_blocks
        is_block = name in BLOCKS or name in CELLS
        if place.in_line or place.depth > _DEEPEST:
            self._add_in_line(element, place)
        elif element.number in self._notes:
            self._add_note(element, place)
        elif name in HEADINGS or (name == "p" and not has_blocks):
            self._enter(element, _added(target, name), place, in_line=True)
        elif name in LISTS:
            self._add_list(element, place)
        elif name == "dl":
            self._add_definitions(element, place)
        elif name == "table" and (not has_blocks or element.number in self._data_tables):
            self._add_table(element, place)
        elif name == "a" and has_blocks and _link_heading(element):
            self._enter(element, _added(target, "div"), place, in_line=False)
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
        notes = [child for child in children if isinstance(child, Element) and child.number in self._notes]
        if notes and len(notes) == len(children):
            for note in notes:
                self._add_note(note, place)
            return
        listed, kind = items(children), element.attributes.get("type", "1")
        of_items = numbers(element, listed) if element.name == "ol" else []
        is_labelled = kind in _LABELLED and min(of_items, default=0) > 0 and max(of_items) <= MOST_LABELLED
        made = _added(place.target, "ol" if of_items and not is_labelled else "ul")
        if made.name == "ol":
            made.attributes["start"] = str(of_items[0])
        for item, number in zip(listed, of_items or [0] * len(listed), strict=True):
            made_item = _added(made, "li")
            if made.name == "ol":
                made_item.attributes["number"] = str(number)
            elif is_labelled:
                item.children.insert(0, f"{label(number, kind)} ")
            self._enter(item, made_item, place, in_line=False)

    def _add_note(self, element: Element, place: _Place) -> None:
        note = Element("note", attributes={"note": self._notes[element.number]})
        place.target.add(note)
        self._enter(element, note, place, in_line=True)

    def _add_definitions(self, element: Element, place: _Place) -> None:
        """Add each term as a bold line, and its definitions as a list."""
        children = [child for child in element.children if isinstance(child, Element)]
        groups = [child.children if child.name == "div" else [child] for child in children]
        listed: Element | None = None
        for child in (one for group in groups for one in group if isinstance(one, Element)):
            if child.name == "dd":
                listed = listed or _added(place.target, "ul")
                self._enter(child, _added(listed, "li"), place, in_line=False)
                continue
            listed = None
            line = _added(place.target, "p")
            if child.name == "dt":  # bold: other marks would be read as signs of a signature
                within = replace(place, inside=place.inside | {"em"})
                self._enter(child, _added(line, "strong"), within, in_line=True)
            else:
                self._enter(child, line, place, in_line=True)

    def _add_table(self, table: Element, place: _Place) -> None:
        for caption in parts(table, "caption"):
            self._enter(caption, _added(place.target, "p"), place, in_line=True)
        rows, left = rows_and_left(table)
        lines = grid(rows, left, self._empty_cells)
        if lines is None or all(len(line) == 1 and line[0] is not None and line[0].name == "td" for line in lines):
            for row in rows:
                self._enter(row, _added(place.target, "p"), place, in_line=True)
            return
        self._empty_cells -= sum(cell is None for line in lines for cell in line)
        made = Element("table")
        if lines and has_row_headers(rows[0]) and not parts(table, "thead"):
            made.add(Element("tr", children=[Element("th") for _ in lines[0]]))
        for line in lines:
            made_row = _added(made, "tr")
            for cell in line:
                made_cell = _added(made_row, "td" if cell is None else cell.name)
                if cell is not None:
                    self._enter(cell, made_cell, place, in_line=True)
        if lines:
            place.target.add(made)


def _place(element: Element, target: Element, *, in_line: bool, inside: frozenset[str], depth: int) -> _Place:
    significant = (child for child in element.children if isinstance(child, Element) or child.strip())
    first = next(significant, None)
    has_one_block = isinstance(first, Element) and next(significant, None) is None
    return _Place(iter(element.children), target, in_line, inside, depth, has_one_block)


def _link_heading(link: Element) -> bool:
    """Link the heading in a link instead of all in it; return whether there is one."""
    heading = next((one for one in elements(link) if one.name in HEADINGS), None)
    address = link.attributes.get("href", "")
    if heading is None or not _LINKED.match(address):
        return False
    heading.children = [Element("a", attributes={"href": address}, children=heading.children)]
    return True


def _add_words(text: str, place: _Place, written: PageTex) -> None:
    for piece in words_and_formulas(text, written):
        if isinstance(piece, str):
            place.target.add(piece)
        else:
            _add_formula(piece, place)


def _add_formula(element: Element, place: _Place) -> None:
    is_block = _ONE_LINE.isdisjoint(place.inside)
    place.target.add(formula(element, is_block=is_block, in_cell=not CELLS.isdisjoint(place.inside)))


def _added(target: Element, name: str) -> Element:
    made = Element(name)
    target.add(made)
    return made
