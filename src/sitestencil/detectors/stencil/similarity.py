"""Measure how similar a page is to the key page, and weigh pages by it; before it is loaded, by its address."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple

from sitestencil.detectors.stencil.page_parts import Landmarks, landmarks, small_forms
from sitestencil.detectors.tolerant_mapping import ElementMapping, elements_around, tolerant_mapping
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch

# A page is similar (of the key page's kind) from this share of the best similarity on. Chosen on the 46 labelled
# sites with the other bounds of the comparison (research/docs/errors.md).
SIMILAR_FROM = 0.85
# Below this similarity no page is near, whatever the others are. Chosen on 121 labelled pages.
NEAR = 0.6
# A page's weight is this power of its similarity, so the most similar ones decide. No page outweighs all others
# together: a near copy or a translation shares content too. Chosen on 121 labelled pages (research/docs/errors.md).
_SHARPNESS = 3
_LEAST_WEIGHT = 1e-4
# Further pages are less like the key page, and together they outweigh it: with all of 40 pages F1 falls.
MOST_PAGES = 20
# Set by hand: a copy has this share of the key page's own text; two other pages are needed to know that text.
_COPIED = 0.95
_FEWEST_TO_TELL_COPIES = 3

# How a page has an element of the key page: not at all, mapped, mapped with equal own text, in an equal subtree.
ABSENT, MAPPED, SAME_TEXT, EQUAL = range(4)
_IS_PRESENT = bytes(number != ABSENT for number in range(256))
_EQUAL = bytes([EQUAL])
_IS_EQUAL = bytes(number == EQUAL for number in range(256))
DIRECTORY_PAGE = re.compile(r"(index|default)\.\w+$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_TELLING, _LONG = 4, 40  # the letters of a name to compare, and the longest length


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPage:
    """A page compared with the key page.

    Attributes:
        key_sketch: the key page.
        sketch: the page.
        mapping: the mapping from the key page's elements to the page's.
        wrappers: the key page's elements that have no partner but hold some that do; each has the partner of its
            nearest mapped ancestor.
        presence: per element of the key page, how the page has it: `ABSENT`, `MAPPED`, `SAME_TEXT` or `EQUAL`. A
            wrapper is present if its surroundings are.
        equal: per element of the key page, 1 if it is in a subtree equal to its partner's.
        found_elsewhere: per element of the key page, 1 if the page has its subtree anywhere.
        similarity: 0 to 1: the share of the key page's class paths that are mapped to an element of the same kind.
    """

    key_sketch: KeySketch
    sketch: Sketch
    mapping: ElementMapping
    wrappers: ElementMapping
    presence: bytes
    equal: bytes
    found_elsewhere: bytes
    similarity: float

    @property
    def present(self) -> bytes:
        """Per element of the key page, 1 if the page has it in its place."""
        return self.presence.translate(_IS_PRESENT)

    def has(self, element: int) -> bool:
        """Return whether the page has an element of the key page in its place, or an equal subtree anywhere."""
        return bool(self.presence[element] or self.found_elsewhere[element])


class KeyPage:
    """The key page, prepared for comparing.

    Attributes:
        sketch: the key page's sketch.
    """

    def __init__(self, sketch: KeySketch) -> None:
        self.sketch = sketch

    @cached_property
    def landmarks(self) -> Landmarks:
        """The landmarks of the key page."""
        return landmarks(self.sketch)

    @cached_property
    def forms(self) -> list[int]:
        """The forms that are a small part of the key page, and the lists of choices in no such form."""
        return small_forms(self.sketch)

    def compare(self, other: Sketch) -> ComparedPage:
        """Map the key page to another page and measure their similarity."""
        key_sketch, mapping = self.sketch, tolerant_mapping(self.sketch, other)
        hashes, other_hashes, ends, paths = key_sketch.hashes, other.hashes, key_sketch.ends, key_sketch.class_paths
        own_texts, other_texts = key_sketch.own_texts, other.own_texts
        kinds, other_kinds = key_sketch.kinds, other.kinds
        presence = bytearray(len(key_sketch))
        shared_paths: set[int] = set()
        for element, partner in mapping.items():
            if hashes[element] == other_hashes[partner]:
                end = ends[element]
                presence[element:end] = _EQUAL * (end - element)
                shared_paths.update(paths[element:end])
                continue
            if presence[element] != EQUAL:
                presence[element] = SAME_TEXT if own_texts[element] == other_texts[partner] else MAPPED
            if kinds[element] == other_kinds[partner]:
                shared_paths.add(paths[element])
        # The mapping does not list elements inside equal subtrees. So an ancestor of a listed element is listed
        # too, or is a wrapper.
        wrappers = elements_around(mapping, key_sketch.parents, mapping)
        for element in wrappers:
            if presence[element] != EQUAL:
                presence[element] = MAPPED if own_texts[element] else SAME_TEXT
        equal = presence.translate(_IS_EQUAL)
        found_elsewhere = bytes(map(other.subtrees.__contains__, hashes))
        similarity = len(shared_paths) / max(1, key_sketch.class_path_count)
        return ComparedPage(
            key_sketch, other, mapping, wrappers, bytes(presence), bytes(equal), found_elsewhere, similarity
        )


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPages:
    """The compared pages, most similar first, without copies of the key page; at most `MOST_PAGES`.

    Attributes:
        pages: the pages.
        weights: the pages' weights; the sum is 1.
        similar: whether each page is of the key page's kind, relative to the most similar page.
    """

    pages: Sequence[ComparedPage]
    weights: Sequence[float]
    similar: Sequence[bool]

    @classmethod
    def of(cls, pages: Sequence[ComparedPage]) -> "ComparedPages":
        """Weigh pages by their similarity; the result does not depend on their order."""
        pages = _without_copies(pages)
        ordered = sorted(pages, key=lambda page: (-page.similarity, page.sketch.url))[:MOST_PAGES]
        best = ordered[0].similarity if ordered else 0.0
        weights = [(page.similarity / max(best, 1e-6)) ** _SHARPNESS + _LEAST_WEIGHT for page in ordered]
        if len(weights) > 1:
            weights[0] = min(weights[0], sum(weights[1:]))
        total = sum(weights)
        similar = [page.similarity >= SIMILAR_FROM * best for page in ordered]
        return cls(ordered, [weight / total for weight in weights], similar)

    @property
    def similar_count(self) -> int:
        """The number of pages of the key page's kind."""
        return sum(self.similar)

    @property
    def is_near(self) -> bool:
        """Whether one of the pages is near the key page."""
        return bool(self.pages) and self.pages[0].similarity >= NEAR

    @property
    def near_count(self) -> int:
        """The number of pages of the key page's kind; 0 if not even the most similar page is near."""
        return self.similar_count if self.is_near else 0


