"""Which elements need a judgement of their own, and whose judgement the others take.

What is the same on all near pages is judged as one, and so is what no page has in its place: a third of the
elements is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import and_

from sitestencil.stencil.kinship import Key, Kin


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
    near = [relative.equal for relative, is_near in zip(kin.relatives, kin.near, strict=True) if is_near]
    same = list(map(all, zip(*near, strict=True)))
    known = _known(key, kin)
    judged_as: list[int] = []
    judged = []
    for element, parent in enumerate(key.sketch.parents):
        if parent >= 0 and (judged_as[parent] != parent or same[parent] or not known[parent]):
            judged_as.append(judged_as[parent])
        else:
            judged_as.append(element)
            judged.append(element)
    recurrence, on_all_near = _recurrence(key, kin)
    return Frontier(judged, judged_as, recurrence, on_all_near)


def _known(key: Key, kin: Kin) -> Sequence[int]:
    """Return per element whether any page has it: mapped, or in an equal subtree."""
    mapped = bytearray(len(key.sketch))
    for relative in kin.relatives:
        for element in relative.mapping:
            mapped[element] = 1
    return list(map(max, mapped, *(relative.equal for relative in kin.relatives)))


def _recurrence(key: Key, kin: Kin) -> tuple[list[float], list[bool]]:
    hashes = key.sketch.hashes
    found, everywhere = [0.0] * len(hashes), [True] * len(hashes)
    for relative, weight, near in zip(kin.relatives, kin.weights, kin.near, strict=True):
        there = list(map(relative.sketch.subtrees.__contains__, hashes))
        found = [total + weight if recurs else total for total, recurs in zip(found, there, strict=True)]
        if near:
            everywhere = list(map(and_, everywhere, there))
    return found, everywhere
