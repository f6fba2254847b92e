"""The text of a page."""

from sitestencil.detectors.detection import Detection
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.parsing import parse

URL = "https://site.example/"


def text_of(html: str) -> str:
    """Return the text of a page, all of it content."""
    document = parse(html, URL)
    return document_text(document, Detection([False] * len(document), [False] * len(document.texts), ()))
