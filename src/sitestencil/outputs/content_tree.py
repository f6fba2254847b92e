"""Read a page's content as a tree of the elements that Markdown may know, with the words of the plain text."""

from collections.abc import Callable, Set
from operator import not_
from typing import NamedTuple

from sitestencil.outputs.allowed_markup import AttributeRules
from sitestencil.outputs.markdown_parts import PLAYERS, image, player
from sitestencil.outputs.names import NAMES
from sitestencil.outputs.page_tree import drop_tokens
from sitestencil.outputs.plain_text import Judged, is_left_out, piece_text
from sitestencil.outputs.safe_addresses import Base, Growth
from sitestencil.outputs.tree import Element
from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, CELLS
from sitestencil.reading.formulas import Formula
from sitestencil.reading.reading import (
    BREAK,
    CODE,
    CODE_BREAK,
    EDGE,
    INSTEAD,
    LINES,
    PICTURE,
    QUOTE,
    SPACE,
    reading,
)
from sitestencil.reading.substitutes import NoteReference

EDGE_OF_BLOCK = "edge"  # parts two lines
CODES = frozenset({"code", "kbd", "samp", "tt", "pre"})
_NAMES = BLOCKS | CELLS | CODES | NAMES["emphasis"].keys() | {"a"}
# A table's parts are blocks, but tell nothing about its cells.
_OWN_BLOCKS = BLOCKS - {"tr", "tbody", "thead", "tfoot", "caption"}
_ROWS = frozenset({"tr", "thead", "tbody", "tfoot", "table"})
_MAY_BE_EMPTY = frozenset({"hr", "li"})

Relink = Callable[[str, str], str]


class ContentTree(NamedTuple):
    """The content's tree, and the numbers of the elements with blocks inside."""

    root: Element
    with_blocks: Set[int]


def content_tree(document: Document, judged: Judged, relink: Relink | None = None) -> ContentTree:
    """Return the content below ``body``: blocks, cells, code, emphasis, links, images, formulas and notes.

    Args:
        document: the page.
        judged: what of it is left out.
        relink: gives other addresses, by the attribute's name.
    """
    return _Builder(document, judged, relink).build()


def _with_content(document: Document, judged: Judged) -> bytearray:
    """Return per element whether any of it is content, itself or what is in it."""
    found, parents = bytearray(map(not_, judged.template)), document.parents
    for run, is_template in zip(document.texts, judged.template_texts, strict=True):
        if not is_template:
            found[run.parent] = True
    for element in range(len(found) - 1, 0, -1):
        if found[element]:
            found[parents[element]] = True
    return found


