"""The exact top-down mapping between two DOM trees (thesis, Definition 1.3.4, section 3.3; definitions.md, 2.2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from sitestencil.detectors.temex.siblings import Pair, map_siblings, positions
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document

ElementMapping = dict[int, int]

REGROUPED_FROM = 200
GROUP_SIZE = 20
_MOST_STEPS = 2_000_000  # of the comparison of two pages, some seconds
_STEPS_OF_PAIR = 10  # of different siblings


@dataclass(frozen=True, slots=True)
class EqualityParameters:
    """Weights and penalties of the equality probability; the defaults are the thesis' (section 5.2.3).

    Attributes:
        classes_weight: wc.
        position_weight: wp.
        attributes_weight: wa.
        children_weight: wch.
        no_classes: Pnc, the class probability if neither node has classes; the thesis gives (.75, 1).
        no_attributes: Pna, the same for attributes.
        no_children: Pnch, the same for children.
        threshold: Pt, which the probability of a mapped pair must exceed. The thesis uses one but gives no value.
            A sweep from 0 to .9 on the labelled sites kept the F1 up to .3. Above that, nodes with different
            classes are lost (definitions.md, choice 7).
    """

    classes_weight: float = 0.5
    position_weight: float = 0.2
    attributes_weight: float = 0.2
    children_weight: float = 0.1
    no_classes: float = 0.9
    no_attributes: float = 0.25
    no_children: float = 1.0
    threshold: float = 0.3


class Signature(NamedTuple):
    """The facts of a node that decide equality, besides its position (thesis, Definition 3.2.1)."""

    tag: str
    id: str
    classes: frozenset[str]
    attributes: frozenset[str]
    children: int


def signature(document: Document, element: int) -> Signature:
    """Return the node attributes of an element (thesis, Definition 3.2.1)."""
    attributes = document.attributes[element]
    return Signature(
        document.tags[element],
        attributes.get("id", ""),
        document.classes[element],
        frozenset(name for name in attributes if name not in {"class", "id"}),
        len(document.children[element]),
    )


def jaccard(ours: frozenset[str], theirs: frozenset[str], both_empty: float) -> float:
    """Return the Jaccard index of two sets: Pc and Pa of Definition 3.2.2."""
    if not ours and not theirs:
        return both_empty
    return len(ours & theirs) / len(ours | theirs)


def is_same_by_id(ours: Signature, theirs: Signature) -> bool:
    """Return whether the nodes are equal with probability 1: same tag, same id."""
    return bool(ours.id) and ours.id == theirs.id and ours.tag == theirs.tag


def equality_probability(
    ours: Signature, theirs: Signature, position: float, parameters: EqualityParameters
) -> float:
    """Return P= of two nodes (Definition 3.2.2).

    Args:
        ours: a node of one tree.
        theirs: a node of the other tree.
        position: Pp of the definition, from 0 to 1.
        parameters: weights and penalties.
    """
    if ours.tag != theirs.tag:
        return 0.0
    if is_same_by_id(ours, theirs):
        return 1.0
    children = parameters.no_children
    if ours.children or theirs.children:
        children = min(ours.children, theirs.children) / max(ours.children, theirs.children)
    return (
        parameters.classes_weight * jaccard(ours.classes, theirs.classes, parameters.no_classes)
        + parameters.attributes_weight * jaccard(ours.attributes, theirs.attributes, parameters.no_attributes)
        + parameters.children_weight * children
        + parameters.position_weight * position
    )


@dataclass(frozen=True, slots=True)
class MappingParameters:
    """The parameters of the mapping of two trees.

    Attributes:
        equality: weights, penalties and threshold of the equality probability.
        keep_order: mapped siblings may not cross ("activatePosition", thesis 5.2.3).
        regroup: 200 or more children, most with one tag, are mapped in groups of 20 (HybEx 1.2).
        compare_roots: the two bodies must be equal, as in Algorithm 3. If false, they are mapped whatever their
            classes and children are, which HybEx 1.2's recall needs (definitions.md, choice 9).
    """

    equality: EqualityParameters = EqualityParameters()
    keep_order: bool = True
    regroup: bool = False
    compare_roots: bool = True


@dataclass(slots=True)
class Mapper:
    """Maps the trees of pages; it caches the equality of signatures across siblings and pages."""

    parameters: MappingParameters
    _steps: int = 0
    _known: dict[tuple[Signature, Signature], tuple[float, float]] = field(default_factory=dict)

    def map(self, key_page: Document, other: Document) -> ElementMapping:
        """Return the mapping from the key page's elements to another page's, from ``body`` down.

        A pair is mapped only if its parents are mapped and its equality probability is above Pt. The mapping is
        empty if a page has no body or the two bodies are not equal.

        Raises:
            PageUnavailable: the pages have too many siblings that differ, or stand in other places.
        """
        self._steps = 0
        mapping: ElementMapping = {}
        open_pairs = self._roots(key_page, other)
        while open_pairs:
            ours, theirs = open_pairs.pop()
            mapping[ours] = theirs
            mine, its = key_page.children[ours], other.children[theirs]
            if mine and its:
                open_pairs += self._map_children(key_page, mine, other, its)
        return mapping

    def _roots(self, key_page: Document, other: Document) -> list[Pair]:
        if key_page.body is None or other.body is None or key_page.tags[key_page.body] != other.tags[other.body]:
            return []
        probability, _ = self._probability(signature(key_page, key_page.body), signature(other, other.body))
        equal = not self.parameters.compare_roots or probability > self.parameters.equality.threshold
        return [(key_page.body, other.body)] if equal else []

    def _map_children(
        self, key_page: Document, mine: Sequence[int], other: Document, its: Sequence[int]
    ) -> list[Pair]:
        if self.parameters.regroup and (is_crowded(key_page, mine) or is_crowded(other, its)):
            if is_crowded(key_page, mine) and is_crowded(other, its):
                return self._map_groups(key_page, mine, other, its)
            return []
        left = [signature(key_page, element) for element in mine]
        right = [signature(other, element) for element in its]
        return [(mine[i], its[j]) for i, j in self._siblings(left, right)]

    def _map_groups(
        self, key_page: Document, mine: Sequence[int], other: Document, its: Sequence[int]
    ) -> list[Pair]:
        ours, theirs = _groups(mine), _groups(its)
        pairs: list[Pair] = []
        for i, j in self._siblings([_group(g) for g in ours], [_group(g) for g in theirs]):
            pairs += self._map_children(key_page, ours[i], other, theirs[j])
        return pairs

    def _siblings(self, left: Sequence[Signature], right: Sequence[Signature]) -> list[Pair]:
        parameters = self.parameters
        # An id counts only in pairs that have it both. So pairs of all other signatures are looked at without it.
        mine, its = (positions([(one.tag, one.id) for one in each]) for each in (left, right))
        surely = [(ours, its[name]) for name, ours in mine.items() if name[1] and name in its]
        left, right = ([one._replace(id="") for one in each] for each in (left, right))
        tags, others = (Counter(one.tag for one in set(each)) for each in (left, right))
        self._count(_STEPS_OF_PAIR * sum(count * others[tag] for tag, count in tags.items()))
        return map_siblings(
            left,
            right,
            self._probability,
            parameters.equality.threshold,
            keep_order=parameters.keep_order,
            kind=attrgetter("tag"),
            surely=surely,
            count=self._count,
        )

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise PageUnavailable("Two pages have too many siblings that differ, or stand in other places.")

    def _probability(self, ours: Signature, theirs: Signature) -> tuple[float, float]:
        """Return P= in the same position, and the position's part in it."""
        known = self._known.get((ours, theirs))
        if known is None:
            equality = self.parameters.equality
            weight = 0.0 if is_same_by_id(ours, theirs) else equality.position_weight
            known = (equality_probability(ours, theirs, 1.0, equality), weight)
            self._known[ours, theirs] = known
        return known


def is_crowded(document: Document, siblings: Sequence[int]) -> bool:
    """Return whether siblings are mapped in groups: 200 or more, most with one tag."""
    if len(siblings) < REGROUPED_FROM:
        return False
    (_, count), *_ = Counter(document.tags[element] for element in siblings).most_common(1)
    return 2 * count > len(siblings)


def _groups(siblings: Sequence[int]) -> list[Sequence[int]]:
    return [siblings[start : start + GROUP_SIZE] for start in range(0, len(siblings), GROUP_SIZE)]


def _group(siblings: Sequence[int]) -> Signature:
    return Signature("", "", frozenset(), frozenset(), len(siblings))
