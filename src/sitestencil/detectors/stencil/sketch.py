"""A sketch of a page: what pages are compared by, and no more.

It numbers only what is compared: scripts, styles and what else is not seen are left out, and go with the element
around them. The hash of a subtree tells whether it is found elsewhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

_MOST_CLASSES = 8
_PLACE_IN_MENU = re.compile(
    r"(^|[-_])(active|current|selected|open|opened|toggled|here|show|expanded|collapsed|in)([-_]|$)", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")


def kind_of(tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return tag and classes; the tag alone for ``body``, whose classes name the page."""
    return _kind(tag, classes) if (classes := attributes.get("class")) and tag != "body" else tag


@lru_cache(4096)
def _kind(tag: str, classes: str) -> str:
    names = classes.split(None, _MOST_CLASSES)[:_MOST_CLASSES]
    return f"{tag}.{' '.join(filter(None, map(_kind_of_class, names)))}"


@lru_cache(4096)
def _kind_of_class(name: str) -> str:
    return "" if _PLACE_IN_MENU.search(name) else without_numbers(name)


def without_numbers(name: str) -> str:
    """Return a name with all numbers alike."""
    return _DIGITS.sub("0", name)


SILENT = frozenset("head script style noscript template link meta title base".split())
BETWEEN_TEXTS = "\0"  # no parsed text holds it
NONE = -1
# Attributes that stand for a text, and those that lead to a page, by tag.
SPEAKING = {"img": ("alt",), "input": ("placeholder", "value")}
LINKING = {"a": "href", "area": "href", "frame": "src"}

Identity = tuple[str, str]
Spoken = Mapping[int, str]


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
        kinds: the kind of each element; the tag alone for ``html`` and ``body``, whose classes name the page.
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

    def identity(self, element: int) -> Identity | None:
        """Return tag and id, numbers alike; None without an id."""
        name = self.id(element)
        return (self.tags[element], without_numbers(name)) if name else None

    def hyperlinks(self) -> Iterator[tuple[int, str]]:
        """Yield each link element with its unresolved address, in document order."""
        return iter(self._hyperlinks)

    @cached_property
    def _hyperlinks(self) -> list[tuple[int, str]]:
        return [
            (element, address)
            for element, tag in enumerate(self.tags)
            if tag in LINKING and (address := self.attributes(element).get(LINKING[tag])) is not None
        ]


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


def add_text(own: list[str], element: int, text: str) -> None:
    """Add a text to an element's own texts."""
    words = text.strip()
    if words:
        own[element] = f"{own[element]}{BETWEEN_TEXTS}{words}" if own[element] else words


def spoken_by(attributes: Mapping[str, str | None], tag: str) -> str:
    """Return what stands for a text in a picture or a field."""
    return "".join(attributes.get(name) or "" for name in SPEAKING[tag])


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
