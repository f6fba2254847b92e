"""A browser's page at the time of saving: a snapshot with all texts and the template's numbers.

The fields match the protocol's request ``save``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sitestencil.outputs.files import File, media_type
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.document import Document, Range
from sitestencil.page.snapshot import Snapshot, document_from_snapshot, mask
from sitestencil.urls import base_address

# Attributes that let a browser choose another image than the one it showed.
_OTHER_IMAGES = frozenset({"srcset", "sizes", "loading"})
_BLOB = re.compile(r"blob:(https?://[^\s\"'()\\<>]+)")


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
    """A captured page with its template.

    Attributes:
        judged: the page.
        files: the files that the page could read, by address.
        made: those of them that scripts made, which have no other place.
    """

    judged: JudgedPage
    files: Mapping[str, File]
    made: Mapping[str, File]


def captured_page(capture: Capture) -> CapturedPage:
    """Build the page that a browser has captured.

    Raises:
        InvalidAddress: the page's address is not an http or https URL.
        MalformedSnapshot: the capture has no element tree, or a range outside it.
    """
    files = {url.removeprefix("blob:"): File(url, content) for url, content in capture.files}
    made = {url: file for url, file in files.items() if file.url.startswith("blob:")}
    for url, file in made.items():
        if media_type(file.content) is None:  # a style sheet, which may name others
            text = _without_blobs(file.content.decode("utf-8", "replace"), made)
            files[url] = replace(file, content=text.encode())
    made = {url: files[url] for url in made}
    document, missing = _as_seen(document_from_snapshot(capture), capture, made)
    page = JudgedPage(
        document,
        mask(capture.template, len(document)),
        mask(capture.template_texts, len(document.texts)),
        title=capture.title,
        frame_bases={frame: base_address(base, document.base) for frame, base in capture.frame_bases},
        adopted_sheets={root: _without_blobs(css, made) for root, css in capture.adopted_sheets},
        missing=missing,
    )
    # Text that a page gives is UTF-8, whatever its server declares.
    return CapturedPage(page, files, made)


def _as_seen(document: Document, capture: Capture, made: Mapping[str, File]) -> tuple[Document, Sequence[str]]:
    """Return the page with the images that its browser shows, and the addresses of made files that are missing.

    A file that a script made (``blob:``) gets the address without this word, which no other file has.
    """
    attributes = list(document.attributes)
    for element, address in capture.images:
        if 0 <= element < len(document) and document.tags[element] == "img":
            kept = {name: value for name, value in attributes[element].items() if name not in _OTHER_IMAGES}
            attributes[element] = {**kept, "src": address}
    missing: dict[str, None] = {}
    for element, values in enumerate(attributes):
        if any("blob:" in value for value in values.values()) and document.tags[element] != "a":
            found = {name: _without_blobs(value, made) for name, value in values.items()}
            missing |= dict.fromkeys(name for value in found.values() for name in _BLOB.findall(value))
            attributes[element] = found
    texts = [
        run._replace(text=_without_blobs(run.text, made)) if document.tags[run.parent] == "style" else run
        for run in document.texts
    ]
    styles = (run.text for run in texts if document.tags[run.parent] == "style")
    missing |= dict.fromkeys(name for text in styles for name in _BLOB.findall(text))
    return replace(document, attributes=attributes, texts=texts), list(missing)


def _without_blobs(text: str, made: Mapping[str, File]) -> str:
    return _BLOB.sub(lambda found: found[1] if found[1] in made else found[0], text) if "blob:" in text else text
