"""How much a page is of the key page's kind, and what follows for the weight of what it says."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.stencil.key_sketch import KeySketch
from sitestencil.detectors.stencil.mapping import TolerantMapping, tolerant_mapping
from sitestencil.detectors.stencil.sketch import Sketch
from sitestencil.page.document import Document

# A page is near from this share of the nearest page's kinship on.
NEAR_FROM = 0.85
_SHARPNESS = 4
_LEAST_WEIGHT = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Relative:
    """A page compared with the key page.

    Attributes:
        sketch: the page.
        mapping: from the key page's elements to its own.
        equal: per element of the key page, 1 if it is in a subtree that is equal to its partner's.
        recurs: per element of the key page, 1 if its subtree is found anywhere on the page.
        kinship: 0 to 1: the share of the key page's class paths that are mapped to an element of the same kind.
    """

    sketch: Sketch
    mapping: TolerantMapping
    equal: bytearray
    recurs: bytes
    kinship: float


class Key:
    """The key page, prepared for comparing.

    Attributes:
        sketch: the page.
        class_paths: per element a number for the kinds on the path to it.
        paths: how many different class paths there are.
    """

    def __init__(self, document: Document) -> None:
        sketch = self.sketch = KeySketch(document)
        numbers: dict[tuple[int, str], int] = {}
        paths: list[int] = []
        for parent, kind in zip(sketch.parents, map(sketch.kinds.__getitem__, range(len(sketch))), strict=True):
            paths.append(numbers.setdefault((paths[parent] if parent >= 0 else -1, kind), len(numbers)))
        self.class_paths = paths
        self.paths = len(numbers)

    def compare(self, other: Sketch) -> Relative:
        """Map the key page to another and tell how near the other is."""
        key, mapping = self.sketch, tolerant_mapping(self.sketch, other)
        hashes, others, ends, paths = key.hashes, other.hashes, key.ends, self.class_paths
        equal = bytearray(len(key))
        found: set[int] = set()
        for element, partner in mapping.items():
            if hashes[element] == others[partner]:
                end = ends[element]
                equal[element:end] = b"\1" * (end - element)
                found.update(paths[element:end])
            elif key.kinds[element] == other.kinds[partner]:
                found.add(paths[element])
        recurs = bytes(map(other.subtrees.__contains__, hashes))
        return Relative(other, mapping, equal, recurs, len(found) / max(1, self.paths))


@dataclass(frozen=True, slots=True, eq=False)
class Kin:
    """The compared pages, the nearest first.

    Attributes:
        relatives: the pages.
        weights: what each counts; the sum is 1.
        near: whether each is of the key page's kind, judged by the nearest one.
    """

    relatives: Sequence[Relative]
    weights: Sequence[float]
    near: Sequence[bool]

    @classmethod
    def of(cls, relatives: Sequence[Relative]) -> "Kin":
        """Weigh pages by their kinship, in an order that does not depend on the order given."""
        ordered = sorted(relatives, key=lambda page: (-page.kinship, page.sketch.url))
        best = ordered[0].kinship if ordered else 0.0
        weights = [(page.kinship / max(best, 1e-6)) ** _SHARPNESS + _LEAST_WEIGHT for page in ordered]
        total = sum(weights)
        near = [page.kinship >= NEAR_FROM * best for page in ordered]
        return cls(ordered, [weight / total for weight in weights], near)
