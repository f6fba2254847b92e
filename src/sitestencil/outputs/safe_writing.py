"""A tree as HTML that is read back as that tree, which is checked on the written text itself."""

import re
from collections.abc import Iterator

from sitestencil.errors import CannotBeSaved
from sitestencil.outputs.allowed_markup import VOID
from sitestencil.outputs.allowed_tree import Element
from sitestencil.outputs.nesting import mend, neutral
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.page.rendering_mode import DOCTYPES, RenderingMode
from sitestencil.page.serialization import escape_text, escape_value

_NO_END_TAG = VOID | {"base"}  # a page's own base is never written, ours is
_EATS_NEWLINE = frozenset({"pre", "textarea"})
_NOT_KEPT_BY_PARSERS = re.compile("\r\n?|[\x00\ud800-\udfff]")
_ADDRESS = "http://checked.invalid/"


def written(html: Element, head: Element, body: Element, mode: RenderingMode) -> str:
    """Return a page as HTML; the tree is mended where HTML cannot give it.

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
    return _text(html, mode)


def reads_back(html: Element, mode: RenderingMode) -> bool:
    """Return whether the parser gives the tree back that is written."""
    document = parse(_text(html, mode, shadow_root="object"), _ADDRESS, scripting=True, checked=False)
    return list(events(html)) == list(_events_read(document))


def _clean_texts(html: Element) -> None:
    """Give texts the characters that the parser leaves in them."""
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
                element.children[number] = _NOT_KEPT_BY_PARSERS.sub(_kept_character, child)


def _kept_character(found: re.Match[str]) -> str:
    if found[0][0] == "\r":
        return "\n"
    return "" if found[0] == "\0" else "\ufffd"


def _text(html: Element, mode: RenderingMode, *, shadow_root: str = "template") -> str:
    """Return the tree as text.

    Args:
        html: the root.
        mode: gives the doctype.
        shadow_root: the name to write for ``template``. The parser keeps the inside of a template apart; an
            ``object`` is as much of a boundary to it.
    """
    doctype = DOCTYPES[mode]
    parts = [f"{doctype}\n" if doctype else ""]
    steps: list[tuple[Iterator[Element | str], str]] = [(iter([html]), "")]
    while steps:
        children, end_tag = steps[-1]
        child = next(children, None)
        if child is None:
            parts.append(end_tag)
            steps.pop()
            continue
        if isinstance(child, str):
            parts.append(child if end_tag == "</style>" else escape_text(child))
            continue
        name = shadow_root if child.name == "template" else child.name
        parts.append(_start_tag(name, child))
        if child.namespace != "html" or child.name not in _NO_END_TAG:
            steps.append((iter(child.children), f"</{name}>"))
    return "".join(parts)


def _start_tag(name: str, element: Element) -> str:
    attributes = "".join(f' {key}="{escape_value(value)}"' for key, value in element.attributes.items())
    first = element.children[0] if element.children else ""
    eaten = "\n" if element.name in _EATS_NEWLINE and isinstance(first, str) and first.startswith("\n") else ""
    return f"<{name}{attributes}>{eaten}"


def events(html: Element) -> Iterator[tuple[object, ...]]:
    """Yield start tags, texts and end tags of a tree to write, ``template`` as ``object``."""
    steps: list[Iterator[Element | str]] = [iter([html])]
    while steps:
        child = next(steps[-1], None)
        if child is None:
            steps.pop()
            if steps:
                yield ("end",)
        elif isinstance(child, str):
            if child:
                yield ("text", child)
        else:
            name = "object" if child.name == "template" else child.name
            yield ("start", child.namespace, name, tuple(sorted(child.attributes.items())))
            steps.append(iter(child.children))


def _events_read(document: Document) -> Iterator[tuple[object, ...]]:
    """Yield the same of a tree that was read."""
    first: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for run in document.texts:
        (first.setdefault(run.parent, []) if run.after < 0 else after.setdefault(run.after, [])).append(run.text)
    open_elements: list[int] = []
    namespaces, ends = document.namespaces, document.ends
    for element, tag in enumerate(document.tags):
        while open_elements and ends[open_elements[-1]] <= element:
            yield from _end(open_elements.pop(), after)
        attributes = tuple(sorted(document.attributes[element].items()))
        yield ("start", namespaces.get(element, "html"), tag, attributes)
        yield from _joined(first.get(element))
        open_elements.append(element)
    while open_elements:
        yield from _end(open_elements.pop(), after)


def _end(element: int, after: dict[int, list[str]]) -> Iterator[tuple[object, ...]]:
    yield ("end",)
    yield from _joined(after.get(element))


def _joined(texts: list[str] | None) -> Iterator[tuple[object, ...]]:
    text = "".join(texts or ())
    if text:
        yield ("text", text)
