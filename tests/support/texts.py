"""The text of a page, and a compiled template's walk over it."""

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate, Walked, measure, walked
from sitestencil.crawl.native_walking import NativeNodes
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.parsing import document_of, parse

URL = "https://site.example/"


def walk(root: LexborNode, compiled: CompiledTemplate) -> Walked:
    nodes = NativeNodes(root)
    return walked(nodes, measure(nodes, compiled))


def walked_text(root: LexborNode, compiled: CompiledTemplate) -> str:
    """Return the text of a page's content by a template."""
    return document_text(document_of(root, "", URL, scripting=False), walk(root, compiled))


def text_of(html: str) -> str:
    """Return the text of a page, all of it content."""
    document = parse(html, URL)
    return document_text(document, Detection([False] * len(document), [False] * len(document.texts), ()))
