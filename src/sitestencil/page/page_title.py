"""Read a page's title from its tree or its source."""

import re
from html import unescape

from sitestencil.page.document import Document
from sitestencil.page.encoding import decode

# Titles stand early: a later one is in an SVG image, or not a title.
_LOOKED_THROUGH = 100_000
_START = re.compile(r"<title(?=[\s>/])", re.IGNORECASE)
_END = re.compile(r"</title\s*+>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def page_title(document: Document) -> str:
    """Return the first ``title`` before the body, with white space collapsed; empty if there is none."""
    head = document.tags[: document.body]
    if "title" not in head:
        return ""
    title = head.index("title")
    return _collapsed("".join(run.text for run in document.texts if run.parent == title))


def source_title(source: bytes, charset: str | None = None) -> str:
    r"""Return the first ``title`` of HTML, with white space collapsed; empty if there is none.

    >>> source_title(b"<!doctype html><title>\n Knots &amp; ropes </title>")
    'Knots & ropes'
    """
    text = decode(source[:_LOOKED_THROUGH], charset)
    tag = _START.search(text)
    start = text.find(">", tag.end()) + 1 if tag is not None else 0
    end = _END.search(text, start) if start else None
    return _collapsed(unescape(text[start : end.start()])) if end is not None else ""


def _collapsed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
