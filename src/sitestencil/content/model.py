"""The trained classifier of blocks: boosted trees and the learned words of names, stored as JSON."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from sitestencil.content.feature_names import FEATURES
from sitestencil.detectors.stencil.tree_model import TreeModel, decode_model


class ContentModel(TreeModel, frozen=True):
    """The trained classifier of blocks: the probability that one is main content.

    Attributes:
        names: the log-odds of main content for a word in names: of near elements, and of far ones.
        card: the facts of the training.
    """

    names: dict[str, tuple[float, float]]
    card: dict[str, Any] = msgspec.field(default_factory=dict)


@lru_cache(1)
def shipped_content_model() -> ContentModel:
    """Return the model in this package."""
    return decode_model(Path(__file__).with_name("model.json").read_bytes(), ContentModel, FEATURES)
