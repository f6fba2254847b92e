"""Answer a page from memory, with nothing loaded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.learned_template import MAPPING_FITS_FROM, LearnedTemplate
from sitestencil.memory.store import Remembered, TemplateStore
from sitestencil.page.document import Document
from sitestencil.template import Template

# Take a template with this fit without trying the others of its site.
_FITS_WELL = 0.9
# Sites change: check a template again after this time.
SECONDS_TRUSTED = 30 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """A page's template from memory.

    Attributes:
        template: the answer.
        remembered: the stored template that it comes from.
        is_sure: whether everything below the template is known, and the stored template is recent. If not, a new
            detection should check the answer.
    """

    template: Template
    remembered: Remembered
    is_sure: bool


def answer_from(remembered: Sequence[Remembered], document: Document) -> MemoryAnswer | None:
    r"""Return a page's template by the best fitting one of its site; None if none fits.

    Example:
        >>> from sitestencil import learn, parse
        >>> menu, item = "<nav><a href='/a'>A</a></nav>", "<article><h1>{}</h1></article>"
        >>> pages = {f"https://site.example/{name}": menu + item.format(name) for name in "abc"}
        >>> learned = learn(menu + item.format("Home"), url="https://site.example/", pages=pages)
        >>> further = parse(menu + item.format("New"), "https://site.example/d")
        >>> answer = answer_from([Remembered(1, learned, time.time())], further)
        >>> answer.is_sure, answer.template.content_text()
        (True, 'New\n')
    """
    best: MemoryAnswer | None = None
    for one in remembered:
        detection = one.learned.apply(document)
        if detection.fit >= MAPPING_FITS_FROM and (best is None or detection.fit > best.template.fit):
            is_sure = detection.unknown == 0 and time.time() - one.learned_at < SECONDS_TRUSTED
            best = MemoryAnswer(Template(document, detection, one.learned.detector), one, is_sure)
            if detection.fit >= _FITS_WELL:
                break
    return best


def remember(store: TemplateStore, template: Template, before: MemoryAnswer | None) -> None:
    """Remember a detection's template in place of the one that answered first; never remember a guess.

    Raises:
        MemoryUnavailable: the file cannot be written now.
    """
    if template.doubt is None and template.candidates:
        learned = LearnedTemplate.of_answer(template.detector, template.document, template.detection)
        store.remember(learned, instead_of=None if before is None else before.remembered.number)
