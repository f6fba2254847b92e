"""Rebuild the sketch of a learned template's key page."""

from collections.abc import Sequence
from functools import cached_property

from sitestencil.detectors.learned_columns import LearnedColumns
from sitestencil.page.sketch import Sketch


class LearnedSketch(Sketch):
    """The sketch of a key page, built from a learned template's columns."""

    def __init__(self, columns: LearnedColumns) -> None:
        self._columns = columns
        self.url = columns.url
        self.tags = columns.tags
        self.parents = columns.parents
        self.kinds = columns.kinds
        self.hashes = columns.hashes
        self.text_marks = columns.text_counts
        self.document_elements = columns.document_elements
        self.ids = [columns.ids.get(element) for element in range(len(columns.tags))]
        self.ends = ends_of(columns.parents)
        self.connect()

    @cached_property
    def elements_by_path(self) -> dict[int, dict[str, list[int]]]:
        """The elements below the root by the class path of their parent, and by their own kind."""
        paths, parents, kinds = self.class_paths, self.parents, self.kinds
        by_path: dict[int, dict[str, list[int]]] = {}
        for element in range(1, len(self)):
            by_path.setdefault(paths[parents[element]], {}).setdefault(kinds[element], []).append(element)
        return by_path

    @cached_property
    def first_of_hash(self) -> dict[bytes, int]:
        """The first element of each subtree hash."""
        first: dict[bytes, int] = {}
        for element, digest in enumerate(self.hashes):
            first.setdefault(digest, element)
        return first

    @cached_property
    def _first_texts(self) -> list[int]:
        first = [0]
        for count in self._columns.text_counts:
            first.append(first[-1] + count)
        return first

    def own_text_answers(self, element: int) -> list[bool]:
        """Return for each own text of an element whether it is template."""
        texts = self._columns.own_texts[self._first_texts[element] : self._first_texts[element + 1]]
        return [self._columns.answer.template_texts[text] for text in texts]


def ends_of(parents: Sequence[int]) -> list[int]:
    """Return one past each element's subtree, from the elements' parents."""
    ends = list(range(1, len(parents) + 1))
    for element in range(len(parents) - 1, 0, -1):
        ends[parents[element]] = max(ends[parents[element]], ends[element])
    return ends
