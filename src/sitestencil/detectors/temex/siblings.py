"""Map two lists of siblings (thesis, Definition 3.3.1; definitions.md, 2.2).

The definition takes the most probable pair, then maps the siblings before it, and then those after it. The result
is the same if all pairs are visited from the most probable down, and each is taken that crosses no earlier one. The
pairs of two signatures differ only in position. So their probabilities differ only in the penalty on the difference
of their indices. A heap yields them penalty by penalty, without pairs that can no longer be taken. So lists that
agree, or that differ in their lengths, are mapped without visiting all their pairs.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush, merge
from typing import TypeVar

Pair = tuple[int, int]

# A node's signature, or its number.
_S = TypeVar("_S", bound=Hashable)

# Smaller differences between probabilities are rounding errors.
SAME_PROBABILITY = 1e-12


def map_siblings(
    left: Sequence[_S],
    right: Sequence[_S],
    probability: Callable[[_S, _S], tuple[float, float]],
    threshold: float,
    *,
    keep_order: bool,
    kind: Callable[[_S], Hashable] = lambda _: None,
    surely: Iterable[tuple[list[int], list[int]]] = (),
    count: Callable[[int], None] = lambda _: None,
) -> list[Pair]:
    """Map two lists of siblings.

    Args:
        left: the key page's siblings, by their signatures.
        right: the other page's siblings.
        probability: returns, for two signatures, their equality probability in the same position, and the
            position's part in it (0 if the ids are the same).
        threshold: Pt, which the probability must exceed.
        keep_order: whether mapped pairs may not cross.
        kind: returns a signature's kind; two of different kinds have the probability 0, and are not compared.
        surely: positions on both sides whose pairs have the probability 1, whatever their signatures are.
        count: is called with the number of positions and pairs to look at next.

    Returns:
        Pairs of positions. Of equally probable pairs the first in document order is taken.
    """
    taken: _AnyOrder = _InOrder(len(left), len(right)) if keep_order else _AnyOrder(len(left), len(right))
    diagonals = (min(0, len(left) - len(right)), max(0, len(left) - len(right)))
    shorter = min(len(left), len(right))
    least = threshold + SAME_PROBABILITY
    entries = [_Entry(mine, its, 1.0, 0.0, diagonals) for mine, its in surely]
    by_kind: dict[Hashable, list[tuple[_S, list[int]]]] = {}
    for theirs, others in positions(right).items():
        by_kind.setdefault(kind(theirs), []).append((theirs, others))
    for ours, places in positions(left).items():
        for theirs, others in by_kind.get(kind(ours), ()):
            most, by_position = probability(ours, theirs)
            if most > least:
                entries.append(_Entry(places, others, most, by_position / shorter, diagonals))
    heap = [(-entry.most, number) for number, entry in enumerate(entries)]
    heapify(heap)
    while heap and not taken.full:
        level = heap[0][0] + SAME_PROBABILITY
        batch: list[Iterator[Pair]] = []
        while heap and heap[0][0] <= level:
            _, number = heappop(heap)
            entry = entries[number]
            count(len(entry.positions) + len(entry.others))
            if entry.advance(taken):
                if entry.level <= level:
                    batch.append(entry.pairs(taken, entry.penalty))
                    entry.penalty += 1
                if -entry.level > least:
                    heappush(heap, (entry.level, number))
        for pair in merge(*batch):
            count(1)
            taken.offer(*pair)
    return taken.pairs


def positions(siblings: Sequence[_S]) -> dict[_S, list[int]]:
    """Return the positions of each signature."""
    found: dict[_S, list[int]] = {}
    for position, signature in enumerate(siblings):
        found.setdefault(signature, []).append(position)
    return found


class _Entry:
    """All pairs of two signatures, by increasing position penalty.

    With d = i - i', a pair's penalty is the distance of d from the range 0 ... c - c' (Definition 3.2.2).
    """

    __slots__ = ("_high", "_low", "most", "others", "penalty", "positions", "step")

    def __init__(
        self, positions: list[int], others: list[int], most: float, step: float, diagonals: tuple[int, int]
    ) -> None:
        self.positions = positions
        self.others = others
        self.most = most
        self.step = step
        self.penalty = 0
        self._low, self._high = diagonals

    @property
    def level(self) -> float:
        """The negative probability of the next pairs; the pairs may be less probable than this."""
        return self.penalty * self.step - self.most

    def advance(self, taken: "_AnyOrder") -> bool:
        """Advance to the least penalty of a pair that can still be taken; return whether there is one."""
        self.others = taken.free(self.others)
        least: int | None = None
        positions = []
        for i in self.positions:
            nearest = self._nearest(i, *taken.columns(i))
            if nearest is not None:
                positions.append(i)
                least = nearest if least is None else min(least, nearest)
        self.positions = positions
        if least is None or (not self.step and self.penalty):
            return False
        self.penalty = max(self.penalty, least) if self.step else 0
        return True

    def pairs(self, taken: "_AnyOrder", penalty: int) -> Iterator[Pair]:
        """Yield the pairs with a penalty in document order, without those that can no longer be taken by then."""
        following = list(range(1, len(self.others) + 1))  # per position on the right, one that may be free
        for i in self.positions:
            if not self.step:
                yield from self._row(i, 0, taken.columns(i)[1], taken, following)
            elif not penalty:
                yield from self._row(i, i - self._high, i - self._low + 1, taken, following)
            else:
                for j in (i - self._high - penalty, i - self._low + penalty):
                    yield from self._row(i, j, j + 1, taken, following)

    def _row(self, i: int, first: int, last: int, taken: "_AnyOrder", following: list[int]) -> Iterator[Pair]:
        others = self.others
        while True:
            begin, end = taken.columns(i)
            start = at = bisect_left(others, max(first, begin))
            while at < len(others) and others[at] in taken.right:
                at = following[at]
            while start < at:
                following[start], start = at, following[start]
            if at == len(others) or others[at] >= min(last, end):
                return
            yield i, others[at]
            first = others[at] + 1

    def _nearest(self, i: int, first: int, last: int) -> int | None:
        """Return the least penalty of a pair of position i with a position from `first` to before `last`."""
        others = self.others
        begin, end = bisect_left(others, first), bisect_left(others, last)
        if begin >= end:
            return None
        at = bisect_left(others, i - self._high, begin, end)
        penalties = []
        if at < end:
            penalties.append(max(0, others[at] - (i - self._low)))
        if at > begin:
            penalties.append(i - self._high - others[at - 1])
        return min(penalties)


class _AnyOrder:
    """The pairs taken so far; each position occurs once."""

    def __init__(self, count: int, other_count: int) -> None:
        self.pairs: list[Pair] = []
        self.left: set[int] = set()
        self.right: set[int] = set()
        self._other_count = other_count
        self._most = min(count, other_count)

    @property
    def full(self) -> bool:
        """Whether no further pair can be taken."""
        return len(self.pairs) == self._most

    def free(self, others: list[int]) -> list[int]:
        """Return the free positions on the right."""
        return [j for j in others if j not in self.right]

    def columns(self, i: int) -> tuple[int, int]:
        """Return the half-open range of positions to which a position on the left may be mapped."""
        return (0, 0) if i in self.left else (0, self._other_count)

    def offer(self, i: int, j: int) -> None:
        """Take the pair if both positions are free."""
        if i not in self.left and j not in self.right:
            self._take(i, j)

    def _take(self, i: int, j: int) -> None:
        self.pairs.append((i, j))
        self.left.add(i)
        self.right.add(j)


class _InOrder(_AnyOrder):
    """The pairs taken so far; none crosses another, and gaps lie between them."""

    def __init__(self, count: int, other_count: int) -> None:
        super().__init__(count, other_count)
        self._rows = [-1, count]
        self._columns = [-1, other_count]
        self._open_gaps = 1 if self._most else 0

    @property
    def full(self) -> bool:
        """Whether every gap between the pairs is empty on at least one side."""
        return not self._open_gaps

    def free(self, others: list[int]) -> list[int]:
        """Return all positions: mapped ones lie in no gap's columns."""
        return others

    def columns(self, i: int) -> tuple[int, int]:
        """Return the columns of the gap that holds a position on the left."""
        gap = bisect_left(self._rows, i)
        if self._rows[gap] == i:
            return 0, 0
        return self._columns[gap - 1] + 1, self._columns[gap]

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
