"""Tell content and template of a page that has no other pages of its site."""

from sitestencil.content.blocks import text_blocks
from sitestencil.content.main_content import MOST_BLOCKS, ContentChoice
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.pagelevel.detector import shipped
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.page.document import Document


def from_page_alone(document: Document) -> Detection:
    """Detect a page's template with PageLevel alone."""
    detector = shipped()
    return detector.decide(document, templateness(document, detector.model, detector.smoothing))


def rest_of_page_alone(document: Document, choice: ContentChoice) -> Detection:
    """Return all of a page but the wanted content, as an answer whose "template" it is.

    Without compared pages the main content does not depend on the template. So PageLevel, which takes as long
    as all else, runs only if all content is wanted.
    """
    has_many = len(document.texts) > MOST_BLOCKS and not 0 < len(text_blocks(document)) <= MOST_BLOCKS
    if choice.around or has_many:
        return choice.rest(document, from_page_alone(document))
    return choice.rest(document, Detection([False] * len(document), [False] * len(document.texts), ()))
