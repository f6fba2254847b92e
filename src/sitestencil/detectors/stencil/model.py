"""The classifier: boosted decision trees, stored as JSON and evaluated here without the training library."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.tree_model import TreeModel, decode_model


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
