"""Figures pooled over what belongs together: an element's subtree, its class path, its neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.stencil.key_sketch import KeySketch
from sitestencil.stencil.kinship import Key

_MOST_NEIGHBOURS, _MOST_BETWEEN = 20, 10


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over subtrees, per element of the key page.

    Attributes:
        differing: characters, weighed by how little they agree or recur; pictures count as a few.
        characters: all of them.
    """

    differing: list[float]
    characters: list[int]


def subtree_sums(page: KeySketch, texts: Sequence[float], recurrence: Sequence[float]) -> Sums:
    """Add up from the leaves to the root; ``texts`` is the agreement of each element's own text."""
    differing = [
        length * (1 - (agrees if own and agrees > recurs else recurs)) if length else 0.0
        for length, own, agrees, recurs in zip(page.lengths, page.own, texts, recurrence, strict=True)
    ]
    parents = page.parents
    for element in range(len(page) - 1, 0, -1):
        if differing[element]:
            differing[parents[element]] += differing[element]
    return Sums(differing, page.characters)


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """Per class path: how many elements, and the mean agreement of their own texts."""

    size: list[int]
    text: list[float]


def path_pools(key: Key, texts: Sequence[float]) -> Pools:
    """Return the pool of each class path."""
    size, text = [0] * key.paths, [0.0] * key.paths
    for path, agrees in zip(key.class_paths, texts, strict=True):
        size[path] += 1
        text[path] += agrees
    return Pools(size, [total / count for total, count in zip(text, size, strict=True)])


class Neighbours:
    """Tells how many siblings mostly differ on the other pages."""

    def __init__(self, page: KeySketch, sums: Sums) -> None:
        self._page = page
        self._sums = sums
        self._known: dict[int, tuple[int, int]] = {}

    def differing(self, element: int) -> tuple[int, int]:
        """Return how many siblings do, and the lesser of how many before and how many after the element."""
        found = self._known.get(element)
        if found is None:
            parent = self._page.parents[element]
            if parent < 0:
                return 0, 0
            self._count(parent)
            found = self._known[element]
        return found

    def _count(self, parent: int) -> None:
        children, differing, characters = self._page.children[parent], self._sums.differing, self._sums.characters
        if len(children) == 1:
            self._known[children[0]] = 0, 0
            return
        differ = [differing[child] > 0.5 * characters[child] > 0 for child in children]
        before, total = 0, sum(differ)
        for child, differs in zip(children, differ, strict=True):
            after = total - before - differs
            self._known[child] = min(_MOST_NEIGHBOURS, before + after), min(_MOST_BETWEEN, before, after)
            before += differs
