"""A browser's page at the time of saving: a snapshot with all texts and the template's numbers.

The fields match the protocol's request ``save``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sitestencil.errors import MalformedSnapshot
from sitestencil.outputs.files import File, data_url
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.document import Document, Range
from sitestencil.page.snapshot import Snapshot, document_from_snapshot
from sitestencil.urls import base_address

# Attributes that let a browser choose another image than the one it showed.
_OTHER_IMAGES = frozenset({"srcset", "sizes", "loading"})


class Capture(Snapshot, frozen=True, kw_only=True):
    """A page to save.

    Attributes:
        template: half-open ranges of the template elements.
        template_texts: half-open ranges of the template texts.
        adopted_sheets: rules of sheets that scripts adopted, by the element of their shadow root or the ``html``
            element of their document.
        frame_bases: the base address of each frame's document, by its ``html`` element.
        title: the site's own part of the page's title.
        files: the page's images, fonts and style sheets, as far as the page can read them, by address.
        images: the address that each image shows now, by its element.
    """

    template: list[Range]
    template_texts: list[Range]
    frame_bases: tuple[tuple[int, str], ...] = ()
    adopted_sheets: tuple[tuple[int, str], ...] = ()
    title: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    images: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A captured page with its template and its files."""

    judged: JudgedPage
    files: Mapping[str, File]


def captured_page(capture: Capture) -> CapturedPage:
    """Build the page that a browser has captured.

    Raises:
        InvalidAddress: the page's address is not an http or https URL.
        MalformedSnapshot: the capture has no element tree, or a range outside it.
    """
    document = _with_images(document_from_snapshot(capture), _images(capture))
    page = JudgedPage(
        document,
        _mask(capture.template, len(document)),
        _mask(capture.template_texts, len(document.texts)),
        title=capture.title,
        frame_bases={frame: base_address(base, document.base) for frame, base in capture.frame_bases},
        adopted_sheets=dict(capture.adopted_sheets),
    )
    # Text that a page gives is UTF-8, whatever its server declares.
    return CapturedPage(page, {url: File(url, content) for url, content in capture.files})


def _images(capture: Capture) -> dict[int, str]:
    """Return each image's address; an image that a script made (``blob:``) becomes its data."""
    files = dict(capture.files)
    return {
        element: (data_url(files.get(address, b"")) or "") if address.startswith("blob:") else address
        for element, address in capture.images
    }


def _with_images(document: Document, images: Mapping[int, str]) -> Document:
    """Return the page with each image as the browser shows it."""
    if not images:
        return document
    attributes = list(document.attributes)
    for element, address in images.items():
        if 0 <= element < len(document) and document.tags[element] == "img":
            kept = {name: value for name, value in attributes[element].items() if name not in _OTHER_IMAGES}
            attributes[element] = {**kept, "src": address}
    return replace(document, attributes=attributes)


def _mask(ranges: Iterable[Range], length: int) -> list[bool]:
    mask = [False] * length
    for start, end in ranges:
        if not 0 <= start <= end <= length:
            raise MalformedSnapshot("The page's snapshot is malformed: a range lies outside the tree.")
        mask[start:end] = [True] * (end - start)
    return mask
