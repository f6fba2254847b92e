"""Find the container of the main content: an element of the frame, for saved templates and rebuilt sites alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.content.main_content import MainContent
from sitestencil.content.page_measures import add_up
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT

HELD = 0.9  # of the main content's characters, that a container holds
MOST_MAIN = 0.05  # of the text of what stands beside the main content: a breadcrumb, a byline, comments
# A list or a table is content, and so is a paragraph.
NO_CONTAINERS = frozenset(
    "p ul ol dl li table tbody tr pre blockquote h1 h2 h3 h4 h5 h6 span a form fieldset".split()
)


@dataclass(frozen=True, slots=True)
class MainContainers:
    """Where a page's main content stands.

    Attributes:
        chain: the body, and the elements in it that hold most of the main content, without its title; outer ones
            first. No paragraph, list or table is one.
        mains: per element, the characters of main content in it, without the title.
        titles: per element, those of the title.
        others: per element, those of the rest.
    """

    chain: Sequence[int]
    mains: Sequence[int]
    titles: Sequence[int]
    others: Sequence[int]


def main_containers(document: Document, main: MainContent) -> MainContainers:
    """Return where the main content of a page stands."""
    mains, titles, others = ([0] * len(document) for _ in range(3))
    for number, run in enumerate(document.texts):
        if document.tags[run.parent] not in NO_PAGE_TEXT:
            is_title = main.parts[run.parent] == "title"
            column = titles if is_title else mains if main.texts[number] else others
            column[run.parent] += len(run.text.strip())
    for column in (mains, titles, others):
        add_up(column, document.parents)
    element = document.body or 0
    chain, least = [element], mains[element] / 2
    while (element := _holding(document, element, mains, least)) and document.tags[element] not in NO_CONTAINERS:
        chain.append(element)
    return MainContainers(chain, mains, titles, others)


def _holding(document: Document, element: int, mains: Sequence[int], least: float) -> int:
    return next((child for child in document.children[element] if mains[child] > least), 0)
