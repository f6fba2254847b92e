"""The sketch of a key page, of which there is a document: a live page's, or a parsed one."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from sitestencil.detectors.stencil.sketch import (
    LINKING,
    NONE,
    SILENT,
    SPEAKING,
    Sketch,
    add_text,
    kind_of,
    spoken_by,
)
from sitestencil.page.document import Document
from sitestencil.urls import resolve

_MEDIA = frozenset("img video iframe svg picture audio object embed".split())
_MEDIA_LENGTH = 20  # what a picture counts beside texts, in characters


class KeySketch(Sketch):
    """The sketch of a key page, of which there is a document.

    Attributes:
        document: the key page.
        places: the document's element for each element of the sketch.
        numbers: the other way about; -1 for elements that are not compared.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.places, self.numbers = _compared(document)
        numbers, attributes = self.numbers, document.attributes
        tags = [document.tags[element] for element in self.places]
        self.kinds = tags[:1] + [
            kind_of(tag, found) if (found := attributes[place]) else tag
            for tag, place in zip(tags[1:], self.places[1:], strict=True)
        ]
        super().__init__(
            document.url,
            document.base,
            tags,
            [numbers[parent] if (parent := document.parents[element]) >= 0 else NONE for element in self.places],
            _own_texts(document, numbers, len(tags)),
            {
                number: spoken_by(attributes[place], tag)
                for number, (tag, place) in enumerate(zip(tags, self.places, strict=True))
                if tag in SPEAKING
            },
        )

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        return self.document.attributes[self.places[element]]

    @cached_property
    def _hyperlinks(self) -> list[tuple[int, str]]:
        """The links, with those in open shadow roots and frames: for these, the element that hosts the tree."""
        document, found = self.document, list(super()._hyperlinks)
        for root in document.embedded:
            host = self.numbers[document.parents[root]]
            for element in range(root, document.ends[root]):
                name = LINKING.get(document.tags[element])
                if host != NONE and name and name in document.attributes[element]:
                    found.append((host, document.attributes[element][name]))
        return found

    @cached_property
    def links(self) -> list[int]:
        """The elements that links are made of."""
        return [element for element, tag in enumerate(self.tags) if tag == "a"]

    @cached_property
    def page_links(self) -> list[int]:
        """Those of the links that lead to a place of this page."""
        addresses = ((element, self.attributes(element).get("href")) for element in self.links)
        found = [(element, address) for element, address in addresses if address and "#" in address]
        places = {named["id"] for named in self.document.attributes if "id" in named} if found else set()
        return [element for element, address in found if self._leads_to(address, places)]

    def _leads_to(self, address: str, places: set[str]) -> bool:
        page_address, _, place = address.partition("#")
        if place not in places:
            return False
        return not page_address or resolve(page_address, self.base) == self.url.partition("#")[0]

    @cached_property
    def lengths(self) -> list[int]:
        """The characters of each element's own texts; a picture counts as a few."""
        return [_MEDIA_LENGTH if tag in _MEDIA else len(own) for tag, own in zip(self.tags, self.own, strict=True)]

    @cached_property
    def characters(self) -> list[int]:
        """The characters of each subtree, as `lengths` counts them."""
        characters, parents = list(self.lengths), self.parents
        for element in range(len(self) - 1, 0, -1):
            characters[parents[element]] += characters[element]
        return characters


def _compared(document: Document) -> tuple[list[int], list[int]]:
    """Return the elements that are compared, and the number of each element among them."""
    embedded = set(document.embedded)
    places: list[int] = []
    numbers: list[int] = []
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        if tag in SILENT or (parent >= 0 and numbers[parent] == NONE) or element in embedded:
            numbers.append(NONE)
        else:
            numbers.append(len(places))
            places.append(element)
    return places, numbers


def _own_texts(document: Document, numbers: Sequence[int], size: int) -> list[str]:
    own = [""] * size
    for parent, _, text in document.texts:
        if parent >= 0 and numbers[parent] != NONE and not text.isspace():
            add_text(own, numbers[parent], text)
    return own
