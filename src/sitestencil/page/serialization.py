"""Serialize a document, or a part of it, as HTML (HTML Standard, 13.3).

The output has everything, scripts too, for programs that read it again. For pages that people open, use `outputs`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum

from sitestencil.page.document import Document, TextRun
from sitestencil.page.html_names import VOID

_RAW = frozenset("style script xmp iframe noembed noframes plaintext".split())
_EATS_NEWLINE = frozenset({"pre", "textarea", "listing"})


def to_html(
    document: Document,
    *,
    keep: Sequence[bool] | None = None,
    text: Callable[[int, TextRun], str] = lambda _, run: run.text,
    attributes: Callable[[int], Mapping[str, str]] | None = None,
) -> str:
    """Return the document as HTML text.

    Args:
        document: the tree.
        keep: per element, whether to write it; a dropped element takes its descendants with it.
        text: returns the text to write for a text run, given its number.
        attributes: returns the attributes to write for an element; by default its own.
    """
    attributes_of = attributes or document.attributes.__getitem__
    first_texts, tail_texts = _texts_by_place(document)
    tags, ends = document.tags, document.ends
    raw = _RAW | {"noscript"} if document.scripting else _RAW
    parts: list[str] = ["<!DOCTYPE html>\n"] if document.doctype else []

    def add_texts(numbers: Sequence[int]) -> None:
        for number in numbers:
            run = document.texts[number]
            tag, written = tags[run.parent], text(number, run)
            if tag not in raw or run.parent in document.namespaces:
                written = escape_text(written)
                if run.after < 0 and tag in _EATS_NEWLINE and written.startswith("\n"):
                    written = f"\n{written}"
            parts.append(written)

    def close(element: int) -> None:
        if tags[element] not in VOID:
            parts.append(f"</{tags[element]}>")
        add_texts(tail_texts.get(element, ()))

    open_elements: list[int] = []
    element = 0
    while element < len(tags):
        while open_elements and ends[open_elements[-1]] <= element:
            close(open_elements.pop())
        if (keep is not None and not keep[element]) or (tags[element] == "html" and element):
            add_texts(tail_texts.get(element, ()))
            element = ends[element]
            continue
        parts.append(_start_tag(tags[element], attributes_of(element)))
        add_texts(first_texts.get(element, ()))
        open_elements.append(element)
        element += 1
    while open_elements:
        close(open_elements.pop())
    return "".join(parts)


def escape_text(text: str) -> str:
    """Escape text between tags."""
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_value(value: str) -> str:
    """Escape a double-quoted attribute value."""
    return escape_text(value).replace('"', "&quot;")


def _start_tag(tag: str, attributes: Mapping[str, str]) -> str:
    if not attributes:
        return f"<{tag}>"
    written = "".join(f' {name}="{escape_value(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>"


class Event(Enum):
    """The events of a walk through a document."""

    START = "start tag"
    TEXT = "text"
    END = "end tag"


def walk(document: Document) -> Iterator[tuple[Event, int]]:
    """Yield the tags and texts of a page in the order of its HTML.

    The number is the element's for a tag, the text's for a text. Embedded trees are skipped.
    """
    first, after = _texts_by_place(document)
    parents, ends = document.parents, document.ends
    embedded = set(document.embedded)
    open_elements: list[int] = []
    element, count = 0, len(document)
    while element < count:
        parent = parents[element]
        while open_elements and open_elements[-1] != parent:
            yield from _end(open_elements.pop(), after)
        if element in embedded:
            for run in after.get(element, ()):
                yield Event.TEXT, run
            element = ends[element]
            continue
        yield Event.START, element
        for run in first.get(element, ()):
            yield Event.TEXT, run
        open_elements.append(element)
        element += 1
    while open_elements:
        yield from _end(open_elements.pop(), after)


def _end(element: int, after: dict[int, list[int]]) -> Iterator[tuple[Event, int]]:
    yield Event.END, element
    for run in after.get(element, ()):
        yield Event.TEXT, run


def _texts_by_place(document: Document) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return the text numbers by the element whose start tag, or whose end tag, comes before them."""
    first: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    for number, run in enumerate(document.texts):
        (first.setdefault(run.parent, []) if run.after < 0 else after.setdefault(run.after, [])).append(number)
    return first, after
