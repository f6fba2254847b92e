"""Describe each block of a page by numbers, for the trees that tell main content from the rest.

They tell text and link density, place, landmarks, class names and likeness to the title.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import log, log1p
from operator import truediv

from sitestencil.content.page_measures import PageMeasures

# The log-odds of main content for a word in the names of near and of far elements.
NameOdds = Mapping[str, tuple[float, float]]
# The words in the names of near and of far elements.
Names = tuple[frozenset[str], frozenset[str]]
Column = Sequence[float]

_DIGITS, _CAPITALS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LANDMARKS = tuple("article main aside footer header form figure table ul blockquote section".split())
_TAGS = (("p",), ("li", "dd", "dt"), ("h1", "h2", "h3", "h4", "h5", "h6"), ("div",))
_ENDS = frozenset(".!?。！？…\"”»'")  # noqa: RUF001
_WINDOWS = (3, 8, 20)  # blocks before and after
_LEVELS = (1, 2, 4, 6, 8)  # elements above
_PARAGRAPH_SHARES = (0.3, 0.6, 0.85)
_NEAR_LEVELS = 3  # elements whose names are near
_FAR = 99
_UNKNOWN = -999.0


def _names() -> Iterator[str]:
    yield from "words letters link_share marks_share ends digits capitals word_length runs".split()
    yield from (f"tag_{tags[0]}" for tags in _TAGS)
    yield "depth"
    yield from (f"to_{name}" for name in _LANDMARKS)
    yield from "place words_before words_after page_words blocks share".split()
    yield from "size_before links_before size_after links_after".split()
    for reach in _WINDOWS:
        yield from (f"{name}_{reach}" for name in ("near_links", "near_marks", "near_longest"))
    for level in _LEVELS:
        yield from (f"{name}_{level}" for name in ("up_share", "up_links", "up_paragraphs", "up_blocks"))
    for share in _PARAGRAPH_SHARES:
        yield from (f"{name}_{share}" for name in ("paragraphs_at", "paragraphs_share", "paragraphs_links"))
    yield from "alike alike_size alike_links alike_share".split()
    yield from "title_covered title_share description_covered description_share".split()
    yield from "after_title titled after_h1 is_title".split()
    yield from "near_least near_most near_sum far_least far_most far_sum".split()


FEATURES = tuple(_names())


def feature_columns(measures: PageMeasures, odds: NameOdds) -> list[Column]:
    """Return a column for each of `FEATURES`, with a value for each block.

    Args:
        measures: those of the page, which has at least one block.
        odds: the learned words of names.
    """
    return [*page_columns(measures), *name_columns(near_and_far_names(measures), odds)]


def page_columns(measures: PageMeasures) -> list[Column]:
    """Return the columns of `feature_columns` but for those of names."""
    return [*_own(measures), *_place(measures), *_around(measures), *_above(measures), *_likeness(measures)]


def near_and_far_names(measures: PageMeasures) -> list[Names]:
    """Return, per block, the words in the names of its three innermost elements, and of all above them."""
    names: dict[int, Names] = {}
    containers = _containers(measures)
    parents = measures.document.parents
    for container in containers:
        if container not in names:
            near, element = measures.names(container), parents[container]
            for _ in range(1, _NEAR_LEVELS):
                if element >= 0:
                    near |= measures.names(element)
                    element = parents[element]
            names[container] = near, measures.names_from(element)
    return [names[container] for container in containers]


def name_columns(names: Sequence[Names], odds: NameOdds) -> Iterator[Column]:
    """Yield the features of the words in the names of near and of far elements."""
    for place, column in enumerate(zip(*names, strict=True)):
        of_names = {found: _of_names(found, odds, place) for found in set(column)}
        yield from zip(*map(of_names.__getitem__, column), strict=True)


def _of_names(found: frozenset[str], odds: NameOdds, place: int) -> tuple[float, float, float]:
    # Sorted, so that the sum is the same in each run.
    known = [odds[name][place] for name in sorted([name for name in found if name in odds])]
    return min(known, default=0.0), max(known, default=0.0), sum(known)


def _own(measures: PageMeasures) -> Iterator[Column]:
    blocks, sizes = measures.blocks, measures.sizes
    lengths = [len(block.text) for block in blocks]
    counts = [_digits_and_capitals(block.text) for block in blocks]
    yield sizes
    yield list(map(log1p, lengths))
    yield measures.link_shares
    yield list(map(truediv, measures.marks, sizes))
    yield [block.text[-1] in _ENDS for block in blocks]
    yield [digits / length for (digits, _), length in zip(counts, lengths, strict=True)]
    yield [capitals / length for (_, capitals), length in zip(counts, lengths, strict=True)]
    yield list(map(truediv, lengths, sizes))
    yield [len(block.texts) for block in blocks]
    tags = [measures.document.tags[block.container] for block in blocks]
    yield from ([tag in wanted for tag in tags] for wanted in _TAGS)


def _digits_and_capitals(text: str) -> tuple[int, int]:
    ascii_text = text.encode("ascii", "ignore")
    digits = len(ascii_text) - len(ascii_text.translate(None, _DIGITS))
    capitals = len(ascii_text) - len(ascii_text.translate(None, _CAPITALS))
    if len(ascii_text) < len(text):
        others = _NOT_ASCII.findall(text)
        digits += sum(map(str.isdigit, others))
        capitals += sum(map(str.isupper, others))
    return digits, capitals


def _place(measures: PageMeasures) -> Iterator[Column]:
    containers, depths = _containers(measures), measures.depths
    own_depths = [depths[container] for container in containers]
    yield own_depths
    for name in _LANDMARKS:
        nearest = measures.nearest(measures.document.tagged(name))
        above = [nearest[container] for container in containers]
        yield [
            depth - depths[element] if element >= 0 else _FAR
            for depth, element in zip(own_depths, above, strict=True)
        ]
    total, before, count = measures.words, [0, *accumulate(measures.sizes)], len(measures.blocks)
    yield [number / count for number in range(count)]
    yield [words / total for words in before[:-1]]
    yield [(total - words) / total for words in before[1:]]
    yield [log(total)] * count
    yield [count] * count
    yield [size / total for size in measures.sizes]


def _around(measures: PageMeasures) -> Iterator[Column]:
    yield [0, *measures.sizes[:-1]]
    yield [1, *measures.link_shares[:-1]]
    yield [*measures.sizes[1:], 0]
    yield [*measures.link_shares[1:], 1]
    # Windows reach over both ends of the page, so the columns are longer by the widest.
    most = max(_WINDOWS)
    sums = [[0, *accumulate(column)] for column in (measures.sizes, measures.linked, measures.marks)]
    before = [[*[0] * most, *column, *[column[-1]] * most] for column in sums]
    shares = zip(measures.sizes, measures.link_shares, strict=True)
    unlinked = [*[0] * most, *(size if share < 0.5 else 0 for size, share in shares)]
    for reach in _WINDOWS:
        windows = [(number + most - reach, number + most + reach + 1) for number in range(len(measures.blocks))]
        words, linked, marks = ([column[end] - column[start] for start, end in windows] for column in before)
        yield list(map(truediv, linked, words))
        yield list(map(truediv, marks, words))
        yield [max(unlinked[start:end]) for start, end in windows]


def _above(measures: PageMeasures) -> Iterator[Column]:
    words, linked = measures.subtree_words, measures.subtree_linked
    paragraphs, blocks, depths = measures.subtree_paragraphs, measures.subtree_blocks, measures.depths
    total, containers = measures.words, _containers(measures)
    parents = [0, *measures.document.parents[1:]]
    above, level = containers, 0
    for wanted in _LEVELS:
        while level < wanted:
            above, level = [parents[element] for element in above], level + 1
        sizes = [words[element] or 1 for element in above]
        yield [words[element] / total for element in above]
        yield [linked[element] / size for element, size in zip(above, sizes, strict=True)]
        yield [paragraphs[element] / size for element, size in zip(above, sizes, strict=True)]
        yield [blocks[element] for element in above]
    for share in _PARAGRAPH_SHARES:
        least = share * (paragraphs[0] or 1)
        nearest = measures.nearest([element for element, size in enumerate(paragraphs) if size >= least])
        above = [nearest[element] for element in containers]
        yield [
            depths[element] - (depths[top] if top >= 0 else 0)
            for element, top in zip(containers, above, strict=True)
        ]
        above = [top if top >= 0 else 0 for top in above]
        yield [words[element] / total for element in above]
        yield [linked[element] / (words[element] or 1) for element in above]


def _likeness(measures: PageMeasures) -> Iterator[Column]:
    alike, word_sets, numbers = measures.alike, measures.word_sets, range(len(measures.blocks))
    yield [count for count, _, _ in alike]
    yield [size / count for count, size, _ in alike]
    yield [linked / size for _, size, linked in alike]
    yield [size / measures.words for _, size, _ in alike]
    for wanted in (measures.title_words, measures.description_words):
        common = [len(words & wanted) for words in word_sets]
        yield [size / max(1, len(wanted)) for size in common]
        yield [size / len(words) for size, words in zip(common, word_sets, strict=True)]
    title, likeness = measures.title_block
    heading = measures.first_heading
    yield [number - title if title >= 0 else _UNKNOWN for number in numbers]
    yield [likeness] * len(numbers)
    yield [number - heading if heading >= 0 else _UNKNOWN for number in numbers]
    yield [number == title for number in numbers]


def _containers(measures: PageMeasures) -> list[int]:
    return [block.container for block in measures.blocks]
