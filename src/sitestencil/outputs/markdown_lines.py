"""Prepare the lines of a Markdown tree: put all words, links and images into paragraphs, headings or cells.

In a line no two pieces of code or of the same emphasis touch, and none starts or ends with a space: Markdown cannot
express that. Empty pieces are dropped.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import CELLS, HEADINGS

LINES = HEADINGS | CELLS | {"note", "p"}
_IN_LINES = frozenset({"a", "br", "code", "del", "em", "img", "noteref", "strong", "tex"})
_WHOLE = frozenset({"hr", "pre"})
_JOINED = frozenset({"code", "del", "em", "strong"})
# An address and a title are at most two words, or end with a sign.
_LEAST_SPACES, _TITLE_ENDS, _NOTE_END = 2, frozenset("\"')"), " \u21a9"
_SPACES = re.compile(" +")
_IN_ADDRESS = re.compile(r"[^!#$%&+,./0-9:;=?@A-Z_a-z~-]")


def with_lines(element: Element) -> Element:
    """Return a container with its blocks, those of each ``div`` included, and lines for the words beside them."""
    made = Element(element.name, attributes=element.attributes)
    for block in _blocks(element):
        if block.name in _WHOLE:
            made.children.append(block)
        elif block.name == "p":
            lines = map(in_line, _parted(block.children))
            made.children += [Element("p", children=line) for line in lines if line]
        elif block.name in LINES:
            line = Element(block.name, children=in_line(block.children))
            if line.name == "note":
                line = _note(line, block.attributes)
            if line.children or line.name in {"td", "th"}:
                made.children.append(line)
        else:
            container = with_lines(block)
            if container.name == "div":
                made.children += container.children
            elif container.children or (block.name == "li" and made.name == "ol"):  # an empty item has its number
                made.children.append(container)
    if made.name == "ol" and not any(isinstance(item, Element) and item.children for item in made.children):
        made.children = []
    return _table(made) if made.name == "table" else made


def _parted(nodes: Sequence[Element | str]) -> Iterator[list[Element | str]]:
    """Yield the paragraphs of a line: two line breaks in succession part them."""
    line: list[Element | str] = []
    breaks = 0
    for node in nodes:
        if isinstance(node, Element) and node.name == "br":
            breaks += 1
        elif isinstance(node, Element) or node.strip():
            if breaks > 1:
                yield line
                line = []
            breaks = 0
        line.append(node)
    yield line


def _note(line: Element, attributes: dict[str, str]) -> Element:
    """Return a footnote. A short one gets a mark: a reader without footnotes would take it for a link's address."""
    end = line.children[-1] if line.children else ""
    words = sum(child.count(" ") for child in line.children if isinstance(child, str))
    if line.children and (words < _LEAST_SPACES or not isinstance(end, str) or end[-1:] in _TITLE_ENDS):
        line.children = _with_joined_texts([*line.children, _NOTE_END])
    return Element("note", attributes=attributes, children=line.children)


def _blocks(element: Element) -> Iterator[Element]:
    words: list[Element | str] = []
    for child in element.children:
        if isinstance(child, str) or child.name in _IN_LINES:
            words.append(child)
            continue
        yield Element("p", children=words)
        words = []
        if child.name == "div":
            yield from _blocks(child)
        else:
            yield child
    yield Element("p", children=words)


def _table(table: Element) -> Element:
    """Return a table; without children where no cell says anything."""
    rows = [row for row in table.children if isinstance(row, Element)]
    says_something = any(cell.children for row in rows for cell in row.children if isinstance(cell, Element))
    return table if says_something else Element("table")


def in_line(nodes: Sequence[Element | str]) -> list[Element | str]:
    """Return words, links, images and code as Markdown can express them, without space at either end."""
    return _stripped(_joined(nodes))


def unwrapped(nodes: Sequence[Element | str], names: Collection[str]) -> list[Element | str]:
    """Return a line without the elements of these names; their words stay."""
    line: list[Element | str] = []
    for node in nodes:
        if isinstance(node, str):
            line.append(node)
        elif node.name == "img" and "img" in names:
            line.append(node.attributes["alt"])
        elif node.name == "noteref":
            line.append(node)
        elif node.name == "tex":
            line.append(str(node.children[0]) if "tex" in names else node)
        else:
            inner = unwrapped(node.children, names)
            line += inner if node.name in names else [Element(node.name, "html", node.attributes, inner)]
    return in_line(line)


def _joined(nodes: Sequence[Element | str]) -> list[Element | str]:
    line: list[Element | str] = []
    grown: list[Element] = []
    for node in nodes:
        if isinstance(node, str) or node.name == "br":
            line.append(node)
        elif node.name == "img":
            address = markdown_address(node.attributes["src"])
            line.append(Element("img", attributes={**node.attributes, "src": address}))
        elif node.name in {"noteref", "tex"}:
            line.append(node)
        elif inner := _joined(node.children):
            children = _stripped(inner)
            before, after = (" " * _is_space(inner[end], end) for end in (0, -1))
            last = line[-1] if line else None
            if isinstance(last, Element) and last.name == node.name in _JOINED:
                last.children += [*before, *children]
                grown.append(last)
            elif children:
                href = {"href": markdown_address(node.attributes["href"])} if node.name == "a" else {}
                line += [*before, Element(node.name, attributes=href, children=children)]
            line += after if children else before
    for element in {id(element): element for element in grown}.values():
        element.children = _joined(element.children)
    return _with_joined_texts(line)


def _with_joined_texts(nodes: Sequence[Element | str]) -> list[Element | str]:
    joined: list[Element | str] = []
    for is_text, run in groupby(nodes, lambda node: isinstance(node, str)):
        if not is_text:
            joined += map(_turned, run)
        elif text := _SPACES.sub(" ", "".join(map(str, run))):
            joined.append(text)
    return joined


def _turned(node: Element | str) -> Element | str:
    """Return strong words that all are emphasized as emphasis of strong words: the marks of both mean this."""
    match node:
        case Element(name="strong", children=[Element(name="em", children=words)]):
            return Element("em", children=[Element("strong", children=words)])
    return node


def _is_space(node: Element | str, place: int) -> bool:
    return isinstance(node, str) and node[place].isspace()


def _stripped(nodes: Sequence[Element | str]) -> list[Element | str]:
    """Return a line without white space and breaks at its ends."""
    line = list(nodes)
    for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while line:
            node = line[end]
            if isinstance(node, str):
                line[end] = strip(node)
                if line[end]:
                    break
            elif node.name != "br":
                break
            del line[end]
    return line


def markdown_address(address: str) -> str:
    """Return an address that cannot end its link.

    >>> markdown_address("https://example.org/a (b)|c")
    'https://example.org/a%20%28b%29%7Cc'
    """
    encoded = _IN_ADDRESS.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
    return re.sub(r"&(?=#?\w+;)", "%26", encoded)
