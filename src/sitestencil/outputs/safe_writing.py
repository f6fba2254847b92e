"""Write a tree as HTML, and check that the parser reads the same tree back."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf

from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.allowed_markup import VOID
from sitestencil.outputs.nesting import mend, neutral
from sitestencil.outputs.tree import Element, Verbatim, texts_by_place, walk
from sitestencil.page.document import Document
from sitestencil.page.parser_rules import DOCTYPES, RenderingMode
from sitestencil.page.parsing import parse
from sitestencil.page.serialization import escape_text, escape_value

_NO_END_TAG = VOID | {"base"}  # a page's own base is never written, but ours is
EATS_NEWLINE = frozenset({"pre", "textarea"})
LONGEST_LINE = 160
_DEEPEST = 10  # levels of indent
_NOT_KEPT_BY_PARSERS = re.compile("\r\n?|[\x00\ud800-\udfff]")
_ADDRESS = "http://checked.invalid/"


def written(html: Element, body: Element, mode: RenderingMode, *, longest_line: float = inf) -> str:
    """Mend a page's tree, and return it as HTML; see `page_text`.

    Raises:
        CannotBeSaved: the parser reads another tree from it, which is a defect of this library.
    """
    mend_page(html, body, mode)
    return page_text(html, mode, longest_line=longest_line)


def mend_page(html: Element, body: Element, mode: RenderingMode) -> None:
    """Change a page's tree where HTML cannot express it.

    Raises:
        CannotBeSaved: the parser reads another tree from it, which is a defect of this library.
    """
    _clean_texts(html)
    mend(body, mode)
    if not reads_back(html, mode):
        neutral(body)
        if not reads_back(html, mode):
            raise CannotBeSaved(
                "This page cannot be written as HTML that gives the same page again. Please report its address."
            )


def reads_back(html: Element, mode: RenderingMode) -> bool:
    """Return whether the parser reads the same tree from the written HTML."""
    document = parse(page_text(html, mode, shadow_root="object"), _ADDRESS, scripting=True, checked=False)
    return list(events(html)) == list(_events_read(document))


def _clean_texts(html: Element) -> None:
    """Replace characters that the parser would change."""
    open_elements = [html]
    while open_elements:
        element = open_elements.pop()
        for name, value in element.attributes.items():
            if _NOT_KEPT_BY_PARSERS.search(value):
                element.attributes[name] = _NOT_KEPT_BY_PARSERS.sub(_kept_character, value)
        for number, child in enumerate(element.children):
            if isinstance(child, Element):
                open_elements.append(child)
            elif _NOT_KEPT_BY_PARSERS.search(child):
                element.children[number] = type(child)(_NOT_KEPT_BY_PARSERS.sub(_kept_character, child))


def _kept_character(found: re.Match[str]) -> str:
    if found[0][0] == "\r":
        return "\n"
    return "" if found[0] == "\0" else "\ufffd"


def page_text(
    html: Element,
    mode: RenderingMode,
    *,
    shadow_root: str = "template",
    escape: Callable[[str], str] = str,
    longest_line: float = inf,
) -> str:
    """Return a page's tree as text.

    Args:
        html: the root.
        mode: decides the doctype.
        shadow_root: the name to write for ``template``. The parser separates a template's inside; an ``object`` is
            an equal boundary, but stays in the tree.
        escape: a further escape for each piece except `Verbatim` ones.
        longest_line: longer lines break inside of tags, where no white space shows.
    """
    doctype = DOCTYPES[mode]
    lines = _Lines(longest_line)
    lines.add(f"{doctype}\n" if doctype else "")
    _write([html], lines, shadow_root, escape)
    return lines.text()


def nodes_text(nodes: Sequence[Element | str], escape: Callable[[str], str] = str) -> str:
    """Return elements and texts as HTML; see `page_text`."""
    lines = _Lines(inf)
    _write(nodes, lines, escape=escape)
    return lines.text()


def _write(
    nodes: Sequence[Element | str],
    lines: "_Lines",
    shadow_root: str = "template",
    escape: Callable[[str], str] = str,
) -> None:
    in_style = False
    depth = 0
    for node, is_end in walk(*nodes):
        if isinstance(node, str):
            is_plain = isinstance(node, Verbatim)
            lines.add(node if is_plain else escape(node if in_style else escape_text(node)))
            continue
        name = shadow_root if node.name == "template" else node.name
        has_end = node.name not in _NO_END_TAG if node.namespace == "html" else not _is_empty(node)
        depth += 0 if is_end else 1
        if not is_end or has_end:
            in_style = node.name == "style" and not is_end
            for piece in [f"</{name}", ">"] if is_end else _start_tag(name, node):
                lines.add(escape(piece), depth - 2)
        depth -= 1 if is_end else 0


def _start_tag(name: str, element: Element) -> Iterator[str]:
    """Yield the pieces of a start tag; each but the first may stand on a line of its own."""
    yield f"<{name}"
    for key, value in element.attributes.items():
        yield f' {key}="{escape_value(value)}"'
    first = element.children[0] if element.children else ""
    is_text = isinstance(first, str) and not isinstance(first, Verbatim)
    eaten = "\n" if element.name in EATS_NEWLINE and is_text and str(first).startswith("\n") else ""
    yield "/>" if element.namespace != "html" and _is_empty(element) else f">{eaten}"


def _is_empty(element: Element) -> bool:
    return all(child == "" for child in element.children)


class _Lines:
    """The text of a page. Long lines break inside of tags, where no white space shows."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._parts: list[str] = []
        self._unit: list[str] = []
        self._indent = -1
        self._column = 0

    def add(self, piece: str, depth: int = -1) -> None:
        """Add a piece; one of a tag that does not begin it may begin a line, at its depth."""
        if depth >= 0 and piece[:1] in {" ", ">", "/"}:
            self._put()
            self._indent = depth
        self._unit.append(piece)

    def text(self) -> str:
        """Return the whole text."""
        self._put()
        return "".join(self._parts)

    def _put(self) -> None:
        text = "".join(self._unit)
        if self._column and self._indent >= 0 and self._column + len(text.partition("\n")[0]) > self._longest:
            indent = "\t" * min(self._indent, _DEEPEST)
            text = f"\n{indent}{text.removeprefix(' ')}"
        self._parts.append(text)
        last = text.rfind("\n")
        self._column = len(text) - last - 1 if last >= 0 else self._column + len(text)
        self._unit, self._indent = [], -1


