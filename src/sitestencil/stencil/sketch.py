"""A sketch of a document: what pages are compared by, and no more, in one pass each way.

The hash of a subtree tells whether it is found elsewhere; a *kind* is what an element is whatever page it is on:
its tag and classes without numbers and without the classes that mark the place in a menu.
"""

import re
from collections import Counter
from functools import lru_cache

from sitestencil.document import Document

# Not seen on the page, so not compared: they go with the element around them.
SILENT = frozenset("head script style noscript template link meta title base".split())
BETWEEN_TEXTS = "\0"  # no parsed text holds it

_PLACE_IN_MENU = re.compile(
    r"(^|[-_])(active|current|selected|open|opened|toggled|here|show|expanded|collapsed|in)([-_]|$)", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")


class Sketch:
    """What is compared of a page; columns over its elements in document order.

    Attributes:
        document: the page.
        tags: local names.
        parents: index of the parent element; -1 for the root.
        ends: one past each element's subtree.
        own: each element's own texts, white space collapsed, joined by `BETWEEN_TEXTS`.
        silent: whether an element is not compared, nor anything in it.
        hashes: of each subtree: tags, texts, and what stands for a text in pictures and fields.
        count: how often each hash occurs.
    """

    __slots__ = (
        "_children",
        "_kinds",
        "count",
        "document",
        "ends",
        "hashes",
        "own",
        "parents",
        "silent",
        "tags",
    )

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tags = document.tags
        self.parents = document.parents
        self.ends = document.ends
        self.own = _own_texts(document)
        self.silent = [tag in SILENT for tag in self.tags]
        for root in document.embedded:
            self.silent[root] = True
        self.hashes = _subtree_hashes(self)
        self.count = Counter(self.hashes)
        self._children: dict[int, list[int]] = {}
        self._kinds: dict[int, str] = {}

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.tags)

    def children(self, element: int) -> list[int]:
        """Return the child elements that are compared."""
        found = self._children.get(element)
        if found is None:
            found = []
            child, end = element + 1, self.ends[element]
            while child < end:
                if not self.silent[child]:
                    found.append(child)
                child = self.ends[child]
            self._children[element] = found
        return found

    def kind(self, element: int) -> str:
        """Return tag and classes; the tag alone for ``html`` and ``body``, whose classes name the page."""
        found = self._kinds.get(element)
        if found is None:
            tag = self.tags[element]
            whole_page = tag in {"html", "body"}
            found = tag if whole_page else _kind(tag, self.document.attributes[element].get("class", ""))
            self._kinds[element] = found
        return found

    def identity(self, element: int) -> tuple[str, str] | None:
        """Return tag and id, numbers alike; None without an id."""
        name = self.document.attributes[element].get("id", "")
        return (self.tags[element], _DIGITS.sub("0", name)) if name else None

    def compared(self) -> list[int]:
        """Return the elements that are compared."""
        found = []
        element, end = 0, len(self)
        while element < end:
            if self.silent[element]:
                element = self.ends[element]
            else:
                found.append(element)
                element += 1
        return found


@lru_cache(65536)
def _kind(tag: str, classes: str) -> str:
    names = sorted(_DIGITS.sub("0", name) for name in classes.split() if not _PLACE_IN_MENU.search(name))
    return f"{tag}.{' '.join(names)}"


def _own_texts(document: Document) -> list[str]:
    own = [""] * len(document)
    for parent, _, text in document.texts:
        if parent >= 0 and text and not text.isspace():
            words = " ".join(text.split())
            own[parent] = f"{own[parent]}{BETWEEN_TEXTS}{words}" if own[parent] else words
    return own


def _subtree_hashes(sketch: Sketch) -> list[int]:
    below: list[list[int] | None] = [None] * len(sketch)
    hashes = [0] * len(sketch)
    tags, own, parents, attributes = sketch.tags, sketch.own, sketch.parents, sketch.document.attributes
    for element in range(len(sketch) - 1, -1, -1):
        tag = tags[element]
        text = own[element]
        if sketch.silent[element]:
            text = ""
        elif tag == "img":
            text = attributes[element].get("alt", "")
        elif tag == "input":
            text = attributes[element].get("placeholder", "") + attributes[element].get("value", "")
        inner = below[element]
        found = hashes[element] = hash((tag, text)) if inner is None else hash((tag, text, *inner))
        parent = parents[element]
        if parent >= 0:
            others = below[parent]
            if others is None:
                below[parent] = [found]
            else:
                others.append(found)
    return hashes
