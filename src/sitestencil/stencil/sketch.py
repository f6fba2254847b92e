"""A sketch of a page: what pages are compared by, and no more.

It numbers only what is compared: scripts, styles and what else is not seen are left out, and go with the element
around them. The hash of a subtree tells whether it is found elsewhere; a *kind* is what an element is whatever page
it is on: its tag and classes without numbers and without the classes that mark the place in a menu.
"""

import re
from collections import Counter
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
    """

    def __init__(
        self, url: str, base: str, tags: Sequence[str], parents: Sequence[int], own: Sequence[str], spoken: Spoken
    ) -> None:
        self.url = url
        self.base = base
        self.tags = tags
        self.parents = parents
        self.own = own
        self.ends, self.hashes = _ends_and_hashes(tags, parents, own, spoken)
        self._children: dict[int, list[int]] = {}
        self._kinds: list[str | None] = [None] * len(tags)
        self._ids: dict[int, str] = {}

    def __len__(self) -> int:
        """Return the number of compared elements."""
        return len(self.tags)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        raise NotImplementedError

    @cached_property
    def subtrees(self) -> frozenset[int]:
        """The hashes of all subtrees."""
        return frozenset(self.hashes)

    def children(self, element: int) -> list[int]:
        """Return the child elements."""
        found = self._children.get(element)
        if found is None:
            found = self._children[element] = []
            child, end, ends = element + 1, self.ends[element], self.ends
            while child < end:
                found.append(child)
                child = ends[child]
        return found

    def kind(self, element: int) -> str:
        """Return tag and classes; the tag alone for ``html`` and ``body``, whose classes name the page."""
        return self._kinds[element] or self._read_names(element)

    def identity(self, element: int) -> Identity | None:
        """Return tag and id, numbers alike; None without an id."""
        if self._kinds[element] is None:
            self._read_names(element)
        name = self._ids.get(element)
        return (self.tags[element], _DIGITS.sub("0", name)) if name else None

    def _read_names(self, element: int) -> str:
        kind = self.tags[element]
        attributes = self.attributes(element)
        if attributes:
            if "id" in attributes and (name := attributes["id"]):
                self._ids[element] = name
            if "class" in attributes and (classes := attributes["class"]) and element and kind != "body":
                kind = _kind(kind, classes)
        self._kinds[element] = kind
        return kind

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        for element, tag in enumerate(self.tags):
            if tag in _LINKING:
                address = self.attributes(element).get(_LINKING[tag])
                if address is not None:
                    yield element, address


class KeySketch(Sketch):
    """The sketch of a key page, of which there is a document.

    Attributes:
        document: the key page.
        places: the document's element for each element of the sketch.
        numbers: the other way about; -1 for elements that are not compared.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.places: list[int] = []
        numbers = self.numbers = [_NONE] * len(document)
        tags, parents, embedded = document.tags, document.parents, set(document.embedded)
        for element, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
            if tag not in SILENT and element not in embedded and (parent < 0 or numbers[parent] != _NONE):
                numbers[element] = len(self.places)
                self.places.append(element)
        own = [""] * len(self.places)
        for parent, _, text in document.texts:
            if parent >= 0:
                _append(own, numbers[parent], text)
        super().__init__(
            document.url,
            document.base,
            [tags[element] for element in self.places],
            [numbers[parent] if (parent := parents[element]) >= 0 else _NONE for element in self.places],
            own,
            {
                number: _spoken_by(document.attributes[element], tags[element])
                for number, element in enumerate(self.places)
                if tags[element] in _SPEAKING
            },
        )

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        return self.document.attributes[self.places[element]]

    @cached_property
    def counts(self) -> Counter[int]:
        """How often each subtree occurs."""
        return Counter(self.hashes)


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
        base = None
        numbers: dict[int, int] = {}
        names: dict[int, str | None] = {}
        root = lexbor_root(page.body, scripting=scripting, charset=page.charset)
        for node in root.traverse(include_text=True) if root is not None else ():
            if node.is_text_node:
                above = node.parent
                if above is not None and not node.is_empty_text_node:
                    _append(own, numbers.get(above.mem_id, _NONE), node.text_content or "")
                continue
            name = node.tag_id
            tag = names[name] if name in names else names.setdefault(name, element_name(node))
            if tag in SILENT or tag is None:
                if tag == "base" and base is None:
                    base = node.attributes.get("href")
                continue
            above = node.parent
            parent = numbers.get(above.mem_id, _NONE) if above is not None else _NONE
            if parent == _NONE and numbers:
                continue
            number = numbers[node.mem_id] = len(tags)
            tags.append(tag)
            parents.append(parent)
            own.append("")
            self._nodes.append(node)
            if tag in _SPEAKING:
                spoken[number] = _spoken_by(node.attributes, tag)
        super().__init__(page.url, resolve(base or "", page.url) or page.url, tags, parents, own, spoken)

    def attributes(self, element: int) -> Mapping[str, str | None]:
        """Return an element's attributes."""
        found: Mapping[str, str | None] = self._nodes[element].attributes
        return found


def _append(own: list[str], element: int, text: str) -> None:
    words = text.strip()
    if words and element != _NONE:
        own[element] = f"{own[element]}{BETWEEN_TEXTS}{words}" if own[element] else words


def _spoken_by(attributes: Mapping[str, str | None], tag: str) -> str:
    return "".join(attributes.get(name) or "" for name in _SPEAKING[tag])


def _ends_and_hashes(
    tags: Sequence[str], parents: Sequence[int], own: Sequence[str], spoken: Spoken
) -> tuple[list[int], list[int]]:
    """Go up from the leaves; the order of children counts."""
    count = len(tags)
    texts = list(own)
    for element, text in spoken.items():
        texts[element] = text
    ends, hashes, below = list(range(1, count + 1)), [0] * count, [0] * count
    for element in range(count - 1, -1, -1):
        found = hashes[element] = hash((tags[element], texts[element], below[element]))
        parent = parents[element]
        if parent >= 0:
            below[parent] = hash((below[parent], found))
            ends[parent] = max(ends[parent], ends[element])
    return ends, hashes


@lru_cache(65536)
def _kind(tag: str, classes: str) -> str:
    names = classes.split(None, _MOST_CLASSES)[:_MOST_CLASSES]
    return f"{tag}.{' '.join(filter(None, map(_kind_of_class, names)))}"


@lru_cache(65536)
def _kind_of_class(name: str) -> str:
    return "" if _PLACE_IN_MENU.search(name) else _DIGITS.sub("0", name)
