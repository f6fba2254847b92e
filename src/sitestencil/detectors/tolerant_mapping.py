"""The tolerant mapping keeps the order and works top-down, but a differing wrapper does not stop it.

TemEx's mapping (`sitestencil.detectors.temex.mapping`) requires two elements to be equal before it looks below
them. So one differing class on a wrapper loses all its content. Here the roots are always mapped. The children of
two mapped elements are paired in order, level by level. The first level pairs children with equal subtrees. Between
those, later levels pair children of one id, then of one kind, then of one tag.

A wrapper is an element around most of the children that another page has directly in the same place, as after a
redesign. It is removed: its children are paired instead, and it has no partner of its own.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from sitestencil.page.sketch import Sketch

# Set by hand: rows with this share in common are alike enough, and removing a wrapper must gain this much.
_ALIKE = 0.5
_GAIN = 0.2
# The most wrappers, one inside the other.
_MOST_WRAPPERS = 3


def without_wrapper(
    key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]
) -> tuple[Sequence[int], Sequence[int]]:
    """Return two rows of siblings; one row loses a wrapper if its children are more like the other row."""
    alike = best = _alike(key_sketch, other, ours, theirs)
    if alike >= _ALIKE:
        return ours, theirs
    rows = ours, theirs
    without = [(taken_off, theirs) for taken_off in _taken_off(key_sketch, ours)]
    without += [(ours, taken_off) for taken_off in _taken_off(other, theirs)]
    for pair in without:
        share = _alike(key_sketch, other, *pair)
        if share > best and share >= alike + _GAIN:
            best, rows = share, pair
    return rows


def elements_around(mapped: Iterable[int], parents: Sequence[int], partners: Mapping[int, int]) -> dict[int, int]:
    """Return the wrappers of a page, each with the partner of its nearest mapped ancestor.

    Args:
        mapped: the elements whose ancestors are checked.
        parents: the parents of all elements of the page.
        partners: the partners of all elements that have one, also in equal subtrees.
    """
    wrappers: dict[int, int] = {}
    for element in mapped:
        around, parent = [], parents[element]
        while parent >= 0 and parent not in partners and parent not in wrappers:
            around.append(parent)
            parent = parents[parent]
        if around and parent >= 0:
            partner = partners[parent] if parent in partners else wrappers[parent]
            wrappers.update(dict.fromkeys(around, partner))
    return wrappers


def _taken_off(page: Sketch, row: Sequence[int]) -> list[Sequence[int]]:
    """Return a row of siblings without its largest element, then without the largest child of that, and so on."""
    rows: list[Sequence[int]] = []
    within = row
    for _ in range(_MOST_WRAPPERS):
        largest = max(within, key=lambda element: page.ends[element] - element)
        children = page.children[largest]
        if not children or 2 * (page.ends[largest] - largest) < sum(page.ends[each] - each for each in row):
            break
        at = row.index(largest)
        row = [*row[:at], *children, *row[at + 1 :]]
        within = children
        rows.append(row)
    return rows


def _alike(key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> float:
    """Return the share that two rows have in common by name: of their elements or of all descendants, if more.

    A menu is small beside an article, so the descendants alone do not decide. Nor does a row of many paragraphs.
    """
    our_names = list(map(key_sketch.names.__getitem__, ours))
    their_names = list(map(other.names.__getitem__, theirs))
    common = set(our_names)
    if common == set(their_names):
        return 1.0
    common.intersection_update(their_names)
    rows = [(name, key_sketch.ends[element] - element) for element, name in zip(ours, our_names, strict=True)]
    rows += [(name, other.ends[element] - element) for element, name in zip(theirs, their_names, strict=True)]
    shared = [size for name, size in rows if name in common]
    return max(len(shared) / len(rows), sum(shared) / sum(size for _, size in rows))


# Up to this many children are compared one by one before they are sorted into levels.
_FEW = 8

ElementMapping = dict[int, int]
Pair = tuple[int, int]
Gap = tuple[int, int, int, int]
_Names = Sequence[Hashable | None]


def tolerant_mapping(key_sketch: Sketch, other: Sketch) -> ElementMapping:
    """Return the partner of each mapped element of the key page.

    Of equal subtrees only the tops are listed: their descendants are equal too.
    """
    mapping: ElementMapping = {}
    hashes, other_hashes = key_sketch.hashes, other.hashes
    children, other_children = key_sketch.children, other.children
    ends, other_ends = key_sketch.ends, other.ends
    pairs = [(0, 0)] if len(key_sketch) and len(other) else []
    while pairs:
        mapping.update(pairs)
        unequal = [pair for pair in pairs if hashes[pair[0]] != other_hashes[pair[1]]]
        pairs = []
        for ours, theirs in unequal:
            if ends[ours] > ours + 1 and other_ends[theirs] > theirs + 1:
                pairs += _pair_children(key_sketch, other, children[ours], other_children[theirs])
    return mapping


def _subtrees(page: Sketch, elements: Sequence[int]) -> _Names:
    """Return the hashes of elements that carry information; an empty element resembles any other."""
    hashes, ends, has_texts = page.hashes, page.ends, page.text_marks
    return [hashes[element] if has_texts[element] or ends[element] - element > 1 else None for element in elements]


def _shapes(page: Sketch, elements: Sequence[int]) -> _Names:
    """Return the kinds with the kinds of the first children, which separate bare elements."""
    kinds, children = page.kinds, page.children
    return [(kinds[element], *map(kinds.__getitem__, children[element][:_FEW])) for element in elements]


# The levels of pairing: by subtrees, ids, shapes, kinds and tags. Each takes the children that those before left.
_LEVELS: tuple[Callable[[Sketch, Sequence[int]], _Names], ...] = (
    _subtrees,
    lambda page, elements: [page.names[element] if page.ids[element] else None for element in elements],
    _shapes,
    lambda page, elements: [page.kinds[element] for element in elements],
    lambda page, elements: [page.tags[element] for element in elements],
)


def _pair_children(key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> list[Pair]:
    if len(ours) == len(theirs) and _only_one_way(key_sketch, other, ours, theirs):
        return list(zip(ours, theirs, strict=True))
    pairs: list[Pair] = []
    first, last = _equal_at_the_ends(key_sketch, other, ours, theirs)
    if first or last:
        pairs += zip(ours[:first], theirs[:first], strict=True)
        pairs += zip(ours[len(ours) - last :], theirs[len(theirs) - last :], strict=True)
        ours, theirs = ours[first : len(ours) - last], theirs[first : len(theirs) - last]
    if ours and theirs:
        ours, theirs = without_wrapper(key_sketch, other, ours, theirs)
    return pairs + _pair_by_levels(key_sketch, other, ours, theirs)


def _pair_by_levels(key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> list[Pair]:
    """Pair the children by the first level; between those pairs, by the next level; and so on."""
    pairs: list[Pair] = []
    gaps: list[Gap] = [(0, len(ours), 0, len(theirs))]
    for level in _LEVELS:
        narrower: list[Gap] = []
        for first, last, other_first, other_last in gaps:
            if first >= last or other_first >= other_last:
                continue
            if last - first == other_last - other_first == 1:
                # At any level, two single elements are paired if they share at least their tag.
                if key_sketch.tags[ours[first]] == other.tags[theirs[other_first]]:
                    pairs.append((ours[first], theirs[other_first]))
                continue
            after, other_after = first, other_first
            names = level(key_sketch, ours[first:last])
            # Without identities here, the other page's are not needed.
            if any(name is not None for name in names):
                for a, b in ordered_pairs(names, level(other, theirs[other_first:other_last])):
                    pairs.append((ours[first + a], theirs[other_first + b]))
                    narrower.append((after, first + a, other_after, other_first + b))
                    after, other_after = first + a + 1, other_first + b + 1
            narrower.append((after, last, other_after, other_last))
        gaps = narrower
        if not gaps:
            break
    return pairs


def _only_one_way(key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Return whether there is only one way to pair the children: the same kinds in order, each once."""
    if len(ours) == 1:
        return _are_single_partners(key_sketch, other, ours[0], theirs[0])
    if len(ours) > _FEW:
        return False
    kinds = list(map(key_sketch.kinds.__getitem__, ours))
    return len(set(kinds)) == len(kinds) and kinds == list(map(other.kinds.__getitem__, theirs))


