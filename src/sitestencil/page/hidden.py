"""Tell the elements that a page's source hides."""

from collections.abc import Mapping

from sitestencil.page.document import Document

# A larger part of a page's elements is not hidden for long.
MOST_HIDDEN = 0.5


def hides(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element's attributes hide it."""
    return "hidden" in attributes or ("style" in attributes and hides_by_style(attributes["style"] or ""))


def hides_by_style(style: str) -> bool:
    """Return whether a style hides its element."""
    return "display:none" in style.replace(" ", "").lower()


def without_text(document: Document) -> list[bool]:
    """Return per element whether its text is hidden, by itself or by an element around it.

    ``hidden="until-found"`` hides no text: readers search it. Nor does an element that holds most of a
    page: it shows once scripts have run.
    """
    ends, body, most = document.ends, document.body or 0, MOST_HIDDEN * len(document)
    hidden: list[bool] = []
    for element, (parent, attributes) in enumerate(zip(document.parents, document.attributes, strict=True)):
        within = parent >= 0 and hidden[parent]
        if not within and attributes and element > body and hides_text(attributes):
            within = ends[element] - element < most
        hidden.append(within)
    return hidden


def hides_text(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element's attributes hide its text from every reader."""
    return hides(attributes) and (attributes.get("hidden") or "").lower() != "until-found"
