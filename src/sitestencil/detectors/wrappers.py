"""Wrappers: an element around most of the children that another page has directly in the same place.

A redesign, an experiment or a consent layer wraps elements on one page and not on the next. A mapping from parents
to parents would lose all its content. So such an element is removed: its children are paired instead, and it has no
partner of its own.
"""

from collections.abc import Iterable, Mapping, Sequence

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
    for taken_off in _taken_off(key_sketch, ours):
        share = _alike(key_sketch, other, taken_off, theirs)
        if share > best and share >= alike + _GAIN:
            best, rows = share, (taken_off, theirs)
    for taken_off in _taken_off(other, theirs):
        share = _alike(key_sketch, other, ours, taken_off)
        if share > best and share >= alike + _GAIN:
            best, rows = share, (ours, taken_off)
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
