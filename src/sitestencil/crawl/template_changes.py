"""Tell how a site's templates changed between two crawls: regions added, removed, moved, and texts changed.

Each kind of page is compared with the earlier kind of most common paths, element by element. The learned pages
differ. So a change counts only if all learned pages of the kind agree, and if no other kind of the site had the
region.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sitestencil.crawl.kinds import SAME_KIND_FROM, similarity
from sitestencil.crawl.learning import Group
from sitestencil.crawl.regions import Regions
from sitestencil.detectors.learned_sketch import LearnedSketch
from sitestencil.detectors.tolerant_mapping import tolerant_mapping


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


def template_changes(earlier: Sequence[Group], later: Sequence[Group]) -> list[Change]:
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
