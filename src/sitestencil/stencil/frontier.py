"""Which elements need a judgement of their own, and whose judgement the others take.

What is the same on all near pages, or on none of the pages in any part, is judged as one: about two fifths of
the elements are left.
"""

from dataclasses import dataclass
from itertools import accumulate

from sitestencil.stencil.kinship import Key, Kin

NOT_COMPARED = -1
_FOREIGN_BELOW = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """The elements to judge.

    Attributes:
        judged: in document order.
        judged_as: per element, the element whose judgement it takes: itself for those judged; `NOT_COMPARED`.
        recurrence: per element, the weight of the pages that have an equal subtree anywhere.
    """

    judged: list[int]
    judged_as: list[int]
    recurrence: list[float]


def frontier(key: Key, kin: Kin) -> Frontier:
    """Go down from the root as far as the pages differ."""
    page, parents = key.sketch, key.sketch.parents
    recurrence = _recurrence(key, kin)
    foreign = _Foreign(key, kin, recurrence)
    near = [relative for relative, is_near in zip(kin.relatives, kin.near, strict=True) if is_near]
    judged_as = [NOT_COMPARED] * len(page)
    judged = []
    for element in key.elements:
        parent = parents[element]
        if parent >= 0 and (
            judged_as[parent] != parent
            or all(relative.equal[parent] for relative in near)
            or foreign.is_foreign(parent)
        ):
            judged_as[element] = judged_as[parent]
        else:
            judged_as[element] = element
            judged.append(element)
    return Frontier(judged, judged_as, recurrence)


def _recurrence(key: Key, kin: Kin) -> list[float]:
    weighed = [(relative.sketch.count, weight) for relative, weight in zip(kin.relatives, kin.weights, strict=True)]
    found = [0.0] * len(key.sketch)
    for element in key.elements:
        subtree = key.sketch.hashes[element]
        total = 0.0
        for count, weight in weighed:
            if subtree in count:
                total += weight
        found[element] = total
    return found


class _Foreign:
    """Tells the elements that no page has in any mapping and whose texts and leaves hardly recur."""

    def __init__(self, key: Key, kin: Kin, recurrence: list[float]) -> None:
        page = key.sketch
        self._ends = page.ends
        self._relatives = kin.relatives
        compared = set(key.elements)
        telling = [
            element in compared and bool(page.own[element] or page.ends[element] == element + 1)
            for element in range(len(page))
        ]
        self._count = list(accumulate(telling, initial=0))
        found = (value if tells else 0.0 for value, tells in zip(recurrence, telling, strict=True))
        self._sum = list(accumulate(found, initial=0.0))

    def is_foreign(self, element: int) -> bool:
        if any(element in relative.mapping or relative.equal[element] for relative in self._relatives):
            return False
        first, end = element + 1, self._ends[element]
        count = self._count[end] - self._count[first]
        return self._sum[end] - self._sum[first] < _FOREIGN_BELOW * max(1, count)
