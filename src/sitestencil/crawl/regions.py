"""The kinds of a site's pages, their regions, which are all template, and how these changed between two crawls.

Each kind of page is compared with the earlier kind of most common paths, element by element. The learned pages
differ. So a change counts only if all learned pages of the kind agree, and if no other kind of the site had the
region.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SAME_KIND_FROM, KindPaths, path_steps, similarity, whole_elements
from sitestencil.detectors.learned_columns import LearnedSketch
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.tolerant_mapping import elements_around, tolerant_mapping
from sitestencil.printable import visible

_SHOWN = frozenset("img video iframe picture audio object embed input button select textarea".split())
_MOST_NAMES = 8  # in a path, from the region upwards


class Regions:
    """The regions of a learned template.

    Args:
        learned: the template.
        stands_on: per element of its sketch, a bit for each page it was learned from that has the element.
        of_kind: the number of these pages that are of its kind; they come first.

    Attributes:
        sketch: the sketch of its key page.
    """

    def __init__(self, learned: LearnedTemplate, stands_on: bytes, of_kind: int) -> None:
        self._learned = learned
        self._stands_on = stands_on
        self._all_of_kind = (1 << of_kind) - 1
        self.sketch: LearnedSketch = learned.sketch

    @cached_property
    def paths(self) -> frozenset[int]:
        """The paths of tags and classes, as hashes that are stable between pages."""
        return frozenset(path for _, path in path_steps(self.sketch))

    @cached_property
    def is_whole(self) -> list[bool]:
        """Whether all of each element is template, with its texts."""
        return whole_elements(self._learned)

    @cached_property
    def is_seen(self) -> list[bool]:
        """Whether each element shows anything: a text, a picture or a field."""
        sketch = self.sketch
        seen = [bool(mark) or tag in _SHOWN for mark, tag in zip(sketch.text_marks, sketch.tags, strict=True)]
        for element in range(len(seen) - 1, 0, -1):
            seen[sketch.parents[element]] |= seen[element]
        return seen

    @cached_property
    def hashes(self) -> frozenset[bytes]:
        """The hashes of all regions and their parts."""
        return frozenset(digest for digest, whole in zip(self.sketch.hashes, self.is_whole, strict=True) if whole)

    def tops(self, partners: Collection[int] = ()) -> Iterator[int]:
        """Yield the topmost elements of regions, or of their parts, outside some elements and those around them."""
        parents, whole = self.sketch.parents, self.is_whole
        known = {element: element for element in partners}
        known |= elements_around(known, parents, known)
        for element in range(1, len(whole)):
            is_part = whole[element] and self.is_seen[element] and element not in known
            if is_part and (parents[element] in known or not whole[parents[element]]):
                yield element

    def pages(self, element: int) -> list[int]:
        """Return the numbers of the pages that have an element, of those the template was learned from."""
        return [page for page in range(8) if self._stands_on[element] >> page & 1]

    def is_everywhere(self, element: int) -> bool:
        """Return whether all pages of the kind have an element, of those the template was learned from."""
        return self._stands_on[element] & self._all_of_kind == self._all_of_kind

    def path(self, element: int) -> str:
        """Return the tags, ids and classes from the body to an element; the last eight."""
        sketch, names = self.sketch, list[str]()
        while element > 0 and len(names) < _MOST_NAMES:
            tag, element_id, kind = sketch.tags[element], sketch.ids[element], sketch.kinds[element]
            names.append(f"{tag}#{element_id}" if element_id else ".".join(kind.split()))
            element = sketch.parents[element]
        return visible(" > ".join(reversed(names)))

    def size(self, element: int) -> int:
        """Return the number of elements of a subtree."""
        return self.sketch.ends[element] - element


@dataclass(frozen=True)
class PageKind:
    """A kind of page of a site, and its template.

    Attributes:
        id: the site and a number.
        learned: the learned template.
        pages: the addresses of the pages it was learned from: the key page, others of its kind, then the rest.
        of_kind: the number of the key page and the others of its kind.
        stands_on: per element of the learned sketch, a bit for each of these pages that has it.
        confidence: the expected F1; None if unknown.
        key_page: the page that the template marks; None for a template of an earlier crawl.
        known: the row of the earlier crawl.
    """

    id: str
    learned: LearnedTemplate
    pages: tuple[str, ...]
    of_kind: int
    stands_on: bytes
    confidence: float | None
    key_page: CrawlPage | None
    known: Mapping[str, Any] | None = None

    @property
    def site_pages(self) -> int:
        """The number of the site's pages in the earlier crawl; 0 without one."""
        return int(self.known["site_pages"]) if self.known is not None else 0

    @property
    def regions(self) -> Regions:
        """The parts of the key page that are all template."""
        return Regions(self.learned, self.stands_on, self.of_kind)

    @cached_property
    def paths(self) -> KindPaths:
        """The paths that tell its pages."""
        return KindPaths(self.learned)


