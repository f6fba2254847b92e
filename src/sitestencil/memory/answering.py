"""A page's template from memory: from what was learned on earlier pages of its site, with nothing loaded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.learned_template import FITS_FROM, LearnedTemplate
from sitestencil.memory.store import Remembered, TemplateStore
from sitestencil.page.document import Document
from sitestencil.template import Template

# One that fits so well is taken without looking at the others of its site.
_FITS_WELL = 0.9
# Sites change: what was learned longer ago is looked at again.
SECONDS_TRUSTED = 30 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """A page's template, as far as it is remembered.

    Attributes:
        template: the answer.
        remembered: what it comes from.
        is_sure: whether all that stands in the template is known, and was learned not long ago; otherwise the
            answer should be checked by a detection anew.
    """

    template: Template
    remembered: Remembered
    is_sure: bool


def answer_from(remembered: Sequence[Remembered], document: Document) -> MemoryAnswer | None:
    r"""Return a page's template by the best fitting of what is remembered of its site; None where nothing fits.

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
        if detection.fit >= FITS_FROM and (best is None or detection.fit > best.template.fit):
            is_sure = detection.unknown == 0 and time.time() - one.learned_at < SECONDS_TRUSTED
            best = MemoryAnswer(Template(document, detection, one.learned.detector), one, is_sure)
            if detection.fit >= _FITS_WELL:
                break
    return best


def remember(store: TemplateStore, template: Template, before: MemoryAnswer | None) -> None:
    """Keep what a detection has taught, instead of what the page was first answered from; a guess is not kept.

    Raises:
        MemoryUnavailable: it cannot be written now.
    """
    if template.doubt is None and template.candidates:
        learned = LearnedTemplate.of_answer(template.detector, template.document, template.detection)
        store.remember(learned, instead_of=None if before is None else before.remembered.number)
