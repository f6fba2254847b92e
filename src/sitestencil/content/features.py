"""Describe each block of a page by numbers, for the trees that tell main content from the rest.

A page alone tells text and link density, place, landmarks, class names and likeness to the title. Compared pages
add how surely each part is template.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import log, log1p
from operator import truediv

from sitestencil.content.feature_names import (
    ENDS,
    FAR,
    LANDMARKS,
    LEVELS,
    NEAR_LEVELS,
    PARAGRAPH_SHARES,
    TAGS,
    UNKNOWN,
    WINDOWS,
)
from sitestencil.content.page_measures import PageMeasures
from sitestencil.detectors.detection import Detection

# The log-odds of main content for a word in the names of near and of far elements.
NameOdds = Mapping[str, tuple[float, float]]
# The words in the names of near and of far elements.
Names = tuple[frozenset[str], frozenset[str]]
Column = Sequence[float]

_DIGITS, _CAPITALS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SITE_WINDOW = 10
_SITE_LEVEL = 5
_SITE_FEATURES = 7


def feature_columns(
    measures: PageMeasures, detection: Detection | None, odds: NameOdds, numbers: Sequence[int]
) -> list[Column]:
    """Return a column for each of `FEATURES`, with a value for each of some blocks.

    Args:
        measures: those of the page.
        detection: the template by compared pages; None if no page was compared.
        odds: the learned words of names.
        numbers: the numbers of the blocks, at least one.
    """
    columns = page_columns(measures, detection, numbers)
    names = near_and_far_names(measures, numbers)
    of_names = {pair: name_features(pair, odds) for pair in set(names)}
    return [*columns, *zip(*(of_names[pair] for pair in names), strict=True)]


def page_columns(measures: PageMeasures, detection: Detection | None, numbers: Sequence[int]) -> list[Column]:
    """Return the same without the features of names."""
    alone = _page_features(measures, numbers)
    if detection is not None:
        return [*alone, *_site(measures, detection, numbers)]
    return [*alone, *[[-1.0] * len(numbers)] * _SITE_FEATURES]


def _page_features(measures: PageMeasures, numbers: Sequence[int]) -> list[Column]:
    return [
        *_own(measures, numbers),
        *_place(measures, numbers),
        *_around(measures, numbers),
        *_above(measures, numbers),
        *_likeness(measures, numbers),
    ]


def near_and_far_names(measures: PageMeasures, numbers: Sequence[int]) -> list[Names]:
    """Return, per block, the words in the names of its three innermost elements, and of all above them."""
    names: dict[int, Names] = {}
    containers = _containers(measures, numbers)
    parents = measures.document.parents
    for container in containers:
        if container not in names:
            near, element = measures.names(container), parents[container]
            for _ in range(1, NEAR_LEVELS):
                if element >= 0:
                    near |= measures.names(element)
                    element = parents[element]
            names[container] = near, measures.names_from(element)
    return [names[container] for container in containers]


def name_features(names: Names, odds: NameOdds) -> list[float]:
    """Return the features of the words in the names of near and of far elements."""
    return [*_name_features(names[0], odds, 0), *_name_features(names[1], odds, 1)]


def _name_features(found: frozenset[str], odds: NameOdds, place: int) -> tuple[float, float, float]:
    # Sorted, so that the sum is the same in each run.
    known = [odds[name][place] for name in sorted([name for name in found if name in odds])]
    return min(known, default=0.0), max(known, default=0.0), sum(known)


def _own(measures: PageMeasures, numbers: Sequence[int]) -> Iterator[Column]:
    blocks = [measures.blocks[number] for number in numbers]
    sizes = [measures.sizes[number] for number in numbers]
    lengths = [len(block.text) for block in blocks]
    counts = [_digits_and_capitals(block.text) for block in blocks]
    yield sizes
    yield list(map(log1p, lengths))
    yield [measures.link_shares[number] for number in numbers]
    yield [measures.marks[number] / measures.sizes[number] for number in numbers]
    yield [block.text[-1] in ENDS for block in blocks]
    yield [digits / length for (digits, _), length in zip(counts, lengths, strict=True)]
    yield [capitals / length for (_, capitals), length in zip(counts, lengths, strict=True)]
    yield list(map(truediv, lengths, sizes))
    yield [len(block.texts) for block in blocks]
    tags = [measures.document.tags[block.container] for block in blocks]
    yield from ([tag in wanted for tag in tags] for wanted in TAGS)


def _digits_and_capitals(text: str) -> tuple[int, int]:
    ascii_text = text.encode("ascii", "ignore")
    digits = len(ascii_text) - len(ascii_text.translate(None, _DIGITS))
    capitals = len(ascii_text) - len(ascii_text.translate(None, _CAPITALS))
    if len(ascii_text) < len(text):
        others = _NOT_ASCII.findall(text)
        digits += sum(map(str.isdigit, others))
        capitals += sum(map(str.isupper, others))
    return digits, capitals


def _place(measures: PageMeasures, numbers: Sequence[int]) -> Iterator[Column]:
    containers, depths = _containers(measures, numbers), measures.depths
    own_depths = [depths[container] for container in containers]
    yield own_depths
    landmarks: dict[str, list[int]] = {name: [] for name in LANDMARKS}
    for element, tag in enumerate(measures.document.tags):
        if tag in landmarks:
            landmarks[tag].append(element)
    for elements in landmarks.values():
        nearest = measures.nearest(elements)
        above = [nearest[container] for container in containers]
        yield [
            depth - depths[element] if element >= 0 else FAR
            for depth, element in zip(own_depths, above, strict=True)
        ]
    total, before, count = measures.words, [0, *accumulate(measures.sizes)], len(measures.blocks)
    yield [number / count for number in numbers]
    yield [before[number] / total for number in numbers]
    yield [(total - before[number + 1]) / total for number in numbers]
    yield [log(total)] * len(numbers)
    yield [count] * len(numbers)
    yield [measures.sizes[number] / total for number in numbers]


def _around(measures: PageMeasures, numbers: Sequence[int]) -> Iterator[Column]:
    sizes, link_shares = [0, *measures.sizes, 0], [1, *measures.link_shares, 1]
    for step in (0, 2):
        yield [sizes[number + step] for number in numbers]
        yield [link_shares[number + step] for number in numbers]
    # Windows reach over both ends of the page, so the columns are longer by the widest.
    most = max(WINDOWS)
    sums = [[0, *accumulate(column)] for column in (measures.sizes, measures.linked, measures.marks)]
    before = [[*[0] * most, *column, *[column[-1]] * most] for column in sums]
    shares = zip(measures.sizes, measures.link_shares, strict=True)
    unlinked = [*[0] * most, *(size if share < 0.5 else 0 for size, share in shares)]
    for reach in WINDOWS:
        windows = [(number + most - reach, number + most + reach + 1) for number in numbers]
        words, linked, marks = ([column[end] - column[start] for start, end in windows] for column in before)
        yield list(map(truediv, linked, words))
        yield list(map(truediv, marks, words))
        yield [max(unlinked[start:end]) for start, end in windows]


def _above(measures: PageMeasures, numbers: Sequence[int]) -> Iterator[Column]:
    words, linked = measures.subtree_words, measures.subtree_linked
    paragraphs, blocks, depths = measures.subtree_paragraphs, measures.subtree_blocks, measures.depths
    total, containers = measures.words, _containers(measures, numbers)
    parents = [0, *measures.document.parents[1:]]
    above, level = containers, 0
    for wanted in LEVELS:
        while level < wanted:
            above, level = [parents[element] for element in above], level + 1
        sizes = [words[element] or 1 for element in above]
        yield [words[element] / total for element in above]
        yield [linked[element] / size for element, size in zip(above, sizes, strict=True)]
        yield [paragraphs[element] / size for element, size in zip(above, sizes, strict=True)]
        yield [blocks[element] for element in above]
    for share in PARAGRAPH_SHARES:
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


def _likeness(measures: PageMeasures, numbers: Sequence[int]) -> Iterator[Column]:
    alike = [measures.alike[number] for number in numbers]
    yield [count for count, _, _ in alike]
    yield [size / count for count, size, _ in alike]
    yield [linked / size for _, size, linked in alike]
    yield [size / measures.words for _, size, _ in alike]
    own = [measures.word_sets[number] for number in numbers]
    for wanted in (measures.title_words, measures.description_words):
        common = [len(words & wanted) for words in own]
        yield [size / max(1, len(wanted)) for size in common]
        yield [size / len(words) for size, words in zip(common, own, strict=True)]
    title, likeness = measures.title_block
    heading = measures.first_heading
    yield [number - title if title >= 0 else UNKNOWN for number in numbers]
    yield [likeness] * len(numbers)
    yield [number - heading if heading >= 0 else UNKNOWN for number in numbers]
    yield [number == title for number in numbers]


def _site(measures: PageMeasures, detection: Detection, numbers: Sequence[int]) -> Iterator[Column]:
    """Yield the answers of compared pages, summed up for blocks."""
    containers = _containers(measures, numbers)
    scores = detection.scores or list(map(float, detection.template))
    text_scores = detection.text_scores or list(map(float, detection.template_texts))
    template = [_mean(block.texts, detection.template_texts) for block in measures.blocks]
    yield [template[number] for number in numbers]
    yield [scores[container] for container in containers]
    yield [_mean(measures.blocks[number].texts, text_scores) for number in numbers]
    reasons = detection.reasons
    yield [reasons[container].equal if reasons is not None else -1 for container in containers]
    yield [len(detection.candidates)] * len(numbers)
    near = [template[max(0, number - _SITE_WINDOW) : number + _SITE_WINDOW + 1] for number in numbers]
    yield [sum(values) / len(values) for values in near]
    above = containers
    for _ in range(_SITE_LEVEL):
        above = [max(0, measures.document.parents[element]) for element in above]
    yield [scores[element] for element in above]


def _mean(numbers: Sequence[int], values: Sequence[float]) -> float:
    return sum(values[number] for number in numbers) / len(numbers)


def _containers(measures: PageMeasures, numbers: Sequence[int]) -> list[int]:
    return [measures.blocks[number].container for number in numbers]
