"""The text of a page, by each of its writers."""

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.page_text import Walked, measure, page_nodes, text_and_links, walked
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.document import Document
from sitestencil.page.parsing import document_of, lexbor_root, parse

URL = "https://site.example/"


def walk(root: LexborNode, compiled: CompiledTemplate) -> Walked:
    """Apply a template to a page."""
    nodes = page_nodes(root)
    return walked(nodes, measure(nodes, compiled))


def walked_text(root: LexborNode, compiled: CompiledTemplate) -> str:
    """Return the text of a page's content by a template."""
    return crawled(root, document_of(root, "", "https://site.example/", scripting=False), walk(root, compiled))[0]


def crawled(root: LexborNode, document: Document, answer: Detection | Walked) -> tuple[str, int]:
    """Return what a crawl writes of a page, and the number of its links."""
    return text_and_links(page_nodes(root), lambda: document, answer)


def text_of(html: str) -> str:
    """Return the text of a page, all of it content; fail if a crawl writes another."""
    document, root = parse(html, URL), lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    nothing = Detection([False] * len(document), [False] * len(document.texts), ())
    text = document_text(document, nothing)
    assert text == crawled(root, document, nothing)[0]
    return text
