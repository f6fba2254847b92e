"""Evaluate boosted trees by bits: QuickScorer (Lucchese et al., SIGIR 2015), for trees of at most eight leaves.

A node answered "no" rules out the leaves to its left. Each tree has a byte with one bit per leaf. For each feature,
one look-up gives the bytes of all trees, with the leaves that a value leaves possible. The lowest bit left in a
tree's byte is the row's leaf. So a row costs a look-up per feature, not per node.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, and_, getitem
from typing import NamedTuple

import msgspec

try:
    from sitestencil.detectors.stencil import native_scorer
except ImportError:  # not built: plain Python does the same in 1.7 times the time
    native_scorer = None  # type: ignore[assignment]

MOST_LEAVES = 8
LEAF = -1
# This many rows come from long lists with similar entries, so equal rows are evaluated once.
_MANY_ROWS = 4_096


class Trees(msgspec.Struct, frozen=True):
    """Trees as columns over their nodes, each tree in preorder: the left child of a node comes next.

    Attributes:
        roots: the first node of each tree.
        feature: the feature that a node tests; `LEAF` for a leaf.
        value: the greatest value that goes left; a leaf has its part of the log-odds.
        right: the right child; 0 for a leaf.
    """

    roots: list[int]
    feature: list[int]
    value: list[float]
    right: list[int]


class _Question(NamedTuple):
    feature: int
    threshold: float
    ruled_out: int


class QuickScorer:
    """Trees, prepared for many rows.

    Args:
        trees: the trees.
        plain: use plain Python, even if the compiled modules are there.

    Raises:
        ValueError: a tree has more than eight leaves.
    """

    def __init__(self, trees: Trees, *, plain: bool = False) -> None:
        questions: list[_Question] = []
        self._leaves = [
            _by_byte(_leaves_of(trees, root, 8 * number, questions)) for number, root in enumerate(trees.roots)
        ]
        self._all = (1 << 8 * len(self._leaves)) - 1
        self._features = [
            (feature, *_masks(self._all, (question for question in questions if question.feature == feature)))
            for feature in sorted({question.feature for question in questions})
        ]
        self._native = (
            None if plain or native_scorer is None else native_scorer.NativeScorer(self._features, self._leaves)
        )

    def log_odds(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """Return, per row, the sum of its leaves; the rows are given by columns."""
        if columns and len(columns[0]) > _MANY_ROWS:
            rows = list(zip(*columns, strict=True))
            distinct = dict.fromkeys(rows)
            sum_of = dict(zip(distinct, self._sums(list(zip(*distinct, strict=True))), strict=True))
            return list(map(sum_of.__getitem__, rows))
        return self._sums(columns)

    def _sums(self, columns: Sequence[Sequence[float]]) -> list[float]:
        if self._native is not None:
            return self._native.sums(columns)
        everywhere, varying, rows = self._all, [], len(columns[0]) if columns else 0
        for feature, thresholds, masks in self._features:
            values = columns[feature]
            if len(values) != rows:
                raise ValueError("the columns differ in length")
            known = {value: masks[bisect_left(thresholds, value)] for value in set(values)}
            if len(known) == 1:
                everywhere &= known[values[0]]
            else:
                varying.append(map(known.__getitem__, values))
        left = [everywhere] * rows
        for masks_of_rows in varying:
            left = list(map(and_, left, masks_of_rows))
        size = len(self._leaves)
        # Added one by one, as in C: from Python 3.12 on, sum() rounds otherwise.
        sums = {
            bits: reduce(add, map(getitem, self._leaves, bits.to_bytes(size, "little")), 0.0) for bits in set(left)
        }
        return [sums[bits] for bits in left]


def _leaves_of(trees: Trees, root: int, shift: int, questions: list[_Question]) -> list[float]:
    """Return the values of a tree's leaves from left to right, and append its nodes' questions."""
    leaves: list[float] = []

    def walk(node: int) -> None:
        if trees.feature[node] == LEAF:
            leaves.append(trees.value[node])
            return
        first = len(leaves)
        walk(node + 1)
        left = (1 << len(leaves)) - (1 << first)
        questions.append(_Question(trees.feature[node], trees.value[node], left << shift))
        walk(trees.right[node])

    walk(root)
    if len(leaves) > MOST_LEAVES:
        raise ValueError(f"the tree at node {root} has {len(leaves)} leaves, more than {MOST_LEAVES}")
    return leaves


def _by_byte(leaves: Sequence[float]) -> list[float]:
    """Return, per byte value, the leaf of its lowest bit."""
    return [0.0] + [leaves[min((byte & -byte).bit_length(), len(leaves)) - 1] for byte in range(1, 256)]


def _masks(everything: int, questions: Iterable[_Question]) -> tuple[list[float], list[int]]:
    """Return a feature's thresholds, ascending, and the leaves left above each number of them."""
    thresholds, masks = [], [everything]
    for _, threshold, ruled_out in sorted(questions, key=lambda question: question.threshold):
        thresholds.append(threshold)
        masks.append(masks[-1] & ~ruled_out)
    return thresholds, masks