def events(html: Element) -> Iterator[tuple[object, ...]]:
    """Yield start tags, texts and end tags of a tree, with ``template`` as ``object``."""
    texts: list[str] = []
    for node, is_end in walk(html):
        if isinstance(node, str):
            if not isinstance(node, Verbatim):  # a comment, which the parser leaves out
                texts.append(node)
            continue
        yield from _joined(texts)
        texts = []
        if is_end:
            yield ("end",)
        else:
            name = "object" if node.name == "template" else node.name
            yield ("start", node.namespace, name, tuple(sorted(node.attributes.items())))


def _events_read(document: Document) -> Iterator[tuple[object, ...]]:
    """Yield the events of a parsed document, as `events` does of a tree."""
    first, after = texts_by_place(document)
    open_elements: list[int] = []
    namespaces, ends = document.namespaces, document.ends
    for element, tag in enumerate(document.tags):
        while open_elements and ends[open_elements[-1]] <= element:
            yield from _end(document, after, open_elements.pop())
        attributes = tuple(sorted(document.attributes[element].items()))
        yield ("start", namespaces.get(element, "html"), tag, attributes)
        yield from _joined(document.texts[run].text for run in first.get(element, ()))
        open_elements.append(element)
    while open_elements:
        yield from _end(document, after, open_elements.pop())


def _end(document: Document, after: Mapping[int, Sequence[int]], element: int) -> Iterator[tuple[object, ...]]:
    yield ("end",)
    yield from _joined(document.texts[run].text for run in after.get(element, ()))


def _joined(texts: Iterable[str]) -> Iterator[tuple[object, ...]]:
    if text := "".join(texts):
        yield ("text", text)
