"""The text of a page, by each of its writers."""

from tests.support.judged_pages import all_content

from sitestencil.crawl.native_walking import NativeWriting
from sitestencil.crawl.page_text import document_text, page_nodes, text_and_links
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.content import content_text
from sitestencil.page.parsing import lexbor_root, parse

URL = "https://site.example/"


def text_of(html: str) -> str:
    """Return the text of a page, all of it content; fail if a crawl writes another."""
    document, root = parse(html, URL), lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    nothing = Detection([False] * len(document), [False] * len(document.texts), ())
    text = content_text(all_content(document))
    assert text == document_text(document, nothing)
    assert text == text_and_links(page_nodes(root), document, nothing)[0]
    assert text == NativeWriting(page_nodes(root), None).text()
    return text
