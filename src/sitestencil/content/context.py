"""Describe each block by the first judgement of the blocks around it, for the second judgement.

A cell, a heading or a line of code is too short to be judged by itself. The blocks around it tell what it belongs
to (stacked generalization: Wolpert, Neural Networks 1992).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import sub, truediv

import msgspec

from sitestencil.content.page_kind import KINDS, STATEMENTS
from sitestencil.content.page_measures import PageMeasures
from sitestencil.content.parts import KIND_OF_UNIT, PAIRS, units_of
from sitestencil.page.document import Document
from sitestencil.reading.blocks import Block
from sitestencil.reading.reading import reading
from sitestencil.reading.substitutes import NoteReference

Column = Sequence[float]

_LEVELS = (1, 2, 3, 5, 7)  # elements above
_WINDOWS = (1, 3, 10)  # blocks before and after the unit
_REACH = 8  # blocks in which the surest one is sought
_LIKELY = 0.5
_FAR = 500  # words
_PRICE = re.compile(r"[$€£¥₹₽₩]\s?\d|\d\s?(?:[$€£¥₹₽₩]|(?:EUR|USD|GBP|CHF|kr|zł|Kč)\b)")
_NUMBERED = re.compile(r"(?:[^\W\d_]{3,}\.? |§ ?)\d{1,3}[a-z]?")  # an article of a law, a step
_MOST_PRICE_WORDS = 6
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SENTENCE_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
_LABEL_ENDS = frozenset(":…：")  # noqa: RUF001
_MOST_HEADING_WORDS = 8  # a longer heading may be a sentence of the text
_PICTURES = frozenset("img picture svg video audio iframe object embed canvas math".split())


def _names() -> Iterator[str]:
    yield from "first size link_share heading".split()
    yield from "unit unit_first unit_size unit_links unit_place unit_blocks".split()
    for reach in _WINDOWS:
        yield from (f"before_{reach}", f"after_{reach}")
    yield from "next best_before best_after".split()
    yield from (f"up_first_{level}" for level in _LEVELS)
    yield from "alike_first hole_before hole_after hole_links".split()
    yield from "share_before share_after page_first place".split()
    yield from KINDS
    yield from STATEMENTS


CONTEXT = tuple(_names())


class Layout(msgspec.Struct, frozen=True, eq=False):
    """How the blocks of a page relate to each other.

    Attributes:
        sizes: per block, its words.
        linked: per block, its words in links.
        headings: per block, the level of its heading; 0 for other blocks.
        units: per block, its unit; -1 without one.
        unit_kinds: per block, the kind of its unit; -1 without one.
        above: for some levels, per block the element so many levels above its container.
        alike: per block, the number of its kind.
        fillers: per block, whether it is a price, or the number of an article or a step.
        heads: per block, whether it is a heading or a label of text that follows: no picture comes before that.
        sentences: per block, whether it ends as a sentence does.
        notes: per block, the block that refers to it as a footnote; -1 for other blocks.
    """

    sizes: Sequence[int]
    linked: Sequence[int]
    headings: Sequence[int]
    units: Sequence[int]
    unit_kinds: Sequence[int]
    above: Sequence[Sequence[int]]
    alike: Sequence[int]
    fillers: Sequence[bool]
    heads: Sequence[bool]
    sentences: Sequence[bool]
    notes: Sequence[int]


def layout_of(measures: PageMeasures) -> Layout:
    """Return how the blocks of a page relate to each other."""
    document = measures.document
    containers = [block.container for block in measures.blocks]
    units = units_of(measures)
    return Layout(
        sizes=measures.sizes,
        linked=measures.linked,
        headings=[_HEADINGS.get(measures.tags[container], 0) for container in containers],
        units=units,
        unit_kinds=[KIND_OF_UNIT.get(measures.tags[unit], PAIRS) if unit >= 0 else -1 for unit in units],
        above=list(_elements_above(containers, document.parents)),
        alike=measures.kind_numbers,
        fillers=[
            len(block.words) <= _MOST_PRICE_WORDS
            and bool(_PRICE.search(block.text) or _NUMBERED.fullmatch(block.text))
            for block in measures.blocks
        ],
        heads=list(_heads(measures)),
        sentences=[block.text.endswith(_SENTENCE_ENDS) for block in measures.blocks],
        notes=_referring(document, measures.blocks),
    )


def _referring(document: Document, blocks: Sequence[Block]) -> list[int]:
    """Return per block the first block that refers to it as a footnote; -1 without one."""
    found, references = [-1] * len(blocks), dict[int, int]()
    if not reading(document).notes:
        return found
    # Texts are in page order. Containers are not: one may go on behind a container within it.
    firsts = list(accumulate((min(block.texts, default=0) for block in blocks), max))
    for link, read in reading(document).replaced.items():
        if isinstance(read, NoteReference):
            references.setdefault(read.note, bisect_right(firsts, document.runs(link).start) - 1)
    for note, block in references.items():
        runs = document.runs(note)
        for number in range(bisect_left(firsts, runs.start), bisect_left(firsts, runs.stop)):
            found[number] = block
    return found


def _heads(measures: PageMeasures) -> Iterator[bool]:
    tags, blocks = measures.tags, measures.blocks
    pictures = [0, *accumulate(tag in _PICTURES for tag in tags)]
    for block, following in zip(blocks, [*(one.container for one in blocks[1:]), len(tags)], strict=True):
        is_label = tags[block.container] in _HEADINGS or (block.text[-1] in _LABEL_ENDS and not block.linked)
        is_short = len(block.words) <= _MOST_HEADING_WORDS
        yield is_label and is_short and pictures[block.container] >= pictures[max(block.container, following)]


def _elements_above(containers: Sequence[int], parents: Sequence[int]) -> Iterator[Sequence[int]]:
    level, above = 0, containers
    for wanted in _LEVELS:
        while level < wanted:
            above, level = [max(0, parents[element]) for element in above], level + 1
        yield above


def context_columns(layout: Layout, first: Column, page: Column) -> list[Column]:
    """Return a column for each of `CONTEXT`, with a value for each block.

    Args:
        layout: that of the page.
        first: per block, the first probability that it is main content.
        page: the probability of each kind of page, and what the page states of itself.
    """
    count = len(first)
    columns = [first, layout.sizes, list(map(truediv, layout.linked, layout.sizes)), layout.headings]
    sums = _Sums(layout, first)
    columns += _of_units(layout, first, sums)
    columns += _of_groups(layout, first)
    columns += _of_holes(first, sums)
    columns += _of_page(sums)
    return [*columns, *([value] * count for value in page)]


def _of_units(layout: Layout, first: Column, sums: "_Sums") -> Iterator[Column]:
    """Yield the figures of each block's unit, and of the blocks around the unit; a block without one is its own."""
    # Blocks of a unit follow each other.
    starts: list[int] = []
    for number, unit in enumerate(layout.units):
        is_same = unit >= 0 and number > 0 and layout.units[number - 1] == unit
        starts.append(starts[-1] if is_same else number)
    ends = [0] * len(starts)
    for number in range(len(starts) - 1, -1, -1):
        is_last = number + 1 == len(starts) or starts[number + 1] != starts[number]
        ends[number] = number + 1 if is_last else ends[number + 1]
    spans = list(zip(starts, ends, strict=True))
    yield layout.unit_kinds
    yield [sums.mean(start, end) for start, end in spans]
    yield [sums.sizes[end] - sums.sizes[start] for start, end in spans]
    yield [sums.link_share(start, end) for start, end in spans]
    yield list(map(sub, range(len(starts)), starts))
    yield list(map(sub, ends, starts))
    count = len(first)
    for reach in _WINDOWS:
        yield [sums.mean(max(0, start - reach), start) for start in starts]
        yield [sums.mean(end, min(count, end + reach)) for end in ends]
    yield [*first[1:], -1.0]
    yield [max(first[max(0, start - _REACH) : start], default=-1.0) for start in starts]
    yield [max(first[end : end + _REACH], default=-1.0) for end in ends]


