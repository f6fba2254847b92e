"""The mapping of two lists of siblings (thesis, Definition 3.3.1; methods, 2.2).

The definition takes the most probable pair, then maps what stands before it with what stands before, and after
with after. That is the same as to go through all pairs from the most probable down and to take each that
crosses none taken before. The pairs of two signatures differ in their position only, and their probability only
in the penalty on the difference of their indices: so they come penalty by penalty from a heap, and lists that
agree are mapped without looking at all their pairs.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

Pair = tuple[int, int]

# A node's signature, or a number that stands for it.
_S = TypeVar("_S", bound=Hashable)

_SAME_PROBABILITY = 1e-12


def map_siblings(
    left: Sequence[_S],
    right: Sequence[_S],
    probability: Callable[[_S, _S], tuple[float, float]],
    threshold: float,
    *,
    keep_order: bool,
) -> list[Pair]:
    """Map two lists of siblings.

    Args:
        left: the key page's siblings, by their signatures.
        right: the other page's siblings.
        probability: gives for two signatures their equality probability in the same position, and how much
            of it the position decides (0 where the ids are the same).
        threshold: Pt, which the probability must exceed.
        keep_order: mapped pairs do not cross.

    Returns:
        Pairs of positions. Of equally probable pairs the first in document order is taken.
    """
    taken: _AnyOrder = _InOrder(len(left), len(right)) if keep_order else _AnyOrder(len(left), len(right))
    shorter = min(len(left), len(right))
    entries: list[_Entry] = []
    for ours, places in _places(left).items():
        for theirs, others in _places(right).items():
            most, by_position = probability(ours, theirs)
            if most > threshold:
                entries.append(_Entry(places, others, by_position / shorter))
                entries[-1].level = -most
    heap = [(entry.level, number) for number, entry in enumerate(entries)]
    heapify(heap)
    while heap and not taken.full:
        level = heap[0][0] + _SAME_PROBABILITY
        batch: list[Pair] = []
        while heap and heap[0][0] <= level:
            _, number = heappop(heap)
            entry = entries[number]
            if entry.drop_taken(taken.left, taken.right):
                batch += entry.at_penalty(len(left), len(right))
                if entry.worsen() and -entry.level > threshold:
                    heappush(heap, (entry.level, number))
        for pair in sorted(batch):
            taken.offer(*pair)
    return taken.pairs


def _places(siblings: Sequence[_S]) -> dict[_S, list[int]]:
    places: dict[_S, list[int]] = {}
    for position, signature in enumerate(siblings):
        places.setdefault(signature, []).append(position)
    return places


class _Entry:
    """All pairs of two signatures, from the least position penalty up."""

    __slots__ = ("level", "others", "penalty", "places", "step")

    def __init__(self, places: list[int], others: list[int], step: float) -> None:
        self.places = places
        self.others = others
        self.step = step
        self.penalty = 0
        self.level = 0.0

    def drop_taken(self, left: set[int], right: set[int]) -> bool:
        """Leave out positions that are mapped by now; return whether pairs remain."""
        self.places = [position for position in self.places if position not in left]
        self.others = [position for position in self.others if position not in right]
        return bool(self.places and self.others)

    def worsen(self) -> bool:
        """Go on to the next penalty; return whether there is one."""
        self.penalty += 1
        self.level += self.step
        return self.step > 0 and self.penalty <= max(self.places[-1], self.others[-1])

    def at_penalty(self, count: int, other_count: int) -> Iterator[Pair]:
        """Yield the pairs with this penalty: by Definition 3.2.2 those on one or two diagonals.

        With d = i - i' the penalty is how far d lies outside of 0 ... c - c'.
        """
        if not self.step:
            return ((i, j) for i in self.places for j in self.others)
        low, high = sorted((0, count - other_count))
        if self.penalty:
            return self._on_diagonals({low - self.penalty, high + self.penalty})
        return self._between_diagonals(low, high)

    def _on_diagonals(self, differences: set[int]) -> Iterator[Pair]:
        others = set(self.others)
        return ((i, i - d) for i in self.places for d in differences if i - d in others)

    def _between_diagonals(self, low: int, high: int) -> Iterator[Pair]:
        for i in self.places:
            first = bisect_left(self.others, i - high)
            last = bisect_right(self.others, i - low)
            for position in range(first, last):
                yield i, self.others[position]


class _AnyOrder:
    """The pairs taken so far, each position once."""

    def __init__(self, count: int, other_count: int) -> None:
        self.pairs: list[Pair] = []
        self.left: set[int] = set()
        self.right: set[int] = set()
        self._most = min(count, other_count)

    @property
    def full(self) -> bool:
        """Whether no further pair can be taken."""
        return len(self.pairs) == self._most

    def offer(self, i: int, j: int) -> None:
        """Take the pair if both positions are free."""
        if i not in self.left and j not in self.right:
            self._take(i, j)

    def _take(self, i: int, j: int) -> None:
        self.pairs.append((i, j))
        self.left.add(i)
        self.right.add(j)


class _InOrder(_AnyOrder):
    """The pairs taken so far, none crossing another; between them lie gaps."""

    def __init__(self, count: int, other_count: int) -> None:
        super().__init__(count, other_count)
        self._rows = [-1, count]
        self._columns = [-1, other_count]
        self._open_gaps = 1 if self._most else 0

    @property
    def full(self) -> bool:
        """Whether every gap between the pairs is empty on one side at least."""
        return not self._open_gaps

    def offer(self, i: int, j: int) -> None:
        """Take the pair if it lies in a gap."""
        rows, columns = self._rows, self._columns
        gap = bisect_left(rows, i)
        if rows[gap] == i or not columns[gap - 1] < j < columns[gap]:
            return
        above = i - rows[gap - 1] > 1 and j - columns[gap - 1] > 1
        below = rows[gap] - i > 1 and columns[gap] - j > 1
        self._open_gaps += above + below - 1
        rows.insert(gap, i)
        columns.insert(gap, j)
        self._take(i, j)
