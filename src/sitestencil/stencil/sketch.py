"""A sketch of a page: what pages are compared by, and no more.

It numbers only what is compared: scripts, styles and what else is not seen are left out, and go with the element
around them. The hash of a subtree tells whether it is found elsewhere; a *kind* is what an element is whatever page
it is on: its tag and classes without numbers and without the classes that mark the place in a menu.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from selectolax.lexbor import LexborNode

from sitestencil.addresses import resolve
from sitestencil.document import Document
from sitestencil.parsing import element_name, lexbor_root
from sitestencil.sources import Response

SILENT = frozenset("head script style noscript template link meta title base".split())
BETWEEN_TEXTS = "\0"  # no parsed text holds it

Identity = tuple[str, str]
Spoken = Mapping[int, str]

_NONE = -1
# Attributes that stand for a text, and those that lead to a page, by tag.
_SPEAKING = {"img": ("alt",), "input": ("placeholder", "value")}
_LINKING = {"a": "href", "area": "href", "frame": "src"}
_MOST_CLASSES = 8
_PLACE_IN_MENU = re.compile(
    r"(^|[-_])(active|current|selected|open|opened|toggled|here|show|expanded|collapsed|in)([-_]|$)", re.IGNORECASE
)
_MEDIA = frozenset("img video iframe svg picture audio object embed".split())
_MEDIA_LENGTH = 20  # what a picture counts beside texts, in characters
_DIGITS = re.compile(r"\d+")


class Sketch:
    """What is compared of a page; columns over the compared elements, in document order.

    Attributes:
        url: the page's own address.
        base: the address that its links resolve against.
        tags: local names.
        parents: number of the parent element; -1 for the root, which is element 0.
        own: each element's own texts, without the white space around them, joined by `BETWEEN_TEXTS`.
        ends: one past each element's subtree.
        hashes: of each subtree: tags, texts, and what stands for a text in pictures and fields.
        children: the child elements of each element.
        children_by_kind: the same, by their kinds.
        kinds: the kind of each element.
    """

    kinds: Mapping[int, str] | Sequence[str]

    def __init__(
        self, url: str, base: str, tags: Sequence[str], parents: Sequence[int], own: Sequence[str], spoken: Spoken
    ) -> None:
        self.url = url
        self.base = base
        self.tags = tags
        self.parents = parents
        self.own = own
        self.ends, self.hashes = _ends_and_hashes(tags, parents, own, spoken)
        self.children = _Children(self.ends)
        self.children_by_kind = _ChildrenByKind(self.children, self.kinds)

    def __len__(self) -> int:
        """Return the number of compared elements."""
        return len(self.tags)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        raise NotImplementedError

    def id(self, element: int) -> str | None:
        """Return an element's id."""
        return self.attributes(element).get("id")

    @cached_property
    def subtrees(self) -> frozenset[int]:
        """The hashes of all subtrees."""
        return frozenset(self.hashes)

    def kind(self, element: int) -> str:
        """Return tag and classes; the tag alone for ``html`` and ``body``, whose classes name the page."""
        return self.kinds[element]

    def identity(self, element: int) -> Identity | None:
        """Return tag and id, numbers alike; None without an id."""
        name = self.id(element)
        return (self.tags[element], _DIGITS.sub("0", name)) if name else None

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        return iter(self._hyperlinks)

    @cached_property
    def _hyperlinks(self) -> list[tuple[int, str]]:
        return [
            (element, address)
            for element, tag in enumerate(self.tags)
            if tag in _LINKING and (address := self.attributes(element).get(_LINKING[tag])) is not None
        ]


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
            _kind_of(tag, found) if (found := attributes[place]) else tag
            for tag, place in zip(tags[1:], self.places[1:], strict=True)
        ]
        super().__init__(
            document.url,
            document.base,
            tags,
            [numbers[parent] if (parent := document.parents[element]) >= 0 else _NONE for element in self.places],
            _own_texts(document, numbers, len(tags)),
            {
                number: _spoken_by(attributes[place], tag)
                for number, (tag, place) in enumerate(zip(tags, self.places, strict=True))
                if tag in _SPEAKING
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
                name = _LINKING.get(document.tags[element])
                if host != _NONE and name and name in document.attributes[element]:
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


class CandidateSketch(Sketch):
    """The sketch of a page as it came: read in one pass, without a document, which takes twice the time.

    Attributes are read when they are asked for: most never are.
    """

    def __init__(self, page: Response, *, scripting: bool) -> None:
        tags: list[str] = []
        parents: list[int] = []
        own: list[str] = []
        spoken: dict[int, str] = {}
        self._nodes: list[LexborNode] = []
        # Asked for once per element, these calls are a good part of the time.
        add_tag, add_parent, add_own, add_node = tags.append, parents.append, own.append, self._nodes.append
        names: dict[int, str | None] = {}  # None for what is silent or no element
        numbers: dict[int, int] = {}
        number_of, number, base = numbers.get, 0, None
        root = lexbor_root(page.body, scripting=scripting, charset=page.charset)
        for node in root.traverse(include_text=True) if root is not None else ():
            name = node.tag_id
            tag = names[name] if name in names else names.setdefault(name, _compared_name(node))
            if tag is None:
                if node.is_text_node:
                    above = None if node.is_empty_text_node else node.parent
                    if above is not None and (place := number_of(above.mem_id)) is not None:
                        _append(own, place, node.text_content or "")
                elif base is None and node.tag == "base":
                    base = node.attributes.get("href")
                continue
            above = node.parent
            parent = number_of(above.mem_id, _NONE) if above is not None else _NONE
            if parent == _NONE and number:
                continue
            numbers[node.mem_id] = number
            add_tag(tag)
            add_parent(parent)
            add_own("")
            add_node(node)
            if tag in _SPEAKING:
                spoken[number] = _spoken_by(node.attributes, tag)
            number += 1
        self.kinds = _Kinds(tags, self._nodes)
        super().__init__(page.url, resolve(base or "", page.url) or page.url, tags, parents, own, spoken)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        found: Mapping[str, str | None] = self._nodes[element].attributes
        return found

    def id(self, element: int) -> str | None:
        """Return an element's id."""
        found: str | None = self._nodes[element].id
        return found


class _Children(dict[int, list[int]]):
    """The children of those elements that were asked for; to look them up again costs no call."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = ends

    def __missing__(self, element: int) -> list[int]:
        found = self[element] = []
        child, ends = element + 1, self._ends
        end = ends[element]
        while child < end:
            found.append(child)
            child = ends[child]
        return found


class _ChildrenByKind(dict[int, dict[str, list[int]]]):
    """The children of those elements that were asked for, by their kinds."""

    def __init__(self, children: _Children, kinds: Mapping[int, str] | Sequence[str]) -> None:
        self._children = children
        self._kinds = kinds

    def __missing__(self, element: int) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for child in self._children[element]:
            found.setdefault(self._kinds[child], []).append(child)
        self[element] = found
        return found


class _Kinds(dict[int, str]):
    """The kinds of those elements that were asked for."""

    def __init__(self, tags: Sequence[str], nodes: Sequence[LexborNode]) -> None:
        self._tags = tags
        self._nodes = nodes

    def __missing__(self, element: int) -> str:
        tag = self._tags[element]
        found = self[element] = _kind_of(tag, self._nodes[element].attributes) if element else tag
        return found


def _compared(document: Document) -> tuple[list[int], list[int]]:
    """Return the elements that are compared, and the number of each element among them."""
    embedded = set(document.embedded)
    places: list[int] = []
    numbers: list[int] = []
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        if tag in SILENT or (parent >= 0 and numbers[parent] == _NONE) or element in embedded:
            numbers.append(_NONE)
        else:
            numbers.append(len(places))
            places.append(element)
    return places, numbers


def _own_texts(document: Document, numbers: Sequence[int], size: int) -> list[str]:
    own = [""] * size
    for parent, _, text in document.texts:
        if parent >= 0 and numbers[parent] != _NONE and not text.isspace():
            _append(own, numbers[parent], text)
    return own


def _compared_name(node: LexborNode) -> str | None:
    name = element_name(node)
    return None if name in SILENT else name


def _append(own: list[str], element: int, text: str) -> None:
    words = text.strip()
    if words:
        own[element] = f"{own[element]}{BETWEEN_TEXTS}{words}" if own[element] else words


def _spoken_by(attributes: Mapping[str, str | None], tag: str) -> str:
    return "".join(attributes.get(name) or "" for name in _SPEAKING[tag])


def _ends_and_hashes(
    tags: Sequence[str], parents: Sequence[int], texts: Sequence[str], spoken: Spoken
) -> tuple[list[int], list[int]]:
    """Go up from the leaves; the order of children counts."""
    said = list(texts)
    for element, text in spoken.items():
        said[element] = text
    hashes, ends = list(map(hash, zip(tags, said, strict=True))), list(range(1, len(tags) + 1))
    for element in range(len(tags) - 1, 0, -1):
        # The last child comes first; the parent's hash takes in one child after the other.
        parent = parents[element]
        hashes[parent] = hash((hashes[parent], hashes[element]))
        if ends[parent] <= element:
            ends[parent] = ends[element]
    return ends, hashes


def _kind_of(tag: str, attributes: Mapping[str, str | None]) -> str:
    return _kind(tag, classes) if (classes := attributes.get("class")) and tag != "body" else tag


@lru_cache(4096)
def _kind(tag: str, classes: str) -> str:
    names = classes.split(None, _MOST_CLASSES)[:_MOST_CLASSES]
    return f"{tag}.{' '.join(filter(None, map(_kind_of_class, names)))}"


@lru_cache(4096)
def _kind_of_class(name: str) -> str:
    return "" if _PLACE_IN_MENU.search(name) else _DIGITS.sub("0", name)
