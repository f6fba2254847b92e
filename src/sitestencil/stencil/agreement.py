"""What the compared pages say of each judged element: mapped or not, same text, same kind, replaced by another."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.stencil.frontier import Frontier
from sitestencil.stencil.kinship import Key, Kin, Relative


@dataclass(slots=True, eq=False)
class Agreement:
    """The pages' word on one element: shares of their weight, and extremes over the near pages.

    Attributes:
        text: where it is mapped to an element of the same own text.
        text_least: 1 if so on all near pages.
        text_most: 1 if so on any page.
        mapped: where it is mapped.
        mapped_least: 1 if so on all near pages.
        kind: where it is mapped to an element of its kind.
        equal: where it is in a subtree equal to its partner's.
        equal_least: 1 if so on all near pages.
        recurs_least: 1 if all near pages have an equal subtree anywhere.
        size: the smaller of its and its partner's subtree as a share of the larger.
        absent: pages where it is not mapped.
        siblings: how alike the numbers of siblings of its kind are.
        replaced: where, below its parent's partner, stand elements of its kind that the key page does not have.
        replaced_near: 1 if so on a near page.
    """

    text: float = 0.0
    text_least: float = 1.0
    text_most: float = 0.0
    mapped: float = 0.0
    mapped_least: float = 1.0
    kind: float = 0.0
    equal: float = 0.0
    equal_least: float = 1.0
    recurs_least: float = 1.0
    size: float = 0.0
    absent: int = 0
    siblings: float = 0.0
    replaced: float = 0.0
    replaced_near: float = 0.0


Group = tuple[int, str]


def groups(key: Key, judged: Sequence[int]) -> dict[Group, list[int]]:
    """Return the judged elements by parent and kind: the entries of a list are one group."""
    found: dict[Group, list[int]] = {}
    for element in judged:
        found.setdefault((key.sketch.parents[element], key.sketch.kind(element)), []).append(element)
    return found


def agreements(key: Key, kin: Kin, border: Frontier, grouped: dict[Group, list[int]]) -> dict[int, Agreement]:
    """Hear all pages on all judged elements."""
    found = {element: Agreement() for element in border.judged}
    for relative, weight, near in zip(kin.relatives, kin.weights, kin.near, strict=True):
        _Hearing(key, relative, weight, near=near).hear(border.judged, grouped, found)
    return found


class _Hearing:
    """One page's word on the judged elements."""

    def __init__(self, key: Key, relative: Relative, weight: float, *, near: bool) -> None:
        self._key = key.sketch
        self._relative = relative
        self._other = relative.sketch
        self._weight = weight
        self._near = near
        self._kinds_below: dict[int, tuple[dict[str, int], set[str]]] = {}

    def hear(self, judged: Sequence[int], grouped: dict[Group, list[int]], found: dict[int, Agreement]) -> None:
        mapping, equal, parents = self._relative.mapping, self._relative.equal, self._key.parents
        for element in judged:
            agreement = found[element]
            if equal[element]:
                self._agree(agreement)
                continue
            partner = mapping.get(element)
            if partner is not None:
                self._compare(element, partner, agreement)
            else:
                self._miss(agreement)
            parent = parents[element]
            recurs = self._key.hashes[element] in self._other.count
            if self._near and not recurs:
                agreement.recurs_least = 0.0
            above = mapping.get(parent) if parent >= 0 else None
            if above is not None:
                size = len(grouped[parent, self._key.kind(element)])
                self._look_for_others(element, above, size, agreement, recurs=recurs)

    def _agree(self, agreement: Agreement) -> None:
        weight = self._weight
        agreement.text += weight
        agreement.mapped += weight
        agreement.kind += weight
        agreement.equal += weight
        agreement.size += weight
        agreement.siblings += weight
        agreement.text_most = 1.0

    def _compare(self, element: int, partner: int, agreement: Agreement) -> None:
        key, other, weight = self._key, self._other, self._weight
        agreement.mapped += weight
        if key.own[element] == other.own[partner]:
            agreement.text += weight
            agreement.text_most = 1.0
        elif self._near:
            agreement.text_least = 0.0
        if key.kind(element) == other.kind(partner):
            agreement.kind += weight
        ours, theirs = key.ends[element] - element, other.ends[partner] - partner
        agreement.size += weight * min(ours, theirs) / max(ours, theirs)
        if self._near:
            agreement.equal_least = 0.0

    def _miss(self, agreement: Agreement) -> None:
        agreement.absent += 1
        if self._near:
            agreement.text_least = agreement.mapped_least = agreement.equal_least = 0.0

    def _look_for_others(
        self, element: int, above: int, group_size: int, agreement: Agreement, *, recurs: bool
    ) -> None:
        kind = self._key.kind(element)
        counts, fresh = self._below(above)
        count = counts.get(kind, 0)
        agreement.siblings += self._weight * min(count, group_size) / max(count, group_size)
        if not recurs and kind in fresh:
            agreement.replaced += self._weight
            if self._near:
                agreement.replaced_near = 1.0

    def _below(self, element: int) -> tuple[dict[str, int], set[str]]:
        """Return how many children of each kind, and the kinds of those that the key page does not have."""
        found = self._kinds_below.get(element)
        if found is None:
            counts: dict[str, int] = {}
            fresh: set[str] = set()
            for child in self._other.children(element):
                kind = self._other.kind(child)
                counts[kind] = counts.get(kind, 0) + 1
                if self._other.hashes[child] not in self._key.count:
                    fresh.add(kind)
            found = self._kinds_below[element] = counts, fresh
        return found
