"""A browser's page as it is when it is saved: a snapshot with all texts, and what of it is template.

The fields are those of the protocol's request ``save``.
"""

from collections.abc import Iterable

from sitestencil.errors import MalformedSnapshot
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.standalone_html import template_html
from sitestencil.page.ranges import Range
from sitestencil.page.snapshot import Snapshot, document_from_snapshot


class Capture(Snapshot, frozen=True, kw_only=True):
    """A page to save.

    Attributes:
        template: half-open ranges of the elements that are template.
        template_texts: half-open ranges of the texts that are template.
        adopted_sheets: rules of sheets that scripts adopted, by the element of their shadow root or the ``html``
            element of their document.
        frame_bases: for the ``html`` element of each frame, the address its links resolve against.
    """

    template: list[Range]
    template_texts: list[Range]
    frame_bases: tuple[tuple[int, str], ...] = ()
    adopted_sheets: tuple[tuple[int, str], ...] = ()


def captured_html(capture: Capture) -> str:
    """Return the template of a captured page as a page of its own; see `template_html`.

    Raises:
        InvalidAddress: the page's address is not an http or https URL.
        MalformedSnapshot: the capture holds no element tree, or names elements that are not in it.
        CannotBeSaved: the page cannot be written as HTML that gives the same page again.
    """
    document = document_from_snapshot(capture)
    page = JudgedPage(
        document,
        _mask(capture.template, len(document)),
        _mask(capture.template_texts, len(document.texts)),
        frame_bases=dict(capture.frame_bases),
        adopted_sheets=dict(capture.adopted_sheets),
    )
    return template_html(page)


def _mask(ranges: Iterable[Range], length: int) -> list[bool]:
    mask = [False] * length
    for start, end in ranges:
        if not 0 <= start <= end <= length:
            raise MalformedSnapshot("The page's snapshot is malformed: a range lies outside the tree.")
        mask[start:end] = [True] * (end - start)
    return mask
