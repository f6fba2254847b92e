"""Sketch a key page from its document: a live page's, or a parsed one."""

from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import not_

from sitestencil.page.document import Document, LinkLabel
from sitestencil.page.sketch import ALT_ATTRIBUTES, LINKING, NONE, NOT_COMPARED, Sketch, add_text, alt_text, kind_of
from sitestencil.urls import resolve

_MEDIA = frozenset("img video iframe svg picture audio object embed".split())
_MEDIA_LENGTH = 20  # the length of a picture beside texts, in characters


class KeySketch(Sketch):
    """The sketch of a key page, made from its document.

    Args:
        document: the key page.
        shadow_hosts: the tags of the elements whose open shadow trees are compared, because other pages have such
            trees too. Other shadow trees go with the element that holds them.

    Attributes:
        document: the key page.
        numbers: per element of the document, its number in the sketch; -1 if it is not compared.
    """

    def __init__(self, document: Document, shadow_hosts: Container[str] = frozenset()) -> None:
        self.document = document
        self.document_elements, self.numbers, self.goes_with = _compared_elements(document, shadow_hosts)
        numbers, attributes = self.numbers, document.attributes
        tags = [document.tags[element] for element in self.document_elements]
        super().__init__(
            document.url,
            document.base,
            tags,
            [
                numbers[parent] if (parent := document.parents[element]) >= 0 else NONE
                for element in self.document_elements
            ],
            _own_texts(document, numbers, len(tags)),
            {
                number: alt_text(attributes[element], tag)
                for number, (tag, element) in enumerate(zip(tags, self.document_elements, strict=True))
                if tag in ALT_ATTRIBUTES
            },
        )

    @cached_property
    def kinds(self) -> Sequence[str]:  # type: ignore[override]
        """The kind of each element."""
        attributes, tags = self.document.attributes, self.tags
        kinds = (
            kind_of(tag, values) if (values := attributes[element]) else tag
            for tag, element in zip(tags[1:], self.document_elements[1:], strict=True)
        )
        return [*tags[:1], *kinds]

    @cached_property
    def ids(self) -> Sequence[str | None]:  # type: ignore[override]
        """The id of each element."""
        return [self.document.attributes[element].get("id") for element in self.document_elements]

    @cached_property
    def counts_in_path(self) -> list[bool]:
        """Whether each element counts in its class path; an empty one counts only if all of the path are empty."""
        filled = list(map(not_, self.is_empty))
        filled_paths = set(compress(self.class_paths, filled))
        return [
            is_filled or path not in filled_paths for path, is_filled in zip(self.class_paths, filled, strict=True)
        ]

    @cached_property
    def shadow_roots(self) -> list[int]:
        """The roots of the compared shadow trees, by their numbers in the document."""
        return [root for root in self.document.embedded if self.numbers[root] != NONE]

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        return self.document.attributes[self.document_elements[element]]

    @cached_property
    def _hyperlinks(self) -> list[tuple[int, str]]:
        """The links. For a link in a tree that is not compared, the element is the one that holds the tree."""
        document, links = self.document, list(super()._hyperlinks)
        for root in document.embedded:
            host = self.numbers[document.parents[root]]
            if self.numbers[root] != NONE:
                continue
            for element in range(root, document.ends[root]):
                name = LINKING.get(document.tags[element])
                if host != NONE and name and name in document.attributes[element]:
                    links.append((host, document.attributes[element][name]))
                    self._embedded_links[links[-1]] = element
        return links

    @cached_property
    def _embedded_links(self) -> dict[tuple[int, str], int]:
        """The document element of each link in an embedded tree, by its item in `hyperlinks`."""
        return {}

    def link_label(self, element: int, reference: str) -> LinkLabel:
        """Return the label of an element's link; `reference` is its unresolved address."""
        embedded = self._embedded_links.get((element, reference))
        return super().link_label(element, reference) if embedded is None else self.document.link_label(embedded)

    @cached_property
    def links(self) -> list[int]:
        """The link elements."""
        return [element for element, tag in enumerate(self.tags) if tag == "a"]

    @cached_property
    def page_links(self) -> list[int]:
        """The links that lead into this page."""
        addresses = ((element, self.attributes(element).get("href")) for element in self.links)
        found = [(element, *address.partition("#")) for element, address in addresses if address and "#" in address]
        ids = {named["id"] for named in self.document.attributes if "id" in named} if found else set()
        page = self.url.partition("#")[0]
        return [
            element
            for element, address, _, fragment in found
            if fragment in ids and (not address or resolve(address, self.base) == page)
        ]

    @cached_property
    def lengths(self) -> list[int]:
        """The characters of each element's own texts; a picture counts as `_MEDIA_LENGTH`."""
        return [
            _MEDIA_LENGTH if tag in _MEDIA else len(text)
            for tag, text in zip(self.tags, self.own_texts, strict=True)
        ]

    @cached_property
    def characters(self) -> list[int]:
        """The characters of each subtree, by `lengths`."""
        characters, parents = list(self.lengths), self.parents
        for element in range(len(self) - 1, 0, -1):
            characters[parents[element]] += characters[element]
        return characters

    @cached_property
    def link_characters(self) -> list[float]:
        """The characters of each subtree that are in links."""
        characters, parents = [0.0] * len(self), self.parents
        for element in self.links:
            characters[element] = self.characters[element]
        for element in range(len(self) - 1, 0, -1):
            if characters[element]:
                characters[parents[element]] += characters[element]
        return characters


def _compared_elements(document: Document, shadow_hosts: Container[str]) -> tuple[list[int], list[int], list[int]]:
    """Return the compared elements, each document element's number among them, and what it goes with."""
    shadow_roots = {root for root in document.shadow_roots if document.tags[document.parents[root]] in shadow_hosts}
    embedded = set(document.embedded) - shadow_roots
    elements: list[int] = []
    numbers: list[int] = []
    goes_with: list[int] = []
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        is_left_out = (tag in NOT_COMPARED and element not in shadow_roots) or element in embedded
        if is_left_out or (parent >= 0 and numbers[parent] == NONE):
            numbers.append(NONE)
            goes_with.append(goes_with[parent] if parent >= 0 else NONE)
        else:
            numbers.append(len(elements))
            goes_with.append(len(elements))
            elements.append(element)
    return elements, numbers, goes_with


def _own_texts(document: Document, numbers: Sequence[int], size: int) -> list[str]:
    own_texts = [""] * size
    for parent, _, text in document.texts:
        if parent >= 0 and numbers[parent] != NONE and not text.isspace():
            add_text(own_texts, numbers[parent], text)
    return own_texts
