"""Write the content as Markdown: CommonMark with tables and strikethrough.

The output holds no HTML, and no link runs a script in any reader. Each ``<`` of the page's text is escaped unless a
space follows, and no code can end its fence. A CommonMark parser checks the output; a line that it reads otherwise
is written more plainly.
"""

import re
from collections.abc import Iterator, Sequence

from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.content_tree import ContentTree
from sitestencil.outputs.markdown_check import line_reads_back, reads_back
from sitestencil.outputs.markdown_lines import LINES, in_line, unwrapped, with_lines
from sitestencil.outputs.markdown_tree import markdown_tree
from sitestencil.outputs.tree import Element, elements, walk
from sitestencil.page.document import Document
from sitestencil.reading.formulas import delimited

# A dollar sign before a digit or a space begins no formula, and what is less than a space no HTML.
# A number in brackets is no link, unless an address follows.
_ANYWHERE = re.compile(r"\[\d{1,4}\](?![(\[:])|([\\`*_\[\]~|]|<(?! )|&(?=#?\w)|\$(?![\d\s]|$))")
# These make a line a heading, a quote, a list, a rule or an underline.
_AT_START = re.compile(r"^(\s*)([#>+=:-]|\d{1,9}(?=[.)]))", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")  # that of code: all others are escaped
_EMPHASIS = {"em": "*", "strong": "**", "del": "~~"}
# Give these up in this order if the parser reads a line differently.
_LEAST_NEEDED = (set(_EMPHASIS), {"code"}, {"a", "img"}, {"tex"})


def markdown(document: Document, content: ContentTree) -> str:
    """Return a page's content as Markdown.

    Raises:
        CannotBeSaved: the parser reads other text from it, which is a defect of this library.
    """
    tree = with_lines(markdown_tree(document, content))
    for make_plainer in (None, _with_plainer_lines, _with_words_alone):
        tree = tree if make_plainer is None else make_plainer(tree)
        text = _blocks(tree.children)
        if reads_back(text, tree):
            return f"{text}\n" if text else ""
    raise CannotBeSaved("This page's content cannot be written as Markdown. Please report its address.")


def _with_plainer_lines(tree: Element) -> Element:
    """Remove from each line the emphasis that is read differently, then all of it, then code, then links."""
    for element in elements(tree):
        if element.name in LINES:
            if not line_reads_back(_line(element.children), element.children):
                element.children = _with_readable_emphasis(element.children)
            for names in _LEAST_NEEDED:
                if line_reads_back(_line(element.children), element.children):
                    break
                element.children = unwrapped(element.children, names)
    return tree


def _with_readable_emphasis(nodes: Sequence[Element | str]) -> list[Element | str]:
    """Return a line without the emphasis that its neighbours spoil, such as a letter after a bold full stop."""
    line: list[Element | str] = []
    for place, node in enumerate(nodes):
        if isinstance(node, Element) and node.name in _EMPHASIS:
            near = [*line[-1:], node, *nodes[place + 1 : place + 2]]
            if not line_reads_back(_line(near), near):
                line += unwrapped(node.children, ())
                continue
        line.append(node)
    return in_line(line)


def _with_words_alone(tree: Element) -> Element:
    """Return a paragraph for each line of a tree, without links, images and code."""
    lines = (line for element in elements(tree) if element.name in LINES | {"pre"} for line in _words_of(element))
    return Element("div", children=[Element("p", children=[line]) for line in lines])


def _words_of(line: Element) -> list[str]:
    parts = (
        node
        if isinstance(node, str)
        else "\n"
        if node.name == "br"
        else ""
        if is_end
        else node.attributes.get("alt", "")
        for node, is_end in walk(line)
    )
    return [words for part in "".join(parts).splitlines() if (words := part.strip())]


def _blocks(nodes: Sequence[Element | str], *, in_item: bool = False) -> str:
    """Return blocks with an empty line between them, except between a paragraph and its list.

    A numbered list follows without one in an item only: elsewhere some programs would join both.
    """
    text, before, is_other = "", "", False
    for node in nodes:
        assert isinstance(node, Element)
        # Two lists in succession need different marks; otherwise they would be one list.
        is_other = node.name == before and not is_other
        follows = before == "p" and (node.name == "ul" or (in_item and _may_follow(node)))
        text += ("\n" if follows else "\n\n" if text else "") + _block(node, is_other=is_other)
        before = node.name
    return text


def _may_follow(block: Element) -> bool:
    """Return whether a block is an ordered list that needs no empty line before it: it begins with 1 and words."""
    first = block.children[0] if block.name == "ol" and block.attributes["start"] == "1" else ""
    return isinstance(first, Element) and bool(first.children)


def _block(element: Element, *, is_other: bool) -> str:  # noqa: PLR0911 - a table
    match element.name:
        case "p":
            return at_start(_line(element.children))
        case "pre":
            return fenced("".join(map(str, element.children)), element.attributes["language"])
        case "note":
            return f"[^{element.attributes['note']}]: {_line(element.children)}"
        case "hr":
            return "___"  # three dashes after a list's dash would be one rule
        case "blockquote":
            return _prefixed(_blocks(element.children), "> ", "> ")
        case "ul":
            items = ((child, "* " if is_other else "- ") for child in element.children)
            return "\n".join(_item(child, mark) for child, mark in items)
        case "ol":
            mark = ") " if is_other else ". "
            return "\n".join(_item(child, f"{_number(child)}{mark}") for child in element.children)
        case "table":
            return "\n".join(_rows(element))
        case heading:
            words = _line(element.children)
            words = f"{words[:-1]}\\#" if words.endswith("#") else words
            return f"{'#' * int(heading[1])} {words}"


def _number(item: Element | str) -> str:
    assert isinstance(item, Element)
    return item.attributes["number"]


def _item(item: Element | str, mark: str) -> str:
    assert isinstance(item, Element)
    return _prefixed(_blocks(item.children, in_item=True), mark, " " * len(mark))


def _prefixed(text: str, first: str, further: str) -> str:
    lines = text.split("\n")
    return "\n".join(f"{further if number else first}{line}".rstrip(" ") for number, line in enumerate(lines))


def fenced(code: str, language: str) -> str:
    """Return code between fences that it does not contain."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = code.strip("\n").rstrip()
    return f"{fence}{language}\n{lines}\n{fence}"


def _rows(table: Element) -> Iterator[str]:
    for number, row in enumerate(table.children):
        assert isinstance(row, Element)
        cells = [_BAR.sub(r"\|", _line(cell.children)) for cell in row.children if isinstance(cell, Element)]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"| {' | '.join('---' for _ in cells)} |"


def _line(nodes: Sequence[Element | str]) -> str:
    """Return words, links, images and code as a line; its start may still need an escape."""
    text, before = "", None
    for node in nodes:
        if isinstance(node, Element) and node.name == "a" and isinstance(before, str) and text.endswith("!"):
            text = f"{text[:-1]}\\!"  # an exclamation mark before a link would make it an image
        piece = escaped(node) if isinstance(node, str) else _inline(node)
        name, name_before = _name(node), _name(before)
        if name == "br":
            text = text.rstrip(" ")
        elif name_before == "br":
            piece = piece.lstrip(" ")
        elif name_before == "noteref" and piece[:1] in {"(", ":"}:
            piece = f"\\{piece}"
        elif name == name_before == "tex":
            piece = f" {piece}"  # two dollar signs in succession would begin another formula
        text += piece
        before = node
    return text


def _name(node: Element | str | None) -> str:
    return node.name if isinstance(node, Element) else ""


def _inline(element: Element) -> str:  # noqa: PLR0911 - a table
    attributes = element.attributes
    match element.name:
        case "br":
            return "\\\n"
        case "noteref":
            return f"[^{attributes['note']}]"
        case "tex":
            return delimited(str(element.children[0]), is_block=bool(attributes))
        case "code":
            return code_span("".join(map(str, element.children)))
        case "img":
            return f"![{escaped(attributes['alt'])}]({attributes['src']})"
        case "a":
            return f"[{_line(element.children)}]({attributes['href']})"
        case name:
            return f"{_EMPHASIS[name]}{_line(element.children)}{_EMPHASIS[name]}"


def code_span(text: str) -> str:
    """Return code between runs of backticks of a length that it does not contain."""
    runs = {len(run) for run in re.findall("`+", text)}
    mark = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    edge = text[0] + text[-1]
    space = " " if "`" in edge or edge == "  " else ""
    return f"{mark}{space}{text}{space}{mark}"


def escaped(text: str) -> str:
    r"""Escape text for Markdown, except for the start of a line.

    >>> print(escaped("<b> is *bold*, a_b"))
    \<b> is \*bold\*, a\_b
    """
    return _ANYWHERE.sub(lambda found: f"\\{found[1]}" if found[1] else found[0], text)


def at_start(line: str) -> str:
    """Escape what would make a line, written so far, a heading, a quote, a list, a rule or an underline."""
    return _AT_START.sub(_escaped_start, line)


def _escaped_start(found: re.Match[str]) -> str:
    space, start = found.groups()
    return f"{space}{start}\\" if start.isdigit() else f"{space}\\{start}"