class _Sums:
    """Running sums over the blocks of a page."""

    def __init__(self, layout: Layout, first: Column) -> None:
        self.sizes = [0, *accumulate(layout.sizes)]
        self.linked = [0, *accumulate(layout.linked)]
        self.expected = [0.0, *accumulate(p * size for p, size in zip(first, layout.sizes, strict=True))]

    def mean(self, start: int, end: int) -> float:
        """Return the mean probability of some blocks by their words; -1 for none."""
        if start >= end:
            return -1.0
        return (self.expected[end] - self.expected[start]) / (self.sizes[end] - self.sizes[start])

    def link_share(self, start: int, end: int) -> float:
        """Return the share of the words of some blocks that are in links."""
        return (self.linked[end] - self.linked[start]) / (self.sizes[end] - self.sizes[start])


def _of_groups(layout: Layout, first: Column) -> Iterator[Column]:
    """Yield the mean probability of all blocks below an element above, and of all blocks of the block's kind."""
    for groups in (*layout.above, layout.alike):
        expected, sizes = dict.fromkeys(groups, 0.0), dict.fromkeys(groups, 0)
        for group, probability, size in zip(groups, first, layout.sizes, strict=True):
            expected[group] += probability * size
            sizes[group] += size
        yield [expected[group] / sizes[group] for group in groups]


def _of_holes(first: Column, sums: _Sums) -> Iterator[Column]:
    """Yield the words up to the likely blocks before and after, and the share of linked words between these."""
    count = len(first)
    before = list(_last_likely(first))
    after = [count - 1 - number for number in reversed(list(_last_likely(first[::-1])))]
    sizes = sums.sizes
    yield [min(_FAR, sizes[number] - sizes[last + 1]) if last >= 0 else _FAR for number, last in enumerate(before)]
    yield [
        min(_FAR, sizes[following] - sizes[number + 1]) if following < count else _FAR
        for number, following in enumerate(after)
    ]
    yield [sums.link_share(last + 1, following) for last, following in zip(before, after, strict=True)]


def _last_likely(first: Iterable[float]) -> Iterator[int]:
    """Yield, per block, the last block before it that is likely main content; -1 for none."""
    last = -1
    for number, probability in enumerate(first):
        yield last
        if probability >= _LIKELY:
            last = number


def _of_page(sums: _Sums) -> Iterator[Column]:
    """Yield how much main content comes before and after, how much there is, and the place on the page."""
    count = len(sums.sizes) - 1
    total = sums.expected[-1] or 1.0
    yield [sums.expected[number] / total for number in range(count)]
    yield [(total - sums.expected[number + 1]) / total for number in range(count)]
    yield [sums.expected[-1] / sums.sizes[-1]] * count
    yield [number / count for number in range(count)]