class _Builder:
    def __init__(self, document: Document, judged: Judged, relink: Relink | None) -> None:
        self._document, self._judged, self._relink = document, judged, relink
        self._read = reading(document)
        self._rules = AttributeRules(Base(document.base, Growth()))
        self._made = Element("div")
        self._with_blocks: set[int] = set()
        self._with_content = _with_content(document, judged)
        self._open: list[tuple[Element, Element]] = []  # elements and the ones around them
        self._pieces = 0  # so many are in the tree
        self._in_code, self._ends_line = False, True

    def build(self) -> ContentTree:
        document, read, ends = self._document, self._read, self._document.ends
        root, count, element = self._made, len(document), document.body or 0
        while True:
            while self._open and ends[self._made.number] <= element:
                self._add_pieces(read.ends[self._made.number])
                self._leave()
            if element >= count:
                return ContentTree(root, self._with_blocks)
            name = read.names.get(element) or document.tags[element]
            if not read.inner[element]:
                self._add_pieces(read.ends[element])
                if name in PLAYERS and not (read.hidden[element] or self._judged.template[element]):
                    self._made.add(self._player(element, name))
                element = ends[element]
                continue
            if name in BLOCKS and not self._with_content[element] and not self._in_code:
                self._add_pieces(read.begins[element])
                self._made.children.append(Element(EDGE_OF_BLOCK))
                self._pieces, element = read.ends[element], ends[element]
                continue
            if name in _NAMES and not (self._in_code and name in BLOCKS):
                self._add_pieces(read.begins[element])
                self._enter(element, name)
            element += 1

    def _enter(self, element: int, name: str) -> None:
        attributes = self._attributes(element, name) if name == "a" else dict(self._document.attributes[element])
        made = Element(name, "html", attributes, number=element)
        self._open.append((self._made, made))
        self._made = made
        if name == "pre":
            self._in_code, self._ends_line = True, True

    def _leave(self) -> None:
        around, made = self._open.pop()
        self._made = around
        self._in_code &= made.name != "pre"
        if self._stays(made):
            around.children.append(made)
            if made.name in _OWN_BLOCKS or made.number in self._with_blocks:
                self._with_blocks.add(around.number)
        elif made.name in BLOCKS:
            around.children.append(Element(EDGE_OF_BLOCK))
        else:
            for child in made.children:
                around.add(child)

    def _stays(self, made: Element) -> bool:
        is_content = not self._judged.template[made.number]
        if made.name in CELLS or (made.name in _MAY_BE_EMPTY and is_content):
            return True
        parts = [part for part in made.children if isinstance(part, Element) and part.name != EDGE_OF_BLOCK]
        if made.name in _ROWS and not is_content:
            return any(part.children for part in parts)
        return bool(parts) or not all(isinstance(part, Element) or part.isspace() for part in made.children)

    def _player(self, element: int, name: str) -> Element | str:
        tags, given = self._document.tags, self._document.attributes[element]
        if "autoplay" in given and "controls" not in given:
            return ""  # a film behind the page
        inside = range(element + 1, self._document.ends[element])
        sources = (self._attributes(one, "source").get("src", "") for one in inside if tags[one] == "source")
        return player(name, self._attributes(element, name), sources)

    def _attributes(self, element: int, name: str) -> dict[str, str]:
        """Return the attributes of an element that links or loads, without tokens."""
        given = self._document.attributes[element]
        if name == "a":
            given = {"href": given["href"]} if "href" in given else {}
        made = Element(name, attributes=self._rules.of("html", name, given))
        if self._relink is not None:
            made.attributes |= {
                name: self._relink("href" if name == "href" else "src", made.attributes[name])
                for name in ("href", "src", "poster")
                if name in made.attributes
            }
        drop_tokens(made)
        return made.attributes

    def _add_pieces(self, end: int) -> None:
        read, texts, judged, add = self._read, self._document.texts, self._judged, self._made.add
        for piece in range(self._pieces, end):
            code, number = read.codes[piece], read.numbers[piece]
            if code <= CODE:
                run = texts[number]
                is_template = judged.template[run.parent] and judged.template_texts[number]
                text = " " if is_template else piece_text(self._document, piece)
                self._ends_line = text.endswith("\n")
                for line, part in enumerate(text.split("\n") if code == LINES else [text]):
                    if line:
                        add(Element("br"))
                    add(part)
            elif code == INSTEAD:
                add(self._instead(number))
            elif code in {SPACE, QUOTE}:
                add(" " if code == SPACE else '"')
            elif code == CODE_BREAK or (code == EDGE and self._in_code and not self._ends_line):
                self._ends_line = True
                add("\n")
            elif code == BREAK:
                add(Element("br"))
            elif code == PICTURE:
                if not judged.template[number]:
                    add(image(self._attributes(number, "img")))
            elif code == EDGE and not self._in_code and not read.inner[number]:
                add(Element(EDGE_OF_BLOCK))
        self._pieces = max(self._pieces, end)

    def _instead(self, element: int) -> Element | str:
        if is_left_out(self._document, element, self._judged):
            return ""
        one = self._read.replaced[element]
        if isinstance(one, Formula) and one.tex:
            return Element("tex", attributes={"display": "block"} if one.is_block else {}, children=[one.tex])
        if isinstance(one, NoteReference) and not is_left_out(self._document, one.note, self._judged):
            return Element("noteref", attributes={"note": str(one.number)})
        return self._read.instead[element]