def _without_copies(pages: Sequence[ComparedPage]) -> Sequence[ComparedPage]:
    """Leave out copies of the key page: pages with almost all of the text that most others lack.

    A print version, or the same article at another address, would make its content look like template.
    """
    if len(pages) < _FEWEST_TO_TELL_COPIES:
        return pages
    lengths = pages[0].key_sketch.lengths
    texts = [length for length in lengths if length]
    found = [bytes(compress(page.found_elsewhere, lengths)) for page in pages]
    counts, most_others = list(map(sum, zip(*found, strict=True))), (len(pages) - 1) / 2
    originals = []
    for page, on_page in zip(pages, found, strict=True):
        rows = zip(texts, on_page, counts, strict=True)
        rare = [(length, is_here) for length, is_here, count in rows if count - is_here <= most_others]
        total, shared = sum(length for length, _ in rare), sum(length for length, is_here in rare if is_here)
        if not 0 < _COPIED * total <= shared:
            originals.append(page)
    return originals or pages


class UrlShape(NamedTuple):
    """The shape of an address: directories, its own name, each segment's shape, and a number for their combination.

    Of the name only the first letters and the length are compared.
    """

    directories: tuple[str, ...]
    name: str
    shapes: tuple[tuple[str, str], ...]
    frame: int
    letters: str
    length: int


@lru_cache(4096)
def _segment_shape(segment: str) -> tuple[str, str]:
    """Return the shape of a segment (a number, a year or day, a short code, a name) and its extension."""
    stem, _, extension = segment.rpartition(".") if "." in segment else (segment, "", "")
    if _DIGITS.fullmatch(stem):
        return (f"date{len(stem)}" if len(stem) in {2, 4} else "number"), extension.lower()
    coded = _DIGITS.search(stem) and len(_DIGITS.sub("0", stem)) <= 3
    return ("code" if coded else "name"), extension.lower()


class UrlSimilarity:
    """Compare addresses by their shapes: the first guess whether their pages are of one kind."""

    def __init__(self) -> None:
        self._frames: dict[tuple[object, object], int] = {}
        self._between: dict[tuple[int, int], float] = {}

    def shape(self, url: str) -> UrlShape:
        """Return the shape of an address; the name of an index page is left out."""
        path = url.partition("#")[0].partition("?")[0].split("/", 3)[3:]
        segments = [segment for segment in "".join(path).split("/") if segment]
        if segments and DIRECTORY_PAGE.match(segments[-1]):
            segments.pop()
        directories, shapes = tuple(segments[:-1]), tuple(map(_segment_shape, segments))
        frame = self._frames.setdefault((directories, shapes), len(self._frames))
        name = segments[-1] if segments else ""
        return UrlShape(directories, name, shapes, frame, name[:_TELLING], min(len(name), _LONG))

    def __call__(self, key_shape: UrlShape, other: UrlShape) -> float:
        """Return 0 to 1: high for the same number of segments, like shapes and names, and the same directories."""
        _, _, shapes, frame, letters, length = key_shape
        _, _, their_shapes, their_frame, their_letters, their_length = other
        pair = frame, their_frame
        similarity = self._between.get(pair)
        if similarity is None:
            similarity = self._between[pair] = _frame_similarity(key_shape, other)
        if len(shapes) != len(their_shapes):
            below = shapes and other.directories == (*key_shape.directories, key_shape.name)
            return similarity + (0.1 if below else 0.0)
        common = _TELLING if letters == their_letters else _common(letters, their_letters)
        return similarity + 0.1 * common / _TELLING + 0.1 * (1 - abs(length - their_length) / _LONG)


def _frame_similarity(key_shape: UrlShape, other: UrlShape) -> float:
    count = len(key_shape.shapes)
    if not count or not other.shapes:
        return 0.8 if count == len(other.shapes) else 0.15
    directories = _common(key_shape.directories, other.directories)
    kind, extension = key_shape.shapes[-1]
    their_kind, their_extension = other.shapes[-1]
    if count != len(other.shapes):
        similarity = 0.05 + 0.10 * directories / max(1, count - 1)
        return similarity + (0.05 if bool(extension) == bool(their_extension) else 0.0)
    same_shapes = sum(ours == theirs for ours, theirs in zip(key_shape.shapes, other.shapes, strict=True))
    similarity = 0.30 + 0.20 * same_shapes / count + 0.30 * (directories / (count - 1) if count > 1 else 0.5)
    if (kind, extension) != (their_kind, their_extension) and (extension != their_extension or not extension):
        similarity -= 0.1
    return similarity


def _common(a: tuple[str, ...] | str, b: tuple[str, ...] | str) -> int:
    count = 0
    for ours, theirs in zip(a, b, strict=False):
        if ours != theirs:
            break
        count += 1
    return count
