"""Estimate the confidence in an answer, its expected F1, and decide whether it is only a guess, and why."""

from collections.abc import Sequence
from math import exp, log

from sitestencil.detectors.detection import GUESS_BELOW, Detection, Doubt
from sitestencil.detectors.stencil.comparison import Comparison
from sitestencil.detectors.stencil.poor_pages import doubt_of_another_page, is_almost_empty, is_error_page, is_shell
from sitestencil.detectors.stencil.similarity import ComparedPages
from sitestencil.detectors.stored_sketch import RememberedPage
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.page_title import page_title
from sitestencil.page.sketch import NOT_COMPARED
from sitestencil.site.links import has_site_links
from sitestencil.site.loading import PageLoader

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


# Set by hand: a shell or a login form comes for this many addresses, and differs by little more than a name.
_SAME_PAGE_AT = 3
# Without a near page, two of five answers expected below this miss an F1 of .85.
_FAR_GUESS_BELOW = 0.92
_SAME_TEXTS = 0.8


def doubt_of(
    comparison: Comparison, detection: Detection, served: Doubt | None = None, status: int = 200
) -> Doubt | None:
    """Return the doubt about an answer; None if there is none.

    Args:
        comparison: the result of comparing.
        detection: the answer.
        served: the doubt if the source serves another page than the one on the screen.
        status: the HTTP status of the key page.
    """
    sketch, near = comparison.key_page.sketch, comparison.compared.is_near
    poor = _doubt_of_poor_page(sketch, status)
    if poor is not None:
        return poor
    if not near and _is_one_page_everywhere(comparison):
        return doubt_of_another_page(comparison.key_page, comparison.compared.pages[0].sketch)
    if not near and served is not None:
        return served
    if not near and _is_lone(comparison):
        return Doubt.ALONE
    if not detection.candidates:
        return Doubt.BUILT_BY_SCRIPTS if comparison.empty else Doubt.NOTHING_LOADED
    unsure = Doubt.UNSURE if near else Doubt.NO_SIMILAR_PAGE
    is_sure = detection.confidence is None or detection.confidence >= (GUESS_BELOW if near else _FAR_GUESS_BELOW)
    return doubt_of_one_sided(sketch.document, detection) if is_sure else unsure


def _is_lone(comparison: Comparison) -> bool:
    """Return whether the key page leads to no other page; those of earlier visits are not what it leads to."""
    pages = comparison.compared.pages
    if not pages and comparison.is_alone:
        return True
    only_known = all(isinstance(page.sketch, RememberedPage) for page in pages)
    return only_known and not has_site_links(comparison.key_page.sketch.document)


def is_held_back(doubt: Doubt | None, loader: PageLoader) -> bool:
    """Return whether pages are missing because their links may act, and not because they did not load."""
    is_missing = doubt is Doubt.NO_SIMILAR_PAGE or (doubt is Doubt.NOTHING_LOADED and not loader.loads)
    return is_missing and loader.holds_back()


def _doubt_of_poor_page(sketch: KeySketch, status: int) -> Doubt | None:
    """Return the doubt if the key page itself says nothing about its site, in its shadow trees either."""
    if sketch.document.shadow_roots:
        sketch = KeySketch(sketch.document, sketch.document.shadow_hosts)
    if is_error_page(sketch, page_title(sketch.document), status):
        return Doubt.ERROR_PAGE
    scripts_have_run, tags = sketch.document.scripting, sketch.document.tags
    if not scripts_have_run and "script" in tags and is_shell(sketch):
        return Doubt.BUILT_BY_SCRIPTS
    return Doubt.ALMOST_EMPTY if is_almost_empty(sketch) else None


def _is_one_page_everywhere(comparison: Comparison) -> bool:
    """Return whether all addresses gave the same page, such as a shell for scripts or a login form."""
    pages = comparison.compared.pages
    if not pages or len(pages) + comparison.repeated < _SAME_PAGE_AT:
        return False
    first, *others = (set(filter(None, page.sketch.own_texts)) for page in pages)
    return all(len(first & texts) >= _SAME_TEXTS * len(first | texts) for texts in others)


# Of some forty figures (research/docs/errors.md) these two predict F1 best: the number of undecided scores beside
# that of template elements, and the share of elements that have another text on all pages. The weights come from a
# logistic regression on 2,490 answers, by trees that had not seen the page's organisation: as loaded (these weigh
# three times), with fewer pages, and with none that is near.
_DECIDED = (0.2, 0.8)
_INTERCEPT, _UNDECIDED, _OTHER_TEXTS = 1.180, -0.692, 6.958
_LEAST_SHARE = 0.01
# PageLevel's F1 on sites it has not seen (research/docs/benchmark.md); it answers if no page was compared.
OF_PAGE_ALONE = 0.79
# The F1 that answers by one page and by two reached where no page was near and at least .92 was expected: of 138
# answers by one page 22 % missed .85, of 45 by two 13 % (research/docs/errors.md).
_MOST_BY_FAR_PAGES = {1: 0.91, 2: 0.94}


def expected_f1(scores: Sequence[float], template: Sequence[bool], other_texts: float) -> float:
    """Return the expected F1 of an answer, 0 to 1.

    Args:
        scores: the answer's score per element of the document.
        template: whether each element is template.
        other_texts: the share of the compared elements that have another text on all pages.
    """
    least, most = _DECIDED
    undecided = sum(least < score < most for score in scores) / max(1, sum(template))
    odds = _INTERCEPT + _UNDECIDED * log(undecided + _LEAST_SHARE) + _OTHER_TEXTS * other_texts
    return 1 / (1 + exp(-odds))


def most_expected_f1(compared: ComparedPages) -> float:
    """Return the most that `Template.confidence` says of an answer by these pages, 0 to 1."""
    return 1.0 if compared.is_near else _MOST_BY_FAR_PAGES.get(len(compared.pages), 1.0)
