"""Detect the template of a page that has no other pages of its site."""

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.pagelevel.detector import shipped
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.page.document import Document


def from_page_alone(document: Document) -> Detection:
    """Detect a page's template with PageLevel alone."""
    detector = shipped()
    return detector.decide(document, templateness(document, detector.model, detector.smoothing))
