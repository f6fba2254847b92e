"""Sum up the compared pages' evidence on each judged element: mapped, same text, equal or replaced."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from operator import add, and_, or_

from sitestencil.detectors.stencil.similarity import EQUAL, MAPPED, SAME_TEXT, ComparedPage, ComparedPages, KeyPage


@dataclass(frozen=True, slots=True, eq=False)
class JudgedElements:
    """The elements to judge.

    Attributes:
        elements: the judged elements, in document order.
        judged_as: per element, the judged element whose judgement it takes; a judged element has itself.
        found_elsewhere: per element, the weight of the pages that have an equal subtree anywhere.
        on_similar: per element, the share of the similar pages that have an equal subtree anywhere.
        on_others: the same share of the other pages; -1 if there are none.
    """

    elements: list[int]
    judged_as: list[int]
    found_elsewhere: list[float]
    on_similar: list[float]
    on_others: list[float]


def find_judged_elements(prepared: KeyPage, compared: ComparedPages) -> JudgedElements:
    """Descend from the root as long as the pages differ and any page has a mapped element there."""
    whole = _whole(prepared, compared)
    ends, size = prepared.sketch.ends, len(prepared.sketch)
    judged_as: list[int] = []
    judged = []
    element = 0
    while element < size:
        judged.append(element)
        end = ends[element] if whole[element] else element + 1
        judged_as += [element] * (end - element)
        element = end
    return JudgedElements(judged, judged_as, *_found_elsewhere(compared))


def _whole(prepared: KeyPage, compared: ComparedPages) -> bytes:
    """Return 1 per element if its descendants share its judgement: equal on all similar pages, or on no page."""
    size = len(prepared.sketch)
    # One byte per element: whole numbers combine all elements at once.
    mapped = bytearray(reduce(or_, map(int.from_bytes, (page.present for page in compared.pages))).to_bytes(size))
    _mark_around_recurring(prepared, compared, mapped)
    _mark_around([*believed_landmarks(prepared, compared), *prepared.forms], prepared, mapped)
    equal = [int.from_bytes(page.equal) for page in compared.pages]
    same = reduce(and_, compress(equal, compared.similar))
    everywhere = int.from_bytes(b"\1" * size)
    return (same | everywhere & ~int.from_bytes(mapped)).to_bytes(size)


def believed_landmarks(prepared: KeyPage, compared: ComparedPages) -> list[int]:
    """Return the landmarks that are frame by themselves: sidebars only if no page is near to tell."""
    regions, sidebars = prepared.landmarks
    return regions if compared.is_near else regions + sidebars


def _mark_around(tops: Sequence[int], prepared: KeyPage, mapped: bytearray) -> None:
    """Mark the ancestors of these elements, so that each is judged alone."""
    parents = prepared.sketch.parents
    for top in tops:
        mapped[top] = 1
        parent = parents[top]
        while parent > 0 and not mapped[parent]:
            mapped[parent] = 1
            parent = parents[parent]


def _mark_around_recurring(prepared: KeyPage, compared: ComparedPages, mapped: bytearray) -> None:
    """Mark the ancestors of subtrees that a page has in another place, so that each subtree is judged alone."""
    sketch, size = prepared.sketch, len(prepared.sketch)
    somewhere = reduce(or_, (int.from_bytes(page.found_elsewhere) for page in compared.pages))
    anywhere, parents, lengths = somewhere.to_bytes(size), sketch.parents, sketch.lengths
    recurring = (somewhere & ~int.from_bytes(mapped)).to_bytes(size)
    for element in compress(range(size - 1, 0, -1), reversed(recurring)):
        if not mapped[element] and lengths[element]:
            parent = parents[element]
            while parent > 0 and not mapped[parent] and not anywhere[parent]:
                mapped[parent] = 1
                parent = parents[parent]


def _found_elsewhere(compared: ComparedPages) -> tuple[list[float], list[float], list[float]]:
    pages = list(zip(*(page.found_elsewhere for page in compared.pages), strict=True))
    similar, others = compared.similar, [not is_similar for is_similar in compared.similar]
    weights = {on: float(sum(compress(compared.weights, on))) for on in set(pages)}
    on_similar = {on: sum(compress(on, similar)) / sum(similar) for on in weights}
    on_others = {on: sum(compress(on, others)) / sum(others) if any(others) else -1.0 for on in weights}
    return (
        list(map(weights.__getitem__, pages)),
        list(map(on_similar.__getitem__, pages)),
        list(map(on_others.__getitem__, pages)),
    )


@dataclass(slots=True, eq=False)
class SiblingGroup:
    """The judged children of one kind below one parent: the entries of a list form one group.

    Empty elements form a group of their own: scripts leave them at a page's end, beside its real parts.

    Attributes:
        parent: the parent element; -1 for the root.
        kind: the members' kind.
        are_empty: whether the members are empty.
        members: the elements, in document order.
        siblings: how similar the pages are in the number of members, 0 to 1.
    """

    parent: int
    kind: str
    are_empty: bool
    members: list[int] = field(default_factory=list)
    siblings: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The evidence of all pages, summed up; columns over the key page's elements.

    Attributes:
        mapped: the weight of the pages where the element is mapped.
        same_text: the weight of the pages where its partner has the same own text.
        same_text_similar: the share of the similar pages where its partner has the same own text.
        equal: the weight of the pages where it lies in a subtree equal to its partner's.
        replaced: the share of the similar pages that lack the element, but have others of its kind below the same
            parent, which the key page lacks.
        groups: the groups of the judged elements.
    """

    mapped: list[float]
    same_text: list[float]
    same_text_similar: list[float]
    equal: list[float]
    replaced: list[float]
    groups: list[SiblingGroup]


