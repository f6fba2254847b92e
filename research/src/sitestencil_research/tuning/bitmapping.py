"""The exact top-down mapping of `sitestencil.detectors.temex.mapping`, for many parameters on the same pages.

The result is a bit set: bit e is set if element e of the key page is mapped. The vote does not need the other
element.
"""

from sitestencil.detectors.temex.mapping import GROUP_SIZE, MappingParameters
from sitestencil.detectors.temex.siblings import SAME_PROBABILITY, Pair, map_siblings
from sitestencil_research.tuning.numbered import BOTH_LACK, NumberedPage, Numbering


class BitMapper:
    """Maps pages of one site under one set of parameters; each pair of sibling lists is mapped once.

    Args:
        numbering: the site's numbering.
        parameters: weights of at least 0 that sum to 1, as in `sitestencil_research.tuning.grid`.
    """

    def __init__(self, numbering: Numbering, parameters: MappingParameters) -> None:
        self._numbering = numbering
        self._parameters = parameters
        self._pairs: dict[tuple[int, int], list[Pair]] = {}
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def map(self, key_page: NumberedPage, other: NumberedPage) -> int:
        """Return, as a bit set, the key page's elements that are mapped to elements of the other page."""
        if not self._same_roots(key_page, other):
            return 0
        digits = bytearray(b"0") * key_page.size
        open_pairs = [(key_page.body, other.body)]
        lists, its_lists, known = key_page.lists, other.lists, self._pairs
        while open_pairs:
            ours, theirs = open_pairs.pop()
            digits[ours] = 49
            mine, its = lists[ours], its_lists[theirs]
            if mine and its:
                pairs = known.get((mine, its))
                if pairs is None:
                    pairs = known[mine, its] = self._map_lists(mine, its)
                if pairs:
                    children, its_children = key_page.children[ours], other.children[theirs]
                    open_pairs += [(children[i], its_children[j]) for i, j in pairs]
        digits.reverse()
        return int(digits, 2)

    def _same_roots(self, key_page: NumberedPage, other: NumberedPage) -> bool:
        if key_page.body < 0 or other.body < 0:
            return False
        ours, theirs = key_page.signatures[key_page.body], other.signatures[other.body]
        if not self._parameters.compare_roots:
            return self._numbering.compared(ours, theirs) is not None
        return self._probability(ours, theirs)[0] > self._parameters.equality.threshold

    def _map_lists(self, mine: int, its: int) -> list[Pair]:
        crowded = self._numbering.crowded
        if self._parameters.regroup and (crowded[mine] or crowded[its]):
            return self._map_groups(mine, its) if crowded[mine] and crowded[its] else []
        return self._map_siblings(mine, its)

    def _map_groups(self, mine: int, its: int) -> list[Pair]:
        ours, our_groups = self._numbering.groups(mine)
        theirs, their_groups = self._numbering.groups(its)
        pairs: list[Pair] = []
        for i, j in self._map_siblings(our_groups, their_groups):
            inside = self._map_siblings(ours[i], theirs[j])
            pairs += [(GROUP_SIZE * i + k, GROUP_SIZE * j + m) for k, m in inside]
        return pairs

    def _map_siblings(self, mine: int, its: int) -> list[Pair]:
        siblings, threshold = self._numbering.siblings, self._parameters.equality.threshold
        if mine == its:
            # A node is most probably equal to itself, so equal lists are mapped one to one.
            own, least = siblings[mine], threshold + SAME_PROBABILITY
            return [(i, i) for i, number in enumerate(own) if self._probability(number, number)[0] > least]
        return map_siblings(
            siblings[mine], siblings[its], self._probability, threshold, keep_order=self._parameters.keep_order
        )

    def _probability(self, ours: int, theirs: int) -> tuple[float, float]:
        """Return P= in the same position, and the position's part in it."""
        try:
            return self._known[ours, theirs]
        except KeyError:
            both = self._known[ours, theirs] = self._compute(ours, theirs)
            return both

    def _compute(self, ours: int, theirs: int) -> tuple[float, float]:
        compared = self._numbering.compared(ours, theirs)
        if compared is None:
            return 0.0, 0.0
        if self._numbering.same_by_id(ours, theirs):
            return 1.0, 0.0
        equality = self._parameters.equality
        classes, attributes, children = compared
        static = (
            equality.classes_weight * (equality.no_classes if classes == BOTH_LACK else classes)
            + equality.attributes_weight * (equality.no_attributes if attributes == BOTH_LACK else attributes)
            + equality.children_weight * (equality.no_children if children == BOTH_LACK else children)
        )
        return static + equality.position_weight, equality.position_weight
