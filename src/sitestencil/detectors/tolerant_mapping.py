"""The tolerant mapping: order-keeping and top-down, but a differing wrapper does not end it.

TemEx's mapping (`sitestencil.detectors.temex.mapping`) demands that two elements are equal before it looks
below them, so one class that differs on a wrapper loses everything in it. Here the roots are always mapped, and
of two mapped elements' children those are mapped, in order, that agree in their whole subtree; between
these, those of one id; between these, of one kind; and what is left, of one tag.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence

from sitestencil.page.sketch import Sketch

_FEW = 8

ElementMapping = dict[int, int]
_Keys = Callable[[Sketch, Sequence[int]], Sequence[Hashable | None]]


def tolerant_mapping(key: Sketch, other: Sketch) -> ElementMapping:
    """Return the partner of each mapped element of the key page.

    Of equal subtrees the tops alone are listed: what is below them is equal too.
    """
    mapping: ElementMapping = {}
    hashes, others = key.hashes, other.hashes
    pairs = [(0, 0)] if len(key) and len(other) else []
    while pairs:
        mapping.update(pairs)
        unequal = [pair for pair in pairs if hashes[pair[0]] != others[pair[1]]]
        pairs = []
        for ours, theirs in unequal:
            pairs += _pair_children(key, other, key.children[ours], other.children[theirs])
    return mapping


def _subtrees(page: Sketch, elements: Sequence[int]) -> Sequence[Hashable | None]:
    """Return the hashes of those that say something; an empty element is like any other."""
    hashes, ends, has_texts = page.hashes, page.ends, page.text_marks
    return [hashes[element] if has_texts[element] or ends[element] - element > 1 else None for element in elements]


_LEVELS: tuple[_Keys, ...] = (
    _subtrees,
    lambda page, elements: list(map(page.identity, elements)),
    lambda page, elements: list(map(page.kinds.__getitem__, elements)),
    lambda page, elements: [page.tags[element] for element in elements],
)


def _pair_children(key: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    if len(ours) == len(theirs) and _alike_in_order(key, other, ours, theirs):
        return list(zip(ours, theirs, strict=True))
    pairs: list[tuple[int, int]] = []
    first, last = _equal_at_the_ends(key, other, ours, theirs)
    if first or last:
        pairs += zip(ours[:first], theirs[:first], strict=True)
        pairs += zip(ours[len(ours) - last :], theirs[len(theirs) - last :], strict=True)
        ours, theirs = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    return pairs + _pair_by_levels(key, other, ours, theirs)


def _pair_by_levels(
    key: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]
) -> list[tuple[int, int]]:
    """Pair what agrees by the first level, between these what agrees by the next."""
    pairs: list[tuple[int, int]] = []
    gaps = [(0, len(ours), 0, len(theirs))]
    for level in _LEVELS:
        narrower = []
        for first, last, other_first, other_last in gaps:
            if first >= last or other_first >= other_last:
                continue
            if last - first == other_last - other_first == 1:
                # Whatever the level: two single elements are mapped if they have at least their tag in common.
                if key.tags[ours[first]] == other.tags[theirs[other_first]]:
                    pairs.append((ours[first], theirs[other_first]))
                continue
            found = ordered_pairs(level(key, ours[first:last]), level(other, theirs[other_first:other_last]))
            after, other_after = first, other_first
            for a, b in found:
                pairs.append((ours[first + a], theirs[other_first + b]))
                narrower.append((after, first + a, other_after, other_first + b))
                after, other_after = first + a + 1, other_first + b + 1
            narrower.append((after, last, other_after, other_last))
        gaps = narrower
        if not gaps:
            break
    return pairs


def _alike_in_order(key: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Return whether there is only one way to pair the children: the same kinds in order, each of them once."""
    if len(ours) == 1:
        return key.tags[ours[0]] == other.tags[theirs[0]]
    if len(ours) > _FEW:
        return False
    kinds = list(map(key.kinds.__getitem__, ours))
    return len(set(kinds)) == len(kinds) and kinds == list(map(other.kinds.__getitem__, theirs))


def _equal_at_the_ends(key: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, int]:
    """Return how many children are equal from the first on, and how many of the others from the last back."""
    hashes, others = key.hashes, other.hashes
    most = min(len(ours), len(theirs))
    first = last = 0
    while first < most and hashes[ours[first]] == others[theirs[first]]:
        first += 1
    while last < most - first and hashes[ours[-1 - last]] == others[theirs[-1 - last]]:
        last += 1
    return first, last


def ordered_pairs(keys: Sequence[Hashable | None], others: Sequence[Hashable | None]) -> list[tuple[int, int]]:
    """Return positions of equal keys, the n-th with the n-th, as many as keep the order; None equals nothing."""
    common = set(others)
    common.discard(None)
    if common.isdisjoint(keys):
        return []
    places: dict[Hashable, list[int]] = {}
    for place, found in enumerate(others):
        if found is not None:
            places.setdefault(found, []).append(place)
    seen: dict[Hashable, int] = {}
    pairs = []
    for place, wanted in enumerate(keys):
        if wanted is None or wanted not in places:
            continue
        nth = seen.get(wanted, 0)
        if nth < len(places[wanted]):
            pairs.append((place, places[wanted][nth]))
            seen[wanted] = nth + 1
    return _longest_increasing(pairs)


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the most pairs whose second members ascend (patience sorting)."""
    tails: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tails, place)
        if pile == len(tails):
            tails.append(place)
            tops.append(number)
        else:
            tails[pile] = place
            tops[pile] = number
        before.append(tops[pile - 1] if pile else -1)
    found = []
    number = tops[-1] if tops else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    found.reverse()
    return found
