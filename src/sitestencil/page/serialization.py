"""Serialize a document, or a part of it, as HTML (HTML Standard, 13.3).

The output has everything, scripts too, for programs that read it again. For pages that people open, use `outputs`.
"""

from collections.abc import Callable, Mapping, Sequence

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
    first_texts, tail_texts = _texts_by_place(document, text)
    tags, ends = document.tags, document.ends
    parts: list[str] = ["<!DOCTYPE html>\n"] if document.doctype else []
    open_elements: list[int] = []
    element = 0
    while element < len(tags):
        while open_elements and ends[open_elements[-1]] <= element:
            _close(open_elements.pop(), tags, tail_texts, parts)
        if (keep is not None and not keep[element]) or (tags[element] == "html" and element):
            parts += tail_texts.get(element, ())
            element = ends[element]
            continue
        parts.append(_start_tag(tags[element], attributes_of(element)))
        parts += first_texts.get(element, ())
        open_elements.append(element)
        element += 1
    while open_elements:
        _close(open_elements.pop(), tags, tail_texts, parts)
    return "".join(parts)


def escape_text(text: str) -> str:
    """Escape text between tags."""
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_value(value: str) -> str:
    """Escape a double-quoted attribute value."""
    return escape_text(value).replace('"', "&quot;")


def _texts_by_place(
    document: Document, text: Callable[[int, TextRun], str]
) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Return the written texts by the element whose start tag, or whose end tag, comes before them."""
    first: dict[int, list[str]] = {}
    tail: dict[int, list[str]] = {}
    raw = _RAW | {"noscript"} if document.scripting else _RAW
    for number, run in enumerate(document.texts):
        tag = document.tags[run.parent]
        written = text(number, run)
        if tag not in raw or run.parent in document.namespaces:
            written = escape_text(written)
            if run.after < 0 and tag in _EATS_NEWLINE and written.startswith("\n"):
                written = f"\n{written}"
        place = first.setdefault(run.parent, []) if run.after < 0 else tail.setdefault(run.after, [])
        place.append(written)
    return first, tail


def _start_tag(tag: str, attributes: Mapping[str, str]) -> str:
    if not attributes:
        return f"<{tag}>"
    written = "".join(f' {name}="{escape_value(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>"


def _close(element: int, tags: Sequence[str], tails: Mapping[int, Sequence[str]], parts: list[str]) -> None:
    if tags[element] not in VOID:
        parts.append(f"</{tags[element]}>")
    parts += tails.get(element, ())
