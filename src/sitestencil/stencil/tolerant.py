"""The tolerant mapping: order-keeping and top-down, but a differing wrapper does not end it.

TemEx's mapping (`sitestencil.mapping`) demands that two elements are equal before it looks below them, so one
class that differs on a wrapper loses everything in it. Here the roots are always mapped, and of two mapped
elements' children those are mapped, in order, that agree in their whole subtree; between these, those of one
id; between these, of one kind; and what is left, of one tag.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence

from sitestencil.stencil.sketch import Sketch

TolerantMapping = dict[int, int]
_Key = Callable[[Sketch, int], Hashable | None]


def tolerant_mapping(key: Sketch, other: Sketch) -> TolerantMapping:
    """Return the partner of each mapped element of the key page.

    Of equal subtrees the tops alone are listed: what is below them is equal too.
    """
    mapping: TolerantMapping = {}
    stack = [(0, 0)] if len(key) and len(other) else []
    while stack:
        ours, theirs = stack.pop()
        mapping[ours] = theirs
        if key.hashes[ours] != other.hashes[theirs]:
            stack.extend(_pair_children(key, other, key.children(ours), other.children(theirs)))
    return mapping


def _subtree(page: Sketch, element: int) -> Hashable | None:
    says_something = page.ends[element] - element > 1 or page.own[element]
    return page.hashes[element] if says_something else None


_LEVELS: tuple[_Key, ...] = (_subtree, Sketch.identity, Sketch.kind, lambda page, element: page.tags[element])


def _pair_children(
    key: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]
) -> Iterable[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    gaps = [(0, len(ours), 0, len(theirs))]
    for level in _LEVELS:
        narrower = []
        for first, last, other_first, other_last in gaps:
            if first >= last or other_first >= other_last:
                continue
            found = ordered_pairs(
                [level(key, element) for element in ours[first:last]],
                [level(other, element) for element in theirs[other_first:other_last]],
            )
            after, other_after = first, other_first
            for a, b in found:
                pairs.append((ours[first + a], theirs[other_first + b]))
                narrower.append((after, first + a, other_after, other_first + b))
                after, other_after = first + a + 1, other_first + b + 1
            narrower.append((after, last, other_after, other_last))
        gaps = narrower
    return pairs


def ordered_pairs(keys: Sequence[Hashable | None], others: Sequence[Hashable | None]) -> list[tuple[int, int]]:
    """Return positions of equal keys, the n-th with the n-th, as many as keep the order; None equals nothing."""
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
