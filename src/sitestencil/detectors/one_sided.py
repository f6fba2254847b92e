"""Recognize answers in which all that a person sees is template, or nothing is."""

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.doubt import Doubt
from sitestencil.page.document import Document
from sitestencil.page.sketch import NOT_COMPARED

PICTURES = frozenset("img picture video canvas svg iframe object embed".split())


def doubt_of_one_sided(document: Document, detection: Detection) -> Doubt | None:
    """Return the doubt if no text or picture of a page is template, or none is content; otherwise None."""
    texts, pictures = _shown(document)
    verdicts = {bool(detection.template_texts[run]) for run in texts}
    verdicts.update(bool(detection.template[picture]) for picture in pictures)
    if len(verdicts) != 1:
        return None
    return Doubt.ALL_TEMPLATE if verdicts.pop() else Doubt.ALL_CONTENT


def shows_nothing(document: Document) -> bool:
    """Return whether a person sees no text and no picture on a page."""
    return not any(_shown(document))


def _shown(document: Document) -> tuple[list[int], list[int]]:
    """Return the text nodes and the pictures that a person sees."""
    body, boxes = document.body or 0, document.boxes

    def has_room(element: int) -> bool:
        box = boxes and boxes[element]
        return not box or box.width * box.height > 0

    texts = [
        number
        for number, (parent, _, text) in enumerate(document.texts)
        if parent >= body and document.tags[parent] not in NOT_COMPARED and bool(text.strip()) and has_room(parent)
    ]
    elements = range(body, len(document))
    return texts, [one for one in elements if document.tags[one] in PICTURES and has_room(one)]
