"""Decide whether an answer is only a guess, and why."""

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.doubt import GUESS_BELOW, Doubt
from sitestencil.detectors.one_sided import doubt_of_one_sided
from sitestencil.detectors.stencil.comparison import Comparison
from sitestencil.detectors.stencil.poor_pages import is_almost_empty, is_error_page, is_shell
from sitestencil.detectors.stencil.served_page import doubt_of_another_page
from sitestencil.detectors.stencil.similarity import ComparedPages
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.page_title import page_title
from sitestencil.page.sketch import Sketch
from sitestencil.site.links import site_links

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
    if not detection.candidates:
        return _doubt_without_pages(comparison)
    if detection.confidence is None or detection.confidence >= (GUESS_BELOW if near else _FAR_GUESS_BELOW):
        return doubt_of_one_sided(sketch.document, detection)
    return Doubt.UNSURE if near else Doubt.NO_SIMILAR_PAGE


def _doubt_of_poor_page(sketch: KeySketch, status: int) -> Doubt | None:
    """Return the doubt if the key page itself says nothing about its site."""
    if is_error_page(sketch, page_title(sketch.document), status):
        return Doubt.ERROR_PAGE
    scripts_have_run, tags = sketch.document.scripting, sketch.document.tags
    if not scripts_have_run and "script" in tags and is_shell(sketch):
        return Doubt.BUILT_BY_SCRIPTS
    return Doubt.ALMOST_EMPTY if is_almost_empty(sketch) else None


def _doubt_without_pages(comparison: Comparison) -> Doubt:
    if comparison.is_alone or not site_links(comparison.key_page.sketch.document):
        return Doubt.ALONE
    return Doubt.BUILT_BY_SCRIPTS if comparison.empty else Doubt.NOTHING_LOADED


def _is_one_page_everywhere(comparison: Comparison) -> bool:
    """Return whether all addresses gave the same page, such as a shell for scripts or a login form."""
    compared = comparison.compared
    count = len(compared.pages)
    return count > 0 and count + comparison.repeated >= _SAME_PAGE_AT and _have_same_texts(compared)


def _have_same_texts(compared: ComparedPages) -> bool:
    first, *others = (_texts(page.sketch) for page in compared.pages)
    return all(len(first & texts) >= _SAME_TEXTS * len(first | texts) for texts in others)


def _texts(sketch: Sketch) -> frozenset[str]:
    return frozenset(filter(None, sketch.own_texts))
