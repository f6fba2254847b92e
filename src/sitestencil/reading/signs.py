"""Read the names of drawn signs in cells of tables that have no words: a tick, a cross, a flag, a filled box."""

from collections.abc import Iterator, Mapping

from sitestencil.page.document import Document
from sitestencil.page.html_names import CELLS

_LONGEST = 60  # of a sign's name
_MOST_ELEMENTS = 40  # of a cell that holds a sign
_BOXES = {True: "\u2611", False: "\u2610"}


def sign_names(document: Document, names: Mapping[int, str]) -> dict[int, str]:
    """Return what to read in the place of signs, by their elements.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<table><tr><td><svg aria-label=Yes></svg></table>", "https://site.example/")
        >>> list(sign_names(page, {}).values())
        ['Yes']
    """
    found: dict[int, str] = {}
    named = [element for element, name in names.items() if name in CELLS]
    for cell in (*document.tagged(*CELLS), *named):
        if 1 < document.ends[cell] - cell <= _MOST_ELEMENTS:
            found.update(_signs(document, cell))
    return found


def _signs(document: Document, cell: int) -> Iterator[tuple[int, str]]:
    runs = (document.texts[run] for run in document.runs(cell))
    if any(not run.text.isspace() and document.tags[run.parent] != "title" for run in runs):
        return
    element, end = cell + 1, document.ends[cell]
    while element < end:
        if name := _name(document, element):
            yield element, name
            element = document.ends[element]
        else:
            element += 1


def _name(document: Document, element: int) -> str:
    tag, attributes = document.tags[element], document.attributes[element]
    if tag in {"input", "img", "a", "button"}:
        is_box = tag == "input" and attributes.get("type", "").lower() == "checkbox"
        return _BOXES["checked" in attributes] if is_box else ""
    name = attributes.get("aria-label") or attributes.get("title") or ""
    if not name and tag == "svg" and element + 1 < document.ends[element] and document.tags[element + 1] == "title":
        name = document.text_content(element + 1)
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else ""
