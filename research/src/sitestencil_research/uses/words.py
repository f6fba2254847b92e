"""The words of a page: all of them, or without a detector's template."""

import re

from sitestencil.detectors.detection import Detection
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT, VOID
from sitestencil.page.serialization import escape_text, escape_value

_WORD = re.compile(r"[^\W_]+")


def alphanumeric_words(text: str) -> list[str]:
    """Return the words of a text: lower case, alphanumeric characters only (Chakrabarti, 6.2)."""
    return _WORD.findall(text.lower())


def page_text(document: Document, detection: Detection | None = None) -> str:
    """Return the text of a page's body, without a template if one is given."""
    body = document.body if document.body is not None else len(document)
    return " ".join(
        run.text
        for number, run in enumerate(document.texts)
        if run.parent >= body
        and document.tags[run.parent] not in NO_PAGE_TEXT
        and not run.text.isspace()
        and not (detection is not None and _is_removed(document, detection, number))
    )


def page_size(document: Document, detection: Detection | None = None) -> int:
    """Return the bytes of a page's HTML: tags and texts, without the template."""
    template = detection.template if detection is not None else [False] * len(document)
    size = 0
    for tag, attributes, is_template in zip(document.tags, document.attributes, template, strict=True):
        if is_template:
            continue
        size += len(tag) + 2 + (0 if tag in VOID else len(tag) + 3)
        for name, value in attributes.items():
            size += len(name.encode()) + 4 + len(escape_value(value).encode(errors="replace"))
    for number, run in enumerate(document.texts):
        if detection is None or not _is_removed(document, detection, number):
            size += len(escape_text(run.text).encode(errors="replace"))
    return size


def _is_removed(document: Document, detection: Detection, number: int) -> bool:
    """Return whether a text goes with the template: it is template itself, or white space inside template."""
    run = document.texts[number]
    if not detection.template[run.parent]:
        return False
    in_head = document.body is None or run.parent < document.body
    return detection.template_texts[number] or in_head or run.text.isspace()
