"""The classifier: boosted decision trees, stored as JSON and evaluated here without the training library."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import exp
from pathlib import Path
from typing import Any

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.quickscorer import LEAF, QuickScorer, Trees

FORMAT = 1


class StencilModel(msgspec.Struct, frozen=True, dict=True):
    """A trained classifier, as in its JSON file.

    Attributes:
        format: the file format's number.
        features: the features' names, in the order of the rows.
        trees: the classifier.
        card: the facts of the training.
    """

    format: int
    features: list[str]
    trees: Trees
    card: dict[str, Any] = {}

    def to_json(self) -> bytes:
        """Return the model as JSON text, with a line for each column."""
        return msgspec.json.encode(self).replace(b'],"', b'],\n"') + b"\n"

    @cached_property
    def scorer(self) -> QuickScorer:
        """The trees, prepared for many rows."""
        return QuickScorer(self.trees)

    def probabilities(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """Return, per row, the probability that its element is template; the rows are given by columns."""
        return [probability(log_odds) for log_odds in self.scorer.log_odds(columns)]


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-log_odds)) if log_odds > -700 else 0.0


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
    model = msgspec.json.decode(json, type=StencilModel)
    if model.format != FORMAT:
        raise ValueError(f"its format is {model.format}, not {FORMAT}")
    if model.features != list(FEATURES):
        raise ValueError("its features are not those of this version")
    trees = model.trees
    nodes = len(trees.feature)
    if not nodes == len(trees.value) == len(trees.right) or not all(0 <= root < nodes for root in trees.roots):
        raise ValueError("its columns do not fit together")
    for node, (asked, right) in enumerate(zip(trees.feature, trees.right, strict=True)):
        if asked != LEAF and not (0 <= asked < len(FEATURES) and node + 1 < right < nodes):
            raise ValueError(f"node {node} leads nowhere")
    model.scorer  # noqa: B018 - raises ValueError for a tree with too many leaves
    return model
