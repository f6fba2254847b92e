"""Extract the content of a page that has no other pages of its site.

PageLevel finds the template. Its text is worse than that of extractors for single pages, but these find next to
nothing on forums and lists of links. So take resiliparse's text if it is installed and found enough of PageLevel's;
docs/crawls.md has the figures.
"""

from sitestencil.crawl.document_text import document_text
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.pagelevel.detector import shipped
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.page.document import Document
from sitestencil.page.encoding import decode
from sitestencil.printable import printable
from sitestencil.site.sources.crawled import CrawlPage

# Take the other text if it has this share of PageLevel's. Between .2 and .5 the figures hardly differ.
_GOOD_PART = 0.3


def from_page_alone(document: Document) -> Detection:
    """Detect a page's template with PageLevel alone."""
    detector = shipped()
    return detector.decide(document, templateness(document, detector.model, detector.smoothing))


def text_from_page_alone(page: CrawlPage, document: Document, detection: Detection) -> str:
    """Return the text of a page's content.

    Args:
        page: the page.
        document: the parsed page.
        detection: PageLevel's result for it.
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
