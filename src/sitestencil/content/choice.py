"""Choose the blocks that are main content, by their probabilities."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import compress
from math import exp, log, log1p, sqrt

from sitestencil.content.context import Layout
from sitestencil.content.inserts import SURE, without_inserts
from sitestencil.content.parts import KIND_OF_UNIT, PAIRS

_LEAST_TITLE = 0.05  # probability: less has the name of the site that the title repeats
_LEAST_HEADING = 0.15  # probability; .3 costs a tenth of the headings found so, and gains .002 of F1 on articles
_LEAST_BETWEEN = 0.05  # of a heading with kept blocks on both sides
_LEAST_LABEL, _MOST_LABEL_WORDS = 0.3, 6
# A hole is at most so long and so little linked, and each of its blocks is at least so likely main content.
_MOST_HOLE_WORDS, _MOST_HOLE_LINKED, _LEAST_IN_HOLE = 120, 0.5, 0.1
_MOST_FACTS_LINKED = 0.7
_HOLE_LEVEL = 2  # the place in `Layout.above` of the element that holds both sides
# Of `confidence_of`, by `signs_of`. Fitted on 1,338 answers of block models that had not seen the host.
SIGNS = ("expected", "gone", "links", "gaps", "short")
_CONSTANT, _WEIGHTS = 1.34, (0.7, -0.72, -0.17, -0.38, -0.91)
_FEW_KEPT_WORDS, _LEAST_DOUBT = 25, 1e-4
_TABLE = KIND_OF_UNIT["table"]
_HEADED = 2  # a heading heads one of so many blocks: the first may be a picture's words
_FEWEST_IN_BOX = 4  # blocks, before the line that ends it
# A page of so few words of content has nothing around it.
_FEW_WORDS = 20


def as_units(probabilities: Sequence[float], sizes: Sequence[int], units: Sequence[int]) -> list[float]:
    """Return the probabilities; all blocks of a unit, such as a term and its description, get their mean by words.

    Args:
        probabilities: per block, that it is main content; a block of probability 0 stays out of its unit.
        sizes: per block, the number of its words.
        units: per block, the number of its unit; -1 without one.

    Example:
        >>> as_units([0.25, 0.75, 0.0, 0.4], [1, 1, 5, 1], [7, 7, 7, -1])
        [0.5, 0.5, 0.0, 0.4]
    """
    sums: dict[int, float] = {}
    words: dict[int, int] = {}
    for probability, size, number in zip(probabilities, sizes, units, strict=True):
        if probability:
            sums[number] = sums.get(number, 0.0) + probability * size
            words[number] = words.get(number, 0) + size
    return [
        sums[number] / words[number] if number >= 0 and probability else probability
        for probability, number in zip(probabilities, units, strict=True)
    ]


def choose_blocks(probabilities: Sequence[float], sizes: Sequence[int]) -> tuple[list[bool], float]:
    """Return which blocks give the highest expected F1 of the words, and that F1.

    The expected F1 is taken as twice the expected common words, over the chosen words and the expected main words
    (Ye et al., ICML 2012). A block of probability 0 is never chosen.

    Args:
        probabilities: per block, that it is main content.
        sizes: per block, the number of its words.

    Example:
        >>> choose_blocks([0.9, 0.5, 0.1], [100, 20, 200])
        ([True, True, False], 0.8333333333333334)
        >>> choose_blocks([0.2, 0.0], [5, 5])
        ([True, False], 0.3333333333333333)
    """
    expected = sum(probability * size for probability, size in zip(probabilities, sizes, strict=True))
    common = size = 0.0
    best, bound = 0.0, 1.0
    for number in sorted(range(len(sizes)), key=lambda number: -probabilities[number]):
        if not probabilities[number]:
            break
        common += probabilities[number] * sizes[number]
        size += sizes[number]
        f1 = 2 * common / (size + expected)
        if f1 > best:
            best, bound = f1, probabilities[number]
    return [probability > 0 and probability >= bound for probability in probabilities], best


def expected_f1(probabilities: Sequence[float], sizes: Sequence[int], chosen: Sequence[bool]) -> float:
    """Return the expected F1 of the words of any choice; see `choose_blocks`."""
    common = sum(one * size for one, size, is_chosen in zip(probabilities, sizes, chosen, strict=True) if is_chosen)
    main = sum(one * size for one, size in zip(probabilities, sizes, strict=True))
    return 2 * common / ((sum(compress(sizes, chosen)) + main) or 1)


def chosen_blocks(probabilities: Sequence[float], layout: Layout, title: int, sure: Sequence[bool]) -> list[bool]:
    """Return per block whether it is chosen.

    To the best choice come headings and labels with what they head, holes, facts, and the title with prices. From
    it go inserts, and headings of nothing. All content is chosen where it has at most 20 words.

    Args:
        probabilities: per block, that it is main content.
        layout: how the blocks stand to each other.
        title: the block of the title; -1 without one.
        sure: per block, whether it is surely template.
    """
    chosen, _ = choose_blocks(probabilities, layout.sizes)
    own = [bool(one) and not is_sure for one, is_sure in zip(probabilities, sure, strict=True)]
    if sum(compress(layout.sizes, own)) <= _FEW_WORDS:
        return own
    chosen = without_inserts(chosen, layout, probabilities)
    if title >= 0 and probabilities[title] >= _LEAST_TITLE:
        chosen[title] = True
        _choose_prices(chosen, layout, probabilities, title)
    _choose_facts(chosen, layout, probabilities)
    for number, reference in enumerate(layout.notes):
        chosen[number] |= reference >= 0 and chosen[reference]
    _choose_headings(chosen, layout, probabilities)
    _choose_labels(chosen, layout, probabilities)
    _fill_holes(chosen, layout, probabilities)
    _choose_ends(chosen, layout, probabilities)
    for number in range(len(chosen) - 1, -1, -1):
        is_bare = layout.heads[number] and not any(chosen[number + 1 : number + 1 + _HEADED])
        chosen[number] &= not is_bare or number == title or probabilities[number] >= SURE
    return chosen


def confidence_of(expected: float, chosen: Sequence[bool], layout: Layout) -> float:
    """Return the expected F1 of a choice, corrected by what the choice shows of lost text; see `signs_of`.

    A logistic regression weighs them. ``sitestencil train --detector main-content`` prints the weights, and the
    rank correlation with the true F1 that they have on other hosts.
    """
    if not any(chosen) or not expected:
        return expected
    signs = signs_of(expected, chosen, layout)
    return 1 / (1 + exp(-_CONSTANT - sum(weight * sign for weight, sign in zip(_WEIGHTS, signs, strict=True))))


def signs_of(expected: float, chosen: Sequence[bool], layout: Layout) -> tuple[float, ...]:
    """Return `SIGNS`, which the confidence of a choice depends on.

    That is the log-odds of the expected F1, text that went between chosen blocks, links, gaps, and a choice of
    little but headings.

    Args:
        expected: the expected F1 by the blocks' probabilities.
        chosen: per block, whether it is chosen; at least one is.
        layout: how the blocks stand to each other.
    """
    numbers = list(compress(range(len(chosen)), chosen))
    sizes, linked, first, end = layout.sizes, layout.linked, numbers[0], numbers[-1] + 1
    kept = sum(sizes[number] for number in numbers)
    text = kept - sum(linked[number] for number in numbers)
    around = sum(sizes[first:end]) - sum(linked[first:end])
    gaps = sum(chosen[number] and not chosen[number - 1] for number in range(1, end))
    is_short = sum(sizes[number] for number in numbers if not layout.headings[number]) < _FEW_KEPT_WORDS
    gone, links = sqrt((around - text) / max(1, around)), sqrt(1 - text / kept)
    return log(expected / max(_LEAST_DOUBT, 1 - expected)), gone, links, log1p(gaps), is_short


def _choose_headings(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> None:
    """Choose each heading with what it heads, unless it is hardly main content."""
    for number in range(len(chosen) - 2, -1, -1):
        least = _LEAST_BETWEEN if number and chosen[number - 1] else _LEAST_HEADING
        if layout.headings[number] and chosen[number + 1] and probabilities[number] >= least:
            chosen[number] = True


def _choose_labels(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> None:
    """Choose the few words that begin a box, such as a note's, with what stands in it."""
    for number in range(len(chosen) - 2, 0, -1):
        if chosen[number] or not chosen[number + 1] or probabilities[number] < _LEAST_LABEL:
            continue
        if layout.sizes[number] <= _MOST_LABEL_WORDS and not layout.linked[number]:
            near = layout.above[:_HOLE_LEVEL]
            boxes = [level[number] for level in near if level[number] == level[number + 1]]
            chosen[number] = bool(boxes) and boxes[0] > layout.above[0][number - 1]


