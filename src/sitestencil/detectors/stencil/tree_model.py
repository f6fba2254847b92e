"""Trained models of boosted trees, stored as JSON: Stencil's, and the common part with that of main content.

They are evaluated by bits: QuickScorer (Lucchese et al., SIGIR 2015), for trees of at most eight leaves. A node
answered "no" rules out the leaves to its left. Each tree has a byte with one bit per leaf. For each feature, one
look-up gives the bytes of all trees, with the leaves that a value leaves possible. The lowest bit left in a tree's
byte is the row's leaf. So a row costs a look-up per feature, not per node.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from math import exp
from operator import add, and_, getitem, itemgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sitestencil.detectors.stencil.features import FEATURES

try:
    from sitestencil.detectors.stencil import native_scorer
except ImportError:  # not built: plain Python does the same in 1.7 times the time
    native_scorer = None  # type: ignore[assignment]

FORMAT = 1
MOST_LEAVES = 8
LEAF = -1


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


# Per number of leaves and byte, the leaf of the byte's lowest bit.
_LEAF_OF_BYTE = {
    count: [0, *(min((byte & -byte).bit_length(), count) - 1 for byte in range(1, 256))]
    for count in range(1, MOST_LEAVES + 1)
}
# A node's threshold, and the bits of the leaves that an answer above it rules out.
_Question = tuple[float, int]


class QuickScorer:
    """Trees, prepared for many rows.

    Args:
        trees: the trees.

    Raises:
        ValueError: a tree has more than eight leaves.
    """

    def __init__(self, trees: Trees) -> None:
        questions: dict[int, list[_Question]] = defaultdict(list)  # by their features
        of_trees = [_leaves_of(trees, root, 8 * number, questions) for number, root in enumerate(trees.roots)]
        self._leaves = [list(map(leaves.__getitem__, _LEAF_OF_BYTE[len(leaves)])) for leaves in of_trees]
        self._all = (1 << 8 * len(self._leaves)) - 1
        self._features = [(feature, *_masks(self._all, of_one)) for feature, of_one in sorted(questions.items())]
        self._native = native_scorer and native_scorer.NativeScorer(self._features, self._leaves)

    def log_odds(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """Return, per row, the sum of its leaves; the rows are given by columns."""
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


def _leaves_of(trees: Trees, root: int, shift: int, questions: dict[int, list[_Question]]) -> list[float]:
    """Return the values of a tree's leaves from left to right, and append its nodes' questions."""
    leaves: list[float] = []

    def walk(node: int) -> None:
        if trees.feature[node] == LEAF:
            leaves.append(trees.value[node])
            return
        first = len(leaves)
        walk(node + 1)
        left = (1 << len(leaves)) - (1 << first)
        questions[trees.feature[node]].append((trees.value[node], left << shift))
        walk(trees.right[node])

    walk(root)
    if len(leaves) > MOST_LEAVES:
        raise ValueError(f"the tree at node {root} has {len(leaves)} leaves, more than {MOST_LEAVES}")
    return leaves


def _masks(everything: int, questions: Iterable[_Question]) -> tuple[list[float], list[int]]:
    """Return a feature's thresholds, ascending, and the leaves left above each number of them."""
    thresholds, masks = [], [everything]
    for threshold, ruled_out in sorted(questions, key=itemgetter(0)):
        thresholds.append(threshold)
        masks.append(masks[-1] & ~ruled_out)
    return thresholds, masks


class TreeModel(msgspec.Struct, frozen=True, dict=True):
    """A trained classifier, as in its JSON file.

    Attributes:
        format: the file format's number.
        features: the features' names, in the order of the columns.
        trees: the classifier.
    """

    format: int
    features: list[str]
    trees: Trees

    def to_json(self) -> bytes:
        """Return the model as JSON text, with a line for each column."""
        return msgspec.json.encode(self).replace(b'],"', b'],\n"') + b"\n"

    @cached_property
    def scorer(self) -> QuickScorer:
        """The trees, prepared for many rows."""
        return QuickScorer(self.trees)

    def probabilities(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """Return the probability of each row; the rows are given by columns."""
        return [probability(log_odds) for log_odds in self.scorer.log_odds(columns)]


_Model = TypeVar("_Model", bound=TreeModel)


def decode_model(json: bytes, kind: type[_Model], features: Sequence[str]) -> _Model:
    """Read a model from its JSON text, and prepare its trees.

    Args:
        json: the text.
        kind: the class of the model.
        features: the features of this version.

    Raises:
        ValueError: it is not a model for these features.
        msgspec.DecodeError: it is not JSON, or not a model at all.
    """
    model = msgspec.json.decode(json, type=kind)
    if model.format != FORMAT:
        raise ValueError(f"its format is {model.format}, not {FORMAT}")
    if model.features != list(features):
        raise ValueError("its features are not those of this version")
    check_trees(model.trees, len(features))
    model.scorer  # noqa: B018 - raises ValueError for a tree with too many leaves
    return model


def check_trees(trees: Trees, features: int) -> None:
    """Raise ValueError if trees are damaged, or ask for more than so many features."""
    nodes = len(trees.feature)
    if not nodes == len(trees.value) == len(trees.right) or not all(0 <= root < nodes for root in trees.roots):
        raise ValueError("its columns do not fit together")
    for node, (asked, right) in enumerate(zip(trees.feature, trees.right, strict=True)):
        if asked != LEAF and not (0 <= asked < features and node + 1 < right < nodes):
            raise ValueError(f"node {node} leads nowhere")


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-log_odds)) if log_odds > -700 else 0.0


class StencilModel(TreeModel, frozen=True):
    """The trained classifier of elements: the probability that one is template.

    Attributes:
        card: the facts of the training.
    """

    card: dict[str, Any] = msgspec.field(default_factory=dict)


@lru_cache(1)
def shipped_stencil_model() -> StencilModel:
    """Return the model in this package."""
    return decode_stencil_model(Path(__file__).with_name("model.json").read_bytes())


def decode_stencil_model(json: bytes) -> StencilModel:
    """Read a model from its JSON text.

    Raises:
        ValueError: it is not a model for this version's features.
        msgspec.DecodeError: it is not JSON, or not a model at all.
    """
    return decode_model(json, StencilModel, FEATURES)
