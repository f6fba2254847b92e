"""The content of a page of whose site nothing else is known.

What is template PageLevel says. Its text alone is worth less than that of programs made for single pages, which in
turn find next to nothing on lists of links and on forums. So the text is resiliparse's where that is installed and
has found a good part of what PageLevel has; docs/crawls.md has what each of them is worth.
"""

from sitestencil.crawl.document_text import document_text
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.pagelevel.detector import shipped
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.page.document import Document
from sitestencil.page.encoding import decode
from sitestencil.printable import printable
from sitestencil.site.sources.crawled import CrawlPage

# So much of PageLevel's text the other has to have. Between .2 and .5 the figures hardly differ.
_GOOD_PART = 0.3


def from_page_alone(document: Document) -> Detection:
    """Return what a page tells alone, by PageLevel."""
    detector = shipped()
    return detector.decide(document, templateness(document, detector.model, detector.smoothing))


def text_from_page_alone(page: CrawlPage, document: Document, detection: Detection) -> str:
    """Return the text of a page's content.

    Args:
        page: the page.
        document: its elements.
        detection: what PageLevel says of them.
    """
    text = document_text(document, detection)
    try:
        from resiliparse.extract.html2text import extract_plain_text
    except ImportError:
        return text
    other = extract_plain_text(decode(page.html, page.charset), main_content=True, preserve_formatting=True)
    lines = [" ".join(line.split()) for line in printable(other).splitlines()]
    if sum(map(len, lines)) < _GOOD_PART * len(text):
        return text
    return "".join(f"{line}\n" for line in lines if line)
