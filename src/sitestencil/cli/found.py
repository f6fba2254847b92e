"""Say in a line what an extraction found, and how sure that is."""

from typing import TYPE_CHECKING

from sitestencil.detectors.doubt import GUESS_BELOW

if TYPE_CHECKING:
    from sitestencil.template import Template

# As the extension's panel has them (background/confidence.js).
_HIGH_FROM = 0.96
_MAIN_LOW_BELOW = 0.8
_MAIN_HIGH_FROM = 0.95


def found(template: "Template", *, of_content: bool) -> str:
    """Return what was found, and the confidence in it.

    Args:
        template: the answer.
        of_content: the main content was written, not the template.
    """
    elements = template.main.elements if of_content else template.elements
    kind, compared = "main content" if of_content else "template", len(template.candidates)
    pages = f"{compared} other page{'' if compared == 1 else 's'}" if compared else "no other page"
    return (
        f"{sum(elements)} of {len(elements)} elements are {kind}; compared with {pages}. "
        f"{_confidence(template, of_content=of_content)}"
    ).rstrip()


def _confidence(template: "Template", *, of_content: bool) -> str:
    confidence = template.main.confidence if of_content else template.confidence
    low, high = (_MAIN_LOW_BELOW, _MAIN_HIGH_FROM) if of_content else (GUESS_BELOW, _HIGH_FROM)
    if template.doubt is not None or (confidence is not None and confidence < low):
        return "Low confidence: this may be wrong."
    if confidence is None:
        return ""
    return "High confidence." if confidence >= high else "Medium confidence."


def summary(template: "Template") -> str:
    """Return what was found, and what was loaded for it."""
    seconds = template.timings_ms.get("total", 0.0) / 1000
    compared = "".join(f"\n  {address}" for address in template.candidates)
    return (
        f"{template.url}: {found(template, of_content=False)} "
        f"{template.pages_loaded} of {template.loads} pages loaded in {seconds:.1f} s.{compared}"
    )