def collect_agreement(prepared: KeyPage, compared: ComparedPages, judged: JudgedElements) -> Agreement:
    """Sum up the evidence of all compared pages on all judged elements."""
    replaced = [0.0] * len(prepared.sketch)
    agreement = Agreement(*_sums_over_pages(compared), replaced, _groups(prepared, judged.elements))
    for page, weight, is_similar in zip(compared.pages, compared.weights, compared.similar, strict=True):
        share = 1 / compared.similar_count if is_similar else 0.0
        _add_page_to_groups(prepared, page, weight, agreement, share)
    return agreement


def _groups(prepared: KeyPage, judged: Sequence[int]) -> list[SiblingGroup]:
    groups: dict[tuple[int, str, bool], SiblingGroup] = {}
    parents, kinds, is_empty = prepared.sketch.parents, prepared.sketch.kinds, prepared.sketch.is_empty
    for element in judged:
        name = parents[element], kinds[element], is_empty[element]
        group = groups.get(name)
        if group is None:
            group = groups[name] = SiblingGroup(*name)
        group.members.append(element)
    return list(groups.values())


def _sums_over_pages(compared: ComparedPages) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return the agreement's first four columns; few combinations of presences occur, so each is summed once."""
    presences = list(zip(*(page.presence for page in compared.pages), strict=True))
    weights, count = compared.weights, compared.similar_count
    shares = [is_similar / count for is_similar in compared.similar]
    combinations = set(presences)

    def column(least: int, values: Sequence[float]) -> list[float]:
        sums = {}
        for on in combinations:
            counting = compress(values, [how >= least for how in on])
            sums[on] = reduce(add, counting, 0.0)
        return list(map(sums.__getitem__, presences))

    return column(MAPPED, weights), column(SAME_TEXT, weights), column(SAME_TEXT, shares), column(EQUAL, weights)


def _add_page_to_groups(
    prepared: KeyPage, page: ComparedPage, weight: float, agreement: Agreement, share_of_similar: float
) -> None:
    other, equals, mapping, wrappers = page.sketch, page.equal, page.mapping, page.wrappers
    found_elsewhere, known = page.found_elsewhere, prepared.sketch.subtrees
    hash_of, other_parents, children_of_kind = other.hashes.__getitem__, other.parents, other.children_of_kind
    is_empty = other.is_empty
    for group in agreement.groups:
        parent, members = group.parent, group.members
        if parent < 0 or equals[parent] or members[0] in wrappers:
            group.siblings += weight
            continue
        partner = mapping.get(members[0]) or next(filter(None, map(mapping.get, members)), None)
        # The elements like the group's may have one wrapper more or less on the other page.
        above = mapping.get(parent, wrappers.get(parent)) if partner is None else other_parents[partner]
        if above is None:
            continue
        theirs = children_of_kind(above, group.kind)
        if len(theirs) != 1 or is_empty[theirs[0]] != group.are_empty:
            theirs = [child for child in theirs if is_empty[child] == group.are_empty]
        ours, count = len(members), len(theirs)
        group.siblings += weight if ours == count else weight * min(count, ours) / max(count, ours)
        if not share_of_similar:
            continue
        # Elements that the other page has nowhere are replaced if others stand in their place.
        lacking = [element for element in members if not found_elsewhere[element]]
        if lacking and not known.issuperset(map(hash_of, theirs)):
            for element in lacking:
                agreement.replaced[element] += share_of_similar