def _are_single_partners(key_sketch: Sketch, other: Sketch, ours: int, theirs: int) -> bool:
    """Return whether two elements without siblings are paired at any level, as most are."""
    kind = key_sketch.kinds[ours]
    if kind != other.kinds[theirs]:
        return False
    if "." in kind:
        return True
    are_bare = not (key_sketch.ids[ours] or other.ids[theirs])
    if are_bare and key_sketch.ends[ours] == ours + 1 and other.ends[theirs] == theirs + 1:
        return True
    return key_sketch.names[ours] == other.names[theirs]


def _equal_at_the_ends(key_sketch: Sketch, other: Sketch, ours: Sequence[int], theirs: Sequence[int]) -> Pair:
    """Return how many children are equal from the start, and how many of the rest are equal from the end."""
    hashes, other_hashes = key_sketch.hashes, other.hashes
    most = min(len(ours), len(theirs))
    first = last = 0
    while first < most and hashes[ours[first]] == other_hashes[theirs[first]]:
        first += 1
    while last < most - first and hashes[ours[-1 - last]] == other_hashes[theirs[-1 - last]]:
        last += 1
    return first, last


def ordered_pairs(names: _Names, other_names: _Names) -> list[Pair]:
    """Return pairs of positions of equal names, the n-th with the n-th, in order; None equals nothing."""
    common = set(other_names)
    common.discard(None)
    if common.isdisjoint(names):
        return []
    positions: dict[Hashable, list[int]] = {}
    for position, name in enumerate(other_names):
        if name is not None:
            positions.setdefault(name, []).append(position)
    seen: dict[Hashable, int] = {}
    pairs = []
    for position, name in enumerate(names):
        if name is None or name not in positions:
            continue
        nth = seen.get(name, 0)
        if nth < len(positions[name]):
            pairs.append((position, positions[name][nth]))
            seen[name] = nth + 1
    return _longest_increasing(pairs)


def _longest_increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest list of pairs whose second members ascend (patience sorting)."""
    positions = [position for _, position in pairs]
    if positions == sorted(positions):
        return list(pairs)
    tails: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, position) in enumerate(pairs):
        pile = bisect_left(tails, position)
        if pile == len(tails):
            tails.append(position)
            tops.append(number)
        else:
            tails[pile] = position
            tops[pile] = number
        before.append(tops[pile - 1] if pile else -1)
    longest = []
    number = tops[-1] if tops else -1
    while number >= 0:
        longest.append(pairs[number])
        number = before[number]
    longest.reverse()
    return longest
