"""Measure the blocks of a page and the elements around them, once for all features."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TypeVar

from sitestencil.content.blocks import Block
from sitestencil.page.document import Document
from sitestencil.page.page_title import page_title
from sitestencil.page.words import words

_MARKS = re.compile("[.,;:!?。，；：！？、]")  # noqa: RUF001
_NAME = re.compile("[a-z]+|[A-Z][a-z]*")
_NAMING = ("class", "id", "role", "itemprop")
_SHORTEST_NAME = 3
_LONGEST_NAMES = 300  # characters of an attribute that are read
_MOST_NAMES = 300  # of all elements above another; a site's theme has fewer
_KIND_LEVELS = 3
_MOST_ROW_WORDS, _MOST_ROW_BLOCKS = 60, 6  # tables for layout have longer rows
_PARAGRAPH_WORDS, _PARAGRAPH_LINKED = 25, 0.3
_LONGEST_HEADING = 60
_HEADINGS = {"h1": 0.3, "h2": 0.3}
_TITLES = frozenset({"og:title", "twitter:title"})
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_SHORTEST_TITLE_WORD = 3

_Number = TypeVar("_Number", int, float)
_Kind = tuple[tuple[str, frozenset[str]], ...]


class PageMeasures:
    """The measures of a page's blocks and elements.

    Attributes:
        document: the page.
        blocks: its blocks.
        sizes: the words of each block.
        linked: the words in links of each block.
        marks: the punctuation marks of each block.
    """

    def __init__(self, document: Document, blocks: Sequence[Block]) -> None:
        self.document = document
        self.blocks = blocks
        self.sizes = [len(block.words) for block in blocks]
        self.linked = [block.linked for block in blocks]
        self.marks = [len(_MARKS.findall(block.text)) for block in blocks]
        self.link_shares = [linked / size for linked, size in zip(self.linked, self.sizes, strict=True)]
        # The words of blocks that are not mostly links.
        self.unlinked_sizes = [
            size if share < 0.5 else 0 for size, share in zip(self.sizes, self.link_shares, strict=True)
        ]
        self.words_before = [0, *accumulate(self.sizes)]
        self.linked_before = [0, *accumulate(self.linked)]
        self.marks_before = [0, *accumulate(self.marks)]
        self._sum_up()
        self._paths: dict[int, list[int]] = {}
        self._names: dict[int, frozenset[str]] = {}
        self._names_from: dict[int, frozenset[str]] = {-1: frozenset()}

    @property
    def words(self) -> int:
        """The number of words on the page."""
        return self.words_before[-1]

    def _sum_up(self) -> None:
        """Sum the words, words in links, words in paragraphs, and blocks of each subtree."""
        document, count = self.document, len(self.document)
        self.subtree_words, self.subtree_linked = [0] * count, [0] * count
        self.subtree_paragraphs, self.subtree_blocks = [0] * count, [0] * count
        for block, size, linked in zip(self.blocks, self.sizes, self.linked, strict=True):
            container = block.container
            self.subtree_words[container] += size
            self.subtree_linked[container] += linked
            self.subtree_blocks[container] += 1
            if document.tags[container] == "p" or (size > _PARAGRAPH_WORDS and linked < _PARAGRAPH_LINKED * size):
                self.subtree_paragraphs[container] += size
        for column in (self.subtree_words, self.subtree_linked, self.subtree_paragraphs, self.subtree_blocks):
            add_up(column, document.parents)

    def path(self, element: int) -> list[int]:
        """Return the elements from this one up to the root."""
        if element not in self._paths:
            self._paths[element] = self.document.path(element)[::-1]
        return self._paths[element]

    def names(self, element: int) -> frozenset[str]:
        """Return the words in the class, id, role and itemprop of an element."""
        found = self._names.get(element)
        if found is None:
            found, attributes = frozenset(), self.document.attributes[element]
            for name in _NAMING if attributes else ():
                if value := attributes.get(name):
                    found = found | _long_words_of_name(value[:_LONGEST_NAMES])
            self._names[element] = found
        return found

    def names_from(self, element: int) -> frozenset[str]:
        """Return the words in the names of an element and of those above it, but not many more than 300."""
        path = []
        while element not in self._names_from:
            path.append(element)
            element = self.document.parents[element]
        found = self._names_from[element]
        for below in reversed(path):
            if len(found) < _MOST_NAMES and not self.names(below) <= found:
                found |= self.names(below)
            self._names_from[below] = found
        return found

    @cached_property
    def alike(self) -> list[Sequence[int]]:
        """Per block, the number of blocks of its kind, of their words, and of their words in links.

        Blocks are of one kind if the tags and names of their innermost elements are equal.
        """
        sums: dict[_Kind, list[int]] = {}
        of_container: dict[int, list[int]] = {}
        for block, size, linked in zip(self.blocks, self.sizes, self.linked, strict=True):
            own = of_container.get(block.container)
            if own is None:
                own = of_container[block.container] = sums.setdefault(self._kind(block.container), [0, 0, 0])
            own[0] += 1
            own[1] += size
            own[2] += linked
        return [of_container[block.container] for block in self.blocks]

    def _kind(self, element: int) -> "_Kind":
        tags, parents = self.document.tags, self.document.parents
        kind: list[tuple[str, frozenset[str]]] = []
        while element >= 0 and len(kind) < _KIND_LEVELS:
            kind.append((tags[element], self.names(element)))
            element = parents[element]
        return tuple(kind)

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

    @cached_property
    def units(self) -> list[int]:
        """Per block, the ``dl`` or the short table row around it, which a reader takes as one; -1 without one."""
        tags = self.document.tags
        is_unit = [tag == "dl" or (tag == "tr" and self._is_short(element)) for element, tag in enumerate(tags)]
        if True not in is_unit:
            return [-1] * len(self.blocks)
        paths = (self.path(block.container) for block in self.blocks)
        return [next((element for element in path if is_unit[element]), -1) for path in paths]

    def _is_short(self, row: int) -> bool:
        return self.subtree_words[row] <= _MOST_ROW_WORDS and self.subtree_blocks[row] <= _MOST_ROW_BLOCKS

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
        found: list[str] = []
        for tag, attributes in zip(self.document.tags, self.document.attributes, strict=True):
            if tag == "meta" and (attributes.get("name") or attributes.get("property", "")).lower() in names:
                found += words(attributes.get("content", ""))
        return found

    @cached_property
    def title_block(self) -> tuple[int, float]:
        """The block that resembles the page's title most (-1: none), and how much."""
        best, most = -1, 0.0
        for number, block in enumerate(self.blocks):
            if not self.title_words or self.sizes[number] >= _LONGEST_HEADING:
                continue
            own = self.word_sets[number]
            common = len(own & self.title_words)
            likeness = common / (len(own) + len(self.title_words) - common)
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