class _Found(NamedTuple):
    change: Literal["region added", "region removed", "region moved", "text changed"]
    region: str
    before: str | None
    elements: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a site's template.

    Attributes:
        change: what happened.
        region: the path to the region: tags, ids and classes.
        before: the path where it was, if it moved.
        elements: the number of its elements.
        kinds: the ids of the kinds of pages with the change.
    """

    change: str
    region: str
    before: str | None
    elements: int
    kinds: tuple[str, ...]


def template_changes(earlier: Sequence[PageKind], later: Sequence[PageKind]) -> list[Change]:
    """Return how a site's templates changed; kinds of pages that only one crawl has do not count."""
    before, after = ({group.id: group.regions for group in groups} for groups in (earlier, later))
    known = frozenset[bytes]().union(*(one.hashes for one in before.values()))
    still = frozenset[bytes]().union(*(one.hashes for one in after.values()))
    found: dict[_Found, list[str]] = {}
    for name, regions in after.items():
        old = max(before, key=lambda other: similarity(before[other].paths, regions.paths), default=None)
        if old is None or similarity(before[old].paths, regions.paths) < SAME_KIND_FROM:
            continue
        for change in _compared(before[old], regions, known, still):
            found.setdefault(change, []).append(old if change.change == "region removed" else name)
    return [Change(*change, tuple(dict.fromkeys(names))) for change, names in found.items()]


def _compared(
    before: Regions, after: Regions, known: frozenset[bytes], still: frozenset[bytes]
) -> Iterator[_Found]:
    old, new = before.sketch, after.sketch
    if old.hashes[:1] == new.hashes[:1]:
        return
    partners = _partners(old, new)
    gone: dict[bytes, list[int]] = {}
    for element in filter(before.is_everywhere, before.tops(partners)):
        gone.setdefault(old.hashes[element], []).append(element)
    for element in filter(after.is_everywhere, after.tops(partners.values())):
        digest, path, size = new.hashes[element], after.path(element), after.size(element)
        if gone.get(digest):
            yield _Found("region moved", path, before.path(gone[digest].pop(0)), size)
        elif digest not in known:
            yield _Found("region added", path, None, size)
    for digest, elements in gone.items():
        if digest not in still:
            for element in elements:
                yield _Found("region removed", before.path(element), None, before.size(element))
    for element, partner in sorted(partners.items()):
        is_new = old.hashes[element] != new.hashes[partner] not in known
        if is_new and _is_text(before, element) and _is_text(after, partner):
            yield _Found("text changed", after.path(partner), None, 1)


def _is_text(regions: Regions, element: int) -> bool:
    """Return whether an element without children is template with its text, on all pages of its kind."""
    is_leaf = regions.size(element) == 1 and regions.is_whole[element] and bool(regions.sketch.text_marks[element])
    return is_leaf and regions.is_everywhere(element)


def _partners(before: LearnedSketch, after: LearnedSketch) -> dict[int, int]:
    """Return the later partner of each earlier element, also within equal subtrees."""
    partners: dict[int, int] = {}
    for element, partner in tolerant_mapping(before, after).items():
        same = before.hashes[element] == after.hashes[partner]
        size = min(before.ends[element] - element, after.ends[partner] - partner) if same else 1
        partners.update(zip(range(element, element + size), range(partner, partner + size), strict=True))
    return partners
