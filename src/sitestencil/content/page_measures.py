"""Measure the blocks of a page and the elements around them, once for all features."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from sitestencil.page.document import Document
from sitestencil.page.page_title import page_title
from sitestencil.page.words import words
from sitestencil.reading.blocks import Block
from sitestencil.reading.reading import reading

_MARKS = re.compile("[.,;:!?。，；：！？、]")  # noqa: RUF001
_PARAGRAPH_WORDS, _PARAGRAPH_LINKED = 25, 0.3  # a longer block with fewer of its words in links is a paragraph
_KIND_LEVELS = 3  # elements whose tags and names tell a block's kind
_NAME = re.compile("[a-z]+|[A-Z][a-z]*")
_NAMING = ("class", "id", "role", "itemprop")
_SHORTEST_NAME = 3
_LONGEST_NAMES = 300  # characters of an attribute that are read
_MOST_NAMES = 300  # of all elements above another; a site's theme has fewer
_LONGEST_HEADING = 60
_HEADINGS = {"h1": 0.3, "h2": 0.3}
_TITLES = frozenset({"og:title", "twitter:title"})
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_SHORTEST_TITLE_WORD = 3
_NONE: frozenset[str] = frozenset()

_Number = TypeVar("_Number", int, float)


class PageMeasures:
    """The measures of a page's blocks and elements.

    Attributes:
        document: the page.
        blocks: its blocks.
        sizes: the words of each block.
        linked: the words in links of each block.
    """

    def __init__(self, document: Document, blocks: Sequence[Block]) -> None:
        self.document = document
        self.blocks = blocks
        self.sizes = [len(block.words) for block in blocks]
        self.linked = [block.linked for block in blocks]
        self.known_names: dict[int, frozenset[str]] = {}
        self._names_from: dict[int, frozenset[str]] = {-1: _NONE}

    @cached_property
    def tags(self) -> Sequence[str]:
        """Per element, the name to read it by."""
        return reading(self.document).tags

    @cached_property
    def words(self) -> int:
        """The number of words on the page."""
        return sum(self.sizes)

    @cached_property
    def marks(self) -> list[int]:
        """The punctuation marks of each block."""
        return [len(_MARKS.findall(block.text)) for block in self.blocks]

    @cached_property
    def link_shares(self) -> list[float]:
        """The share of each block's words that are in links."""
        return [linked / size for linked, size in zip(self.linked, self.sizes, strict=True)]

    @cached_property
    def subtree_words(self) -> list[int]:
        """The words of each subtree."""
        return self._in_subtrees(self.sizes)

    @cached_property
    def subtree_linked(self) -> list[int]:
        """The words in links of each subtree."""
        return self._in_subtrees(self.linked)

    @cached_property
    def subtree_blocks(self) -> list[int]:
        """The blocks of each subtree."""
        return self._in_subtrees([1] * len(self.blocks))

    @cached_property
    def subtree_paragraphs(self) -> list[int]:
        """The words in paragraphs of each subtree."""
        tags = self.document.tags
        columns = zip(self.blocks, self.sizes, self.linked, strict=True)
        return self._in_subtrees(
            [
                size
                if tags[block.container] == "p" or (size > _PARAGRAPH_WORDS and linked < _PARAGRAPH_LINKED * size)
                else 0
                for block, size, linked in columns
            ]
        )

    def _in_subtrees(self, of_blocks: Sequence[int]) -> list[int]:
        sums = [0] * len(self.document)
        for block, value in zip(self.blocks, of_blocks, strict=True):
            sums[block.container] += value
        add_up(sums, self.document.parents)
        return sums

    def names(self, element: int) -> frozenset[str]:
        """Return the words in the class, id, role and itemprop of an element."""
        found = self.known_names.get(element)
        if found is None:
            found, attributes = _NONE, self.document.attributes[element]
            for name in _NAMING if attributes else ():
                if value := attributes.get(name):
                    words = _long_words_of_name(value[:_LONGEST_NAMES])
                    found = found | words if found else words
            self.known_names[element] = found
        return found

    def names_from(self, element: int) -> frozenset[str]:
        """Return the words in the names of an element and of those above it, but not many more than 300."""
        path = []
        while element not in self._names_from:
            path.append(element)
            element = self.document.parents[element]
        found = self._names_from[element]
        for below in reversed(path):
            names = self.names(below)
            if names and len(found) < _MOST_NAMES and not names <= found:
                found |= names
            self._names_from[below] = found
        return found

    @cached_property
    def kind_numbers(self) -> list[int]:
        """Per block, the number of its kind: the tags and names of its innermost elements."""
        tags, parents = self.document.tags, self.document.parents
        of_kinds: dict[tuple[str, frozenset[str]], int] = {}
        of_element: dict[int, int] = {}
        numbers: dict[tuple[int, ...], int] = {}
        of_container: dict[int, int] = {}
        for block in self.blocks:
            element = block.container
            if element in of_container:
                continue
            kind: list[int] = []
            while element >= 0 and len(kind) < _KIND_LEVELS:
                if element not in of_element:
                    of_element[element] = of_kinds.setdefault((tags[element], self.names(element)), len(of_kinds))
                kind.append(of_element[element])
                element = parents[element]
            of_container[block.container] = numbers.setdefault(tuple(kind), len(numbers))
        return [of_container[block.container] for block in self.blocks]

    @cached_property
    def alike(self) -> list[Sequence[int]]:
        """Per block, the number of blocks of its kind, of their words, and of their words in links."""
        sums: dict[int, list[int]] = {}
        for kind, size, linked in zip(self.kind_numbers, self.sizes, self.linked, strict=True):
            of_kind = sums.setdefault(kind, [0, 0, 0])
            of_kind[0] += 1
            of_kind[1] += size
            of_kind[2] += linked
        return [sums[kind] for kind in self.kind_numbers]

    @cached_property
    def word_sets(self) -> list[frozenset[str]]:
        """The different words of each block."""
        return [frozenset(block.words) for block in self.blocks]

    @cached_property
    def depths(self) -> list[int]:
        """Per element, the number of elements from the root to it; 1 for the root."""
        depths: list[int] = []
        for parent in self.document.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return depths

    def nearest(self, elements: Sequence[int]) -> list[int]:
        """Return, per element, the nearest of some elements that holds it; -1 without one."""
        ends = self.document.ends
        nearest = [-1] * len(ends)
        for element in elements:
            nearest[element : ends[element]] = [element] * (ends[element] - element)
        return nearest

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of the page's title, of more than two letters, or of scripts without spaces."""
        found = words(page_title(self.document)) + self._described(_TITLES)
        return frozenset(word for word in found if len(word) >= _SHORTEST_TITLE_WORD or word[0] >= "\u3040")

    @cached_property
    def description_words(self) -> frozenset[str]:
        """The words of the page's description."""
        return frozenset(self._described(_DESCRIPTIONS))

    def _described(self, names: frozenset[str]) -> list[str]:
        metas = [self.document.attributes[element] for element in self.document.tagged("meta")]
        named = [one for one in metas if (one.get("name") or one.get("property", "")).lower() in names]
        return [word for attributes in named for word in words(attributes.get("content", ""))]

    @cached_property
    def title_block(self) -> tuple[int, float]:
        """The block that resembles the page's title most (-1: none), and how much."""
        best, most, title = -1, 0.0, self.title_words
        for number, block in enumerate(self.blocks if title else ()):
            if self.sizes[number] >= _LONGEST_HEADING:
                continue
            words, likeness = self.word_sets[number], 0.0
            if not words.isdisjoint(title):
                common = len(words & title)
                likeness = common / (len(words) + len(title) - common)
            likeness += _HEADINGS.get(self.document.tags[block.container], 0.0)
            if likeness > most:
                best, most = number, likeness
        return best, most

    @cached_property
    def first_heading(self) -> int:
        """The first block in an ``h1``; -1: none."""
        tags, parents = self.document.tags, self.document.parents
        for number, block in enumerate(self.blocks):
            if "h1" in (tags[block.container], tags[parents[block.container]]):
                return number
        return -1


def name_words(attributes: Mapping[str, str], naming: Sequence[str]) -> Iterator[str]:
    """Yield the words in some attributes of an element, in lower case, of the first 300 characters of each."""
    for name in naming if attributes else ():
        if value := attributes.get(name):
            yield from _words_of_name(value[:_LONGEST_NAMES])


@lru_cache(4096)
def _long_words_of_name(value: str) -> frozenset[str]:
    return frozenset(word for word in _words_of_name(value) if len(word) >= _SHORTEST_NAME)


@lru_cache(4096)
def _words_of_name(value: str) -> tuple[str, ...]:
    return tuple(map(str.lower, _NAME.findall(value)))


def add_up(column: list[_Number], parents: Sequence[int]) -> None:
    """Add the value of each element to all elements above it, in place."""
    for element in range(len(column) - 1, 0, -1):
        column[parents[element]] += column[element]
