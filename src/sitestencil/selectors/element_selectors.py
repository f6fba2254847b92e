"""Make a short and lasting CSS selector for each element, and a few for many."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sitestencil.page.document import Document

# These names need no escape in CSS, and are short, for each selector below repeats them. Three digits in a row mark
# a page's number rather than a name.
_PLAIN = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]{0,99}")
_NUMBERED = re.compile(r"\d{3}")
# The names that tools make: digits among letters, and what stands behind their marks.
_HASHED = re.compile(
    r"[a-zA-Z]\d+[a-zA-Z]|\d[a-zA-Z]+\d|(?<![a-zA-Z])[a-z]0\d|^tdi_|^(?:sc|css|svelte|astro)-[a-zA-Z\d]{5,}$|"
    r"__(?=[a-z\d]*[A-Z])[a-zA-Z\d]{5}$"
)
_PLAIN_TAG = re.compile(r"[a-z][a-z0-9-]{0,99}")
# Selectors of 1,500 stored pages have at most 171 characters, and those of 150,000 elements 7 million in all.
_LONGEST = 1_000
_MOST_CHARACTERS = 20_000_000


@dataclass(slots=True)
class _Siblings:
    """An element's children: counts by kind and by tag, and each child's position."""

    counts: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    numbers: dict[int, int] = field(default_factory=dict)
    numbers_of_type: dict[int, int] = field(default_factory=dict)


class ElementSelectors:
    """Short and stable selectors of single elements: ids and classes before positions.

    Elements in shadow roots and frames have none: no selector of the page reaches them. A selector has at most
    1,000 characters, and all of a page have 20,000,000. Elements that need more have none.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._plain = {element for element in range(len(document)) if self._is_plain(element)}
        self._ids = Counter(document.id(element) for element in range(len(document)))
        self._tags = Counter(document.tags[element] for element in range(len(document)))
        self._classes = Counter(name for element in range(len(document)) for name in document.classes[element])
        self._inside_embedded = _inside_embedded(document)
        self._selectors: dict[int, str | None] = {}
        self._left = _MOST_CHARACTERS
        self._children: dict[int, _Siblings] = {}
        self._kinds_of: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}

    def can_select(self, element: int) -> bool:
        """Return whether a selector of the page can match the element."""
        return element not in self._inside_embedded

    def __getitem__(self, element: int) -> str | None:
        """Return the selector that matches only this element; None if it would be too long."""
        path = []
        while element not in self._selectors:
            alone = self._alone(element)
            if alone is not None:
                self._selectors[element] = self._kept(alone)
                break
            path.append(element)
            element = self._document.parents[element]
        selector = self._selectors[element]
        for child in reversed(path):
            selector = self._selectors[child] = self._below(selector, self._step(child))
        return selector

    def _below(self, parent: str | None, step: str) -> str | None:
        return None if parent is None else self._kept(f"{parent} > {step}")

    def _kept(self, selector: str) -> str | None:
        """Return a selector; None if it is too long, or all are together."""
        if len(selector) > min(_LONGEST, self._left):
            return None
        self._left -= len(selector)
        return selector

    def of_all(self, elements: Sequence[int]) -> tuple[str, ...]:
        """Return selectors that match exactly these elements; siblings of one kind share one."""
        wanted = Counter((self._document.parents[e], step) for e in elements for step in self._kinds(e))
        chosen: dict[tuple[int, str], str | None] = {}
        for element in elements:
            parent = self._document.parents[element]
            if not any((parent, step) in chosen for step in self._kinds(element)):
                step = self._shared(element, wanted) if parent >= 0 and self[parent] is not None else None
                key = (parent, step or str(element))
                chosen[key] = self._below(self[parent], step) if step else self[element]
        return tuple(selector for selector in chosen.values() if selector is not None)

    def _shared(self, element: int, wanted: Mapping[tuple[int, str], int]) -> str | None:
        """Return the widest kind that the element shares with siblings, if all of them are wanted."""
        parent = self._document.parents[element]
        counts = self._siblings(parent).counts
        kinds = self._kinds(element)
        shared = (step for step in (*kinds[-1:], *kinds[:-1]) if 1 < counts.get(step, 0) == wanted[parent, step])
        return next(shared, None)

    def _alone(self, element: int) -> str | None:
        """Return a selector that needs no ancestor; None if there is none."""
        document = self._document
        if document.parents[element] < 0:
            return ":root"
        name = document.id(element)
        if lasting(name) and self._ids[name] == 1:
            return f"#{name}"
        tag = document.tags[element]
        if element in self._plain and self._tags[tag] == 1:
            return tag
        single = (name for name in lasting_names(self._document.classes[element]) if self._classes[name] == 1)
        return next((f"{tag if element in self._plain else ''}.{name}" for name in single), None)

    def _step(self, element: int) -> str:
        """Return the step that distinguishes an element from its siblings."""
        siblings = self._siblings(self._document.parents[element])
        single = next((step for step in self._kinds(element) if siblings.counts[step] == 1), None)
        if single is not None:
            return single
        if element not in self._plain:
            return f":nth-child({siblings.numbers[element]})"
        return f"{self._document.tags[element]}:nth-of-type({siblings.numbers_of_type[element]})"

    def _siblings(self, parent: int) -> "_Siblings":
        if parent not in self._children:
            self._children[parent] = siblings = _Siblings()
            for number, child in enumerate(self._document.children[parent], start=1):
                tag = self._document.tags[child]
                siblings.types[tag] += 1
                siblings.numbers[child], siblings.numbers_of_type[child] = number, siblings.types[tag]
                siblings.counts.update(self._kinds(child))
        return self._children[parent]

    def _kinds(self, element: int) -> Sequence[str]:
        if element not in self._plain:
            return ()
        look = self._document.tags[element], self._document.classes[element]
        kinds = self._kinds_of.get(look)
        if kinds is None:
            tag, classes = look
            kinds = self._kinds_of[look] = (*(f"{tag}.{name}" for name in lasting_names(classes)), tag)
        return kinds

    def _is_plain(self, element: int) -> bool:
        return _PLAIN_TAG.fullmatch(self._document.tags[element]) is not None


def lasting_names(classes: Iterable[str]) -> list[str]:
    """Return the classes that other pages of the site are likely to have, in order."""
    return sorted(filter(lasting, classes))


@lru_cache(8192)
def lasting(name: str) -> bool:
    """Return whether an id or a class is likely to last: it needs no escape, and is no number or hash.

    >>> [name for name in ("post-title", "h2", "post-1234", "css-1x2y3z", "tdi_55_d06") if lasting(name)]
    ['post-title', 'h2']
    """
    return _PLAIN.fullmatch(name) is not None and not _NUMBERED.search(name) and not is_made(name)


def is_made(name: str) -> bool:
    """Return whether a tool made a name, such as a hash of its style: pages may differ in it."""
    return _HASHED.search(name) is not None


def _inside_embedded(document: Document) -> set[int]:
    inside: set[int] = set()
    for root in document.embedded:
        if root not in inside:
            inside.update(range(root, document.ends[root]))
    return inside
