"""The text of a page, by each of its writers."""

from tests.support.judged_pages import all_content
from tests.support.plain_writer import crawled, written

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
    assert text == written(document, nothing)[0]
    assert text == crawled(root, document, nothing)[0]
    return text
