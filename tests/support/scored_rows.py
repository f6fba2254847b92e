"""Rows by chance, scored by the compiled sums and by plain Python."""

from random import Random

import pytest

from sitestencil.content.model import shipped_content_model
from sitestencil.detectors.stencil import tree_model
from sitestencil.detectors.stencil.tree_model import QuickScorer


def is_scored_alike(rows: int) -> bool:
    """Return whether the compiled sums of so many rows are those of plain Python, bit by bit."""
    trees, random = shipped_content_model().trees, Random(rows)
    asked: dict[int, list[float]] = {feature: [] for feature in trees.feature}
    for feature, value in zip(trees.feature, trees.value, strict=True):
        asked[feature].append(value)
    columns = [
        [random.choice([*asked.get(feature, [0]), random.randrange(9), -999.0, True]) for _ in range(rows)]
        for feature in range(max(asked) + 1)
    ]
    compiled = QuickScorer(trees)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(tree_model, "native_scorer", None)
        plain = QuickScorer(trees)
    assert compiled._native is not None
    assert plain._native is None
    return compiled.log_odds(columns) == plain.log_odds(columns)
