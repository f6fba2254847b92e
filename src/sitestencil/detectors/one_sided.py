"""Recognize answers in which all that a person sees is template, or nothing is."""

from collections.abc import Iterator

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.doubt import Doubt
from sitestencil.page.document import Document
from sitestencil.page.sketch import NOT_COMPARED

PICTURES = frozenset("img picture video canvas svg iframe object embed".split())


def doubt_of_one_sided(document: Document, detection: Detection) -> Doubt | None:
    """Return the doubt if no text or picture of a page is template, or none is content; otherwise None."""
    seen = set(_verdicts(document, detection))
    if not seen or len(seen) > 1:
        return None
    return Doubt.ALL_TEMPLATE if seen.pop() else Doubt.ALL_CONTENT


def _verdicts(document: Document, detection: Detection) -> Iterator[bool]:
    """Yield for each text and picture that shows whether it is template."""
    body, boxes = document.body or 0, document.boxes
    for run, is_template in zip(document.texts, detection.template_texts, strict=True):
        box = boxes and boxes[run.parent]
        is_read = run.parent >= body and document.tags[run.parent] not in NOT_COMPARED and bool(run.text.strip())
        if is_read and (not box or box.width * box.height > 0):
            yield is_template
    for element in range(body, len(document)):
        box = boxes and boxes[element]
        if document.tags[element] in PICTURES and (not box or box.width * box.height > 0):
            yield detection.template[element]
