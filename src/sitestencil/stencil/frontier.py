"""Which elements need a judgement of their own, and whose judgement the others take.

What is the same on all near pages is judged as one, and so is what no page has in its place: a third of the
elements is left.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import compress
from operator import and_, or_

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
