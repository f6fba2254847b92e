"""Find a learned template's regions: the parts of its page that are all template."""

from collections.abc import Collection, Iterator
from functools import cached_property

from sitestencil.crawl.kinds import stable_paths
from sitestencil.detectors.learned_sketch import LearnedSketch
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.wrappers import elements_around
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
        return stable_paths(self.sketch)

    @cached_property
    def is_whole(self) -> list[bool]:
        """Whether all of each element is template, with its texts."""
        sketch, columns = self.sketch, self._learned.columns
        template = columns.answer.template
        whole = [
            template[number] and all(sketch.own_text_answers(element))
            for element, number in enumerate(columns.document_elements)
        ]
        for element in range(len(whole) - 1, 0, -1):
            whole[sketch.parents[element]] &= whole[element]
        return whole

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
            tag, own, kind = sketch.tags[element], sketch.ids[element], sketch.kinds[element]
            names.append(f"{tag}#{own}" if own else ".".join(kind.split()))
            element = sketch.parents[element]
        return visible(" > ".join(reversed(names)))

    def size(self, element: int) -> int:
        """Return the number of elements of a subtree."""
        return self.sketch.ends[element] - element
