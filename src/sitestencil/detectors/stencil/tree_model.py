"""Trained models of boosted trees, stored as JSON: Stencil's, and the common part with that of main content."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import exp
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.quickscorer import LEAF, QuickScorer, Trees

FORMAT = 1


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
