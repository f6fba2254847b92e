"""Walk through a document in the order of its HTML: start tags, texts, end tags."""

from collections.abc import Iterator
from enum import Enum

from sitestencil.page.document import Document


class Event(Enum):
    """The events of a walk through a document."""

    START = "start tag"
    TEXT = "text"
    END = "end tag"


def walk(document: Document) -> Iterator[tuple[Event, int]]:
    """Yield the tags and texts of a page in the order of its HTML.

    The number is the element's for a tag, the text's for a text. Embedded trees are skipped.
    """
    first, after = _texts_by_place(document)
    parents, ends = document.parents, document.ends
    embedded = set(document.embedded)
    open_elements: list[int] = []
    element, count = 0, len(document)
    while element < count:
        parent = parents[element]
        while open_elements and open_elements[-1] != parent:
            yield from _end(open_elements.pop(), after)
        if element in embedded:
            for run in after.get(element, ()):
                yield Event.TEXT, run
            element = ends[element]
            continue
        yield Event.START, element
        for run in first.get(element, ()):
            yield Event.TEXT, run
        open_elements.append(element)
        element += 1
    while open_elements:
        yield from _end(open_elements.pop(), after)


def _end(element: int, after: dict[int, list[int]]) -> Iterator[tuple[Event, int]]:
    yield Event.END, element
    for run in after.get(element, ()):
        yield Event.TEXT, run


def _texts_by_place(document: Document) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return the text numbers by the element whose start tag, or whose end tag, comes before them."""
    first: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    for number, run in enumerate(document.texts):
        (first.setdefault(run.parent, []) if run.after < 0 else after.setdefault(run.after, [])).append(number)
    return first, after
