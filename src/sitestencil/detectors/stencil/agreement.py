"""What the compared pages say of each judged element: mapped or not, same text, equal, replaced by another."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from operator import and_, or_

from sitestencil.detectors.stencil.similarity import Key, Kin, Relative


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """The elements to judge.

    Attributes:
        judged: in document order.
        judged_as: per element, the element whose judgement it takes: itself for those judged.
        recurrence: per element, the weight of the pages that have an equal subtree anywhere.
        on_all_near: per element, whether all near pages have an equal subtree anywhere.
    """

    judged: list[int]
    judged_as: list[int]
    recurrence: list[float]
    on_all_near: list[bool]


def frontier(key: Key, kin: Kin) -> Frontier:
    """Go down from the root as far as the pages differ and any page has the place."""
    whole = _whole(key, kin)
    ends, size = key.sketch.ends, len(key.sketch)
    judged_as: list[int] = []
    judged = []
    element = 0
    while element < size:
        judged.append(element)
        end = ends[element] if whole[element] else element + 1
        judged_as += [element] * (end - element)
        element = end
    recurrence, on_all_near = _recurrence(kin)
    return Frontier(judged, judged_as, recurrence, on_all_near)


def _whole(key: Key, kin: Kin) -> bytes:
    """Return per element 1 if what is below it goes with it: equal on all near pages, or mapped on no page."""
    size = len(key.sketch)
    mapped = bytearray(size)
    for relative in kin.relatives:
        for element in relative.mapping:
            mapped[element] = 1
    # A byte for each element: as whole numbers, pages are put together at once.
    equal = [int.from_bytes(relative.equal) for relative in kin.relatives]
    same = reduce(and_, (page for page, is_near in zip(equal, kin.near, strict=True) if is_near))
    known = reduce(or_, equal, int.from_bytes(mapped))
    everywhere = int.from_bytes(b"\1" * size)
    return (same | everywhere & ~known).to_bytes(size)


def _recurrence(kin: Kin) -> tuple[list[float], list[bool]]:
    pages = list(zip(*(relative.recurs for relative in kin.relatives), strict=True))
    weights = {found: float(sum(compress(kin.weights, found))) for found in set(pages)}
    on_all = {found: all(compress(found, kin.near)) for found in weights}
    return list(map(weights.__getitem__, pages)), list(map(on_all.__getitem__, pages))


@dataclass(slots=True, eq=False)
class Group:
    """The judged children of one kind below one parent: the entries of a list are one group.

    Attributes:
        parent: the element they are in; -1 for the root.
        kind: theirs.
        members: in document order.
        siblings: how alike the pages are in their number, 0 to 1.
    """

    parent: int
    kind: str
    members: list[int] = field(default_factory=list)
    siblings: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The pages' word; columns over the key page's elements, filled for the judged ones.

    Attributes:
        mapped: weight of the pages where it is mapped.
        text: where it is mapped to an element of the same own text.
        text_least: 1 if so on all near pages.
        equal: where it is in a subtree equal to its partner's.
        replaced: 1 if a near page, which does not have it, has below its parent's partner elements of its kind that
            the key page does not have.
        groups: of the judged elements.
    """

    mapped: list[float]
    text: list[float]
    text_least: list[float]
    equal: list[float]
    replaced: list[float]
    groups: list[Group]


def hear(key: Key, kin: Kin, border: Frontier) -> Agreement:
    """Hear all pages on all judged elements."""
    size = len(key.sketch)
    mapped, text, equal, replaced = ([0.0] * size for _ in range(4))
    agreement = Agreement(mapped, text, [1.0] * size, equal, replaced, _groups(key, border.judged))
    for relative, weight, near in zip(kin.relatives, kin.weights, kin.near, strict=True):
        _hear_page(key, relative, weight, border.judged, agreement, near=near)
        _hear_of_groups(key, relative, weight, agreement, near=near)
    return agreement


def _groups(key: Key, judged: Sequence[int]) -> list[Group]:
    found: dict[tuple[int, str], Group] = {}
    parents, kinds = key.sketch.parents, key.sketch.kinds
    for element in judged:
        name = parents[element], kinds[element]
        group = found.get(name)
        if group is None:
            group = found[name] = Group(*name)
        group.members.append(element)
    return list(found.values())


def _hear_page(
    key: Key, relative: Relative, weight: float, judged: Sequence[int], agreement: Agreement, *, near: bool
) -> None:
    mapped, text, text_least, equal = agreement.mapped, agreement.text, agreement.text_least, agreement.equal
    own, other_own = key.sketch.own, relative.sketch.own
    partners, equals = relative.mapping, relative.equal
    for element in judged:
        if equals[element]:
            mapped[element] += weight
            text[element] += weight
            equal[element] += weight
            continue
        partner = partners.get(element)
        if partner is not None:
            mapped[element] += weight
            if own[element] == other_own[partner]:
                text[element] += weight
                continue
        if near:
            text_least[element] = 0.0


def _hear_of_groups(key: Key, relative: Relative, weight: float, agreement: Agreement, *, near: bool) -> None:
    other, partners, equals = relative.sketch, relative.mapping, relative.equal
    subtrees, known = other.subtrees, key.sketch.subtrees
    hash_of = other.hashes.__getitem__
    for group in agreement.groups:
        parent = group.parent
        if parent < 0 or equals[parent]:
            group.siblings += weight
            continue
        above = partners.get(parent)
        if above is None:
            continue
        theirs = other.children_by_kind[above].get(group.kind, ())
        ours, count = len(group.members), len(theirs)
        group.siblings += weight if ours == count else weight * min(count, ours) / max(count, ours)
        if near and not known.issuperset(map(hash_of, theirs)):
            for element in group.members:
                if not equals[element] and key.sketch.hashes[element] not in subtrees:
                    agreement.replaced[element] = 1.0