def _choose_prices(chosen: list[bool], layout: Layout, probabilities: Sequence[float], title: int) -> None:
    """Choose prices between the title and the text, and the short lines beside them."""
    numbers = range(title + 1, next((number for number in range(title + 1, len(chosen)) if chosen[number]), 0))
    beside = {layout.above[0][number] for number in numbers if layout.fillers[number]}
    for number in numbers:
        is_short = layout.sizes[number] <= _MOST_LABEL_WORDS and not layout.linked[number]
        is_beside = layout.above[0][number] in beside and layout.units[number] < 0
        chosen[number] = is_short and is_beside and probabilities[number] >= _LEAST_IN_HOLE


def _choose_facts(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> None:
    """Choose labels with values, and tables, beside a chosen block."""
    units, count = layout.units, len(chosen)
    free = defaultdict[int, float](float)  # per unit, its words less those that as many links may have
    for unit, size, linked in zip(units, layout.sizes, layout.linked, strict=True):
        free[unit] += size - linked / _MOST_FACTS_LINKED
    for step in (1, -1):
        for number in range(count)[::step]:
            near = number - step
            if 0 <= near < count and layout.headings[near] and not chosen[near]:
                near -= step
            if layout.unit_kinds[number] not in (PAIRS, _TABLE) or not 0 <= near < count or not chosen[near]:
                continue
            is_same = units[near] == units[number]
            is_likely = probabilities[number] >= _LEAST_IN_HOLE and free[units[number]] >= 0
            if is_same or (is_likely and _are_near(layout, number, near)):
                chosen[number] = True


def _are_near(layout: Layout, fact: int, other: int) -> bool:
    """Return whether an element a few levels above holds a fact and a block that is no fact."""
    around = {level[fact] for level in layout.above[: _HOLE_LEVEL + 2]}
    return not around.isdisjoint(level[other] for level in layout.above[: _HOLE_LEVEL + 1])


def _fill_holes(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> None:
    """Choose what stands between two chosen blocks, where nothing tells against it.

    That is tables without links and `Layout.fillers`; also units and headings, if both blocks are in one container.
    """
    last = -1
    for number in range(len(chosen)):
        if not chosen[number]:
            continue
        if 0 <= last < number - 1 and _is_hole(last, number, layout, probabilities):
            chosen[last + 1 : number] = [True] * (number - last - 1)
        last = number


def _is_hole(last: int, following: int, layout: Layout, probabilities: Sequence[float]) -> bool:
    above, numbers = layout.above[_HOLE_LEVEL], range(last + 1, following)
    is_in_one = above[last] == above[following]
    if not all(
        layout.fillers[number]
        or (layout.unit_kinds[number] == _TABLE and not layout.linked[number])
        or (is_in_one and (layout.units[number] >= 0 or layout.headings[number]))
        for number in numbers
    ):
        return False
    size, linked = (sum(column[number] for number in numbers) for column in (layout.sizes, layout.linked))
    is_likely = min(probabilities[number] for number in numbers) >= _LEAST_IN_HOLE
    return is_likely and size <= _MOST_HOLE_WORDS and linked <= _MOST_HOLE_LINKED * size


def _choose_ends(chosen: list[bool], layout: Layout, probabilities: Sequence[float]) -> None:
    """Choose the line that ends a box all else of which is chosen, such as the last of a scene."""
    for number in range(1, len(chosen)):
        box, first = layout.above[0][number], number - 1
        if chosen[number] or layout.linked[number] or layout.headings[number]:
            continue
        if probabilities[number] < _LEAST_LABEL:
            continue
        while chosen[first] and _is_inside(first, box, layout) and first > 0:
            first -= 1
        is_end = not _is_inside(number + 1, box, layout) and not _is_inside(first, box, layout)
        chosen[number] = is_end and number - first > _FEWEST_IN_BOX


def _is_inside(number: int, box: int, layout: Layout) -> bool:
    return number < len(layout.sizes) and any(level[number] == box for level in layout.above)
