"""A browser's page as it is when it is saved: a snapshot with all texts, and what of it is template.

The fields are those of the protocol's request ``save``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sitestencil.errors import MalformedSnapshot
from sitestencil.outputs.files import File, data_url
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.document import Document
from sitestencil.page.ranges import Range
from sitestencil.page.snapshot import Snapshot, document_from_snapshot

# What lets a browser choose another image than the one that it has shown.
_OTHER_IMAGES = frozenset({"srcset", "sizes", "loading"})


class Capture(Snapshot, frozen=True, kw_only=True):
    """A page to save.

    Attributes:
        template: half-open ranges of the elements that are template.
        template_texts: half-open ranges of the texts that are template.
        adopted_sheets: rules of sheets that scripts adopted, by the element of their shadow root or the ``html``
            element of their document.
        frame_bases: for the ``html`` element of each frame, the address its links resolve against.
        title: the site's own part of the page's title.
        files: what the page is drawn with, as far as the page can read it, by address.
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
    """A page as a browser had it, with what is template, and the files that it came with."""

    judged: JudgedPage
    files: Mapping[str, File]


def captured_page(capture: Capture) -> CapturedPage:
    """Return the page that a browser has captured.

    Raises:
        InvalidAddress: the page's address is not an http or https URL.
        MalformedSnapshot: the capture holds no element tree, or names elements that are not in it.
    """
    document = _with_images(document_from_snapshot(capture), _images(capture))
    page = JudgedPage(
        document,
        _mask(capture.template, len(document)),
        _mask(capture.template_texts, len(document.texts)),
        title=capture.title,
        frame_bases=dict(capture.frame_bases),
        adopted_sheets=dict(capture.adopted_sheets),
    )
    # What a page gives as text is UTF-8, whatever its server says.
    return CapturedPage(page, {url: File(url, content) for url, content in capture.files})


def _images(capture: Capture) -> dict[int, str]:
    """Return what each image shows; one that a script has made, which has no address elsewhere, as it is."""
    files = dict(capture.files)
    return {
        element: (data_url(files.get(address, b"")) or "") if address.startswith("blob:") else address
        for element, address in capture.images
    }


def _with_images(document: Document, images: Mapping[int, str]) -> Document:
    """Return the page with each image as the one that the browser has chosen to show."""
    if not images:
        return document
    attributes = list(document.attributes)
    for element, address in images.items():
        if 0 <= element < len(document) and document.tags[element] == "img":
            own = {name: value for name, value in attributes[element].items() if name not in _OTHER_IMAGES}
            attributes[element] = {**own, "src": address}
    return replace(document, attributes=attributes)


def _mask(ranges: Iterable[Range], length: int) -> list[bool]:
    mask = [False] * length
    for start, end in ranges:
        if not 0 <= start <= end <= length:
            raise MalformedSnapshot("The page's snapshot is malformed: a range lies outside the tree.")
        mask[start:end] = [True] * (end - start)
    return mask
