"""Describe each block of a page by numbers, for the trees that tell main content from the rest.

A page alone tells text and link density, place, landmarks, class names and likeness to the title. Compared pages
add how surely each part is template.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log, log1p

from sitestencil.content.page_measures import PageMeasures
from sitestencil.detectors.detection import Detection

# The log-odds of main content for a word in the names of near and of far elements.
NameOdds = Mapping[str, tuple[float, float]]

_LANDMARKS = tuple("article main aside footer header form figure table ul blockquote section".split())
_TAGS = (("p",), ("li", "dd", "dt"), ("h1", "h2", "h3", "h4", "h5", "h6"), ("div",))
_ENDS = frozenset(".!?。！？…\"”»'")  # noqa: RUF001
_WINDOWS = (3, 8, 20)
_LEVELS = (1, 2, 4, 6, 8)
_PARAGRAPH_SHARES = (0.3, 0.6, 0.85)
_SITE_WINDOW = 10
_SITE_LEVEL = 5
_NEAR_LEVELS = 3
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
    yield from "template template_score text_score equal pages near_template up_score".split()
    yield from "near_least near_most near_sum far_least far_most far_sum".split()


FEATURES = tuple(_names())


def feature_columns(
    measures: PageMeasures, detection: Detection | None, odds: NameOdds, numbers: Sequence[int]
) -> list[tuple[float, ...]]:
    """Return a column for each of `FEATURES`, with a value for each of some blocks.

    Args:
        measures: those of the page.
        detection: the template by compared pages; None if no page was compared.
        odds: the learned words of names.
        numbers: the numbers of the blocks, at least one.
    """
    rows = feature_rows(measures, detection, numbers)
    names = [near_and_far_names(measures, number) for number in numbers]
    named = {pair: name_features(pair, odds) for pair in set(names)}
    return list(zip(*(row + named[pair] for row, pair in zip(rows, names, strict=True)), strict=True))


def feature_rows(measures: PageMeasures, detection: Detection | None, numbers: Sequence[int]) -> list[list[float]]:
    """Return a row for each of some blocks, without the features of names."""
    site = _Site(measures, detection) if detection is not None else None
    return [
        [
            *_own(measures, number),
            *_place(measures, number),
            *_around(measures, number),
            *_above(measures, number),
            *_likeness(measures, number),
            *(site.row(number) if site is not None else _NO_SITE),
        ]
        for number in numbers
    ]


def near_and_far_names(measures: PageMeasures, number: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words in the names of a block's three innermost elements, and of all above them."""
    path = measures.path(measures.blocks[number].container)
    near = frozenset[str]().union(*map(measures.names, path[:_NEAR_LEVELS]))
    return near, measures.names_from(path[_NEAR_LEVELS] if len(path) > _NEAR_LEVELS else -1)


def name_features(names: tuple[frozenset[str], frozenset[str]], odds: NameOdds) -> list[float]:
    """Return the features of the words in the names of near and of far elements."""
    features: list[float] = []
    for place, found in enumerate(names):
        # Sorted, so that the sum is the same in each run.
        known = [odds[name][place] for name in sorted(found) if name in odds]
        features += min(known, default=0.0), max(known, default=0.0), sum(known)
    return features


def _own(measures: PageMeasures, number: int) -> Iterator[float]:
    block, size = measures.blocks[number], measures.sizes[number]
    text, tag = block.text, measures.document.tags[block.container]
    yield size
    yield log1p(len(text))
    yield measures.link_shares[number]
    yield measures.marks[number] / size
    yield text[-1] in _ENDS
    yield sum(map(str.isdigit, text)) / len(text)
    yield sum(map(str.isupper, text)) / len(text)
    yield len(text) / size
    yield len(block.texts)
    yield from (tag in tags for tags in _TAGS)


def _place(measures: PageMeasures, number: int) -> Iterator[float]:
    tags = measures.document.tags
    path = [tags[element] for element in measures.path(measures.blocks[number].container)]
    yield len(path)
    yield from (path.index(name) if name in path else _FAR for name in _LANDMARKS)
    total, before = measures.words, measures.words_before
    yield number / len(measures.blocks)
    yield before[number] / total
    yield (total - before[number + 1]) / total
    yield log(total)
    yield len(measures.blocks)
    yield measures.sizes[number] / total


def _around(measures: PageMeasures, number: int) -> Iterator[float]:
    count = len(measures.blocks)
    for other in (number - 1, number + 1):
        inside = 0 <= other < count
        yield measures.sizes[other] if inside else 0
        yield measures.link_shares[other] if inside else 1
    for reach in _WINDOWS:
        start, end = max(0, number - reach), min(count, number + reach + 1)
        size = measures.words_before[end] - measures.words_before[start]
        yield (measures.linked_before[end] - measures.linked_before[start]) / size
        yield (measures.marks_before[end] - measures.marks_before[start]) / size
        yield max(measures.unlinked_sizes[start:end])


def _above(measures: PageMeasures, number: int) -> Iterator[float]:
    path = measures.path(measures.blocks[number].container)
    total = measures.words
    for level in _LEVELS:
        element = path[min(level, len(path) - 1)]
        size = max(1, measures.subtree_words[element])
        yield measures.subtree_words[element] / total
        yield measures.subtree_linked[element] / size
        yield measures.subtree_paragraphs[element] / size
        yield measures.subtree_blocks[element]
    paragraphs = measures.subtree_paragraphs[path[-1]] or 1
    level, last = 0, len(path) - 1
    for share in _PARAGRAPH_SHARES:
        while level <= last and measures.subtree_paragraphs[path[level]] < share * paragraphs:
            level += 1
        element = path[min(level, last)]
        yield level
        yield measures.subtree_words[element] / total
        yield measures.subtree_linked[element] / max(1, measures.subtree_words[element])


def _likeness(measures: PageMeasures, number: int) -> Iterator[float]:
    count, size, linked = measures.alike[measures.signatures[number]]
    yield count
    yield size / count
    yield linked / size
    yield size / measures.words
    own = frozenset(measures.blocks[number].words)
    for wanted in (measures.title_words, measures.description_words):
        common = len(own & wanted)
        yield common / max(1, len(wanted))
        yield common / len(own)
    title, likeness = measures.title_block
    yield number - title if title >= 0 else _UNKNOWN
    yield likeness
    yield number - measures.first_heading if measures.first_heading >= 0 else _UNKNOWN
    yield number == title


class _Site:
    """The answers of compared pages, summed up for blocks."""

    def __init__(self, measures: PageMeasures, detection: Detection) -> None:
        self._measures = measures
        self._detection = detection
        self._scores = detection.scores or list(map(float, detection.template))
        text_scores = detection.text_scores or list(map(float, detection.template_texts))
        self._template = [_mean(block.texts, detection.template_texts) for block in measures.blocks]
        self._text_scores = [_mean(block.texts, text_scores) for block in measures.blocks]

    def row(self, number: int) -> Iterator[float]:
        container = self._measures.blocks[number].container
        yield self._template[number]
        yield self._scores[container]
        yield self._text_scores[number]
        yield self._detection.reasons[container].equal if self._detection.reasons is not None else -1
        yield len(self._detection.candidates)
        near = self._template[max(0, number - _SITE_WINDOW) : number + _SITE_WINDOW + 1]
        yield sum(near) / len(near)
        path = self._measures.path(container)
        yield self._scores[path[min(_SITE_LEVEL, len(path) - 1)]]


def _mean(numbers: Sequence[int], values: Sequence[float]) -> float:
    return sum(values[number] for number in numbers) / len(numbers)


_NO_SITE = [-1.0] * 7
