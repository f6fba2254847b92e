"""How similar a page is to the key page, and what follows for the weight of what it says."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.tolerant_mapping import ElementMapping, tolerant_mapping
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch

# A page is similar, that is of the key page's kind, from this share of the most similar page's similarity on.
# Chosen on the 46 labelled sites with the other bounds of the comparison (docs/errors.md).
SIMILAR_FROM = 0.85
# A page counts by this power of its similarity, so that the most similar ones decide. Chosen on the same sites.
_SHARPNESS = 4
_LEAST_WEIGHT = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPage:
    """A page that has been compared with the key page.

    Attributes:
        sketch: the page.
        mapping: from the key page's elements to its own.
        equal: per element of the key page, 1 if it is in a subtree that is equal to its partner's.
        found_elsewhere: per element of the key page, 1 if its subtree is found anywhere on the page.
        similarity: 0 to 1: the share of the key page's class paths that are mapped to an element of the same kind.
    """

    sketch: Sketch
    mapping: ElementMapping
    equal: bytearray
    found_elsewhere: bytes
    similarity: float


class KeyPage:
    """The key page, prepared for comparing.

    Attributes:
        sketch: what is compared of it.
    """

    def __init__(self, document: Document) -> None:
        self.sketch = KeySketch(document)

    def compare(self, other: Sketch) -> ComparedPage:
        """Map the key page to another page and tell how similar that one is."""
        key_sketch, mapping = self.sketch, tolerant_mapping(self.sketch, other)
        hashes, other_hashes, ends, paths = key_sketch.hashes, other.hashes, key_sketch.ends, key_sketch.class_paths
        equal = bytearray(len(key_sketch))
        shared_paths: set[int] = set()
        for element, partner in mapping.items():
            if hashes[element] == other_hashes[partner]:
                end = ends[element]
                equal[element:end] = b"\1" * (end - element)
                shared_paths.update(paths[element:end])
            elif key_sketch.kinds[element] == other.kinds[partner]:
                shared_paths.add(paths[element])
        found_elsewhere = bytes(map(other.subtrees.__contains__, hashes))
        similarity = len(shared_paths) / max(1, key_sketch.class_path_count)
        return ComparedPage(other, mapping, equal, found_elsewhere, similarity)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPages:
    """The compared pages, the most similar first.

    Attributes:
        pages: the pages.
        weights: what each counts; the sum is 1.
        similar: whether each is of the key page's kind, judged by the most similar one.
    """

    pages: Sequence[ComparedPage]
    weights: Sequence[float]
    similar: Sequence[bool]

    @classmethod
    def of(cls, pages: Sequence[ComparedPage]) -> "ComparedPages":
        """Weigh pages by their similarity, in an order that does not depend on the order given."""
        ordered = sorted(pages, key=lambda page: (-page.similarity, page.sketch.url))
        best = ordered[0].similarity if ordered else 0.0
        weights = [(page.similarity / max(best, 1e-6)) ** _SHARPNESS + _LEAST_WEIGHT for page in ordered]
        total = sum(weights)
        similar = [page.similarity >= SIMILAR_FROM * best for page in ordered]
        return cls(ordered, [weight / total for weight in weights], similar)

    @property
    def similar_count(self) -> int:
        """How many pages of the key page's kind there are."""
        return sum(self.similar)
