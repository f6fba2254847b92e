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
    tags, raw = document.tags, _RAW | {"noscript"} if document.scripting else _RAW
    parts: list[str] = ["<!DOCTYPE html>\n"] if document.doctype else []

    def is_left_out(element: int) -> bool:
        return (keep is not None and not keep[element]) or (tags[element] == "html" and element > 0)

    for event, number in walk(document, is_left_out):
        if event is Event.START:
            parts.append(_start_tag(tags[number], attributes_of(number)))
        elif event is Event.END:
            if tags[number] not in VOID:
                parts.append(f"</{tags[number]}>")
        else:
            run = document.texts[number]
            tag, written = tags[run.parent], text(number, run)
            if tag not in raw or run.parent in document.namespaces:
                written = escape_text(written)
                if run.after < 0 and tag in _EATS_NEWLINE and written.startswith("\n"):
                    written = f"\n{written}"
            parts.append(written)
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


def walk(document: Document, is_left_out: Callable[[int], bool] | None = None) -> Iterator[tuple[Event, int]]:
    """Yield the tags and texts of a page in the order of its HTML.

    The number is the element's for a tag, the text's for a text.

    Args:
        document: the page.
        is_left_out: tells whether an element is left out with its descendants; by default the embedded trees are.
    """
    left_out = is_left_out or frozenset(document.embedded).__contains__
    first: dict[int, list[int]] = {}  # the texts after each element's start tag, and after its end tag
    after: dict[int, list[int]] = {}
    for number, (parent, before, _) in enumerate(document.texts):
        (first.setdefault(parent, []) if before < 0 else after.setdefault(before, [])).append(number)
    parents, ends = document.parents, document.ends
    open_elements: list[int] = []
    element, count = 0, len(document)
    while element <= count:
        while open_elements and (element == count or open_elements[-1] != parents[element]):
            yield Event.END, open_elements[-1]
            for run in after.get(open_elements.pop(), ()):
                yield Event.TEXT, run
        if element == count:
            return
        if left_out(element):
            for run in after.get(element, ()):
                yield Event.TEXT, run
            element = ends[element]
            continue
        yield Event.START, element
        for run in first.get(element, ()):
            yield Event.TEXT, run
        open_elements.append(element)
        element += 1
