"""The trained judges of blocks: boosted trees for both judgements and the learned words of names, as JSON."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from sitestencil.content.context import CONTEXT, Layout, context_columns
from sitestencil.content.features import FEATURES
from sitestencil.content.page_kind import KIND_FEATURES, KINDS, kind_features, kind_probabilities
from sitestencil.detectors.stencil.tree_model import (
    QuickScorer,
    TreeModel,
    Trees,
    check_trees,
    decode_model,
    probability,
)


class ContentModel(TreeModel, frozen=True):
    """The trained judges of blocks: the probability that one is main content.

    Attributes:
        names: the log-odds of main content for a word in names: of near elements, and of far ones.
        second: the trees of the second judgement, whose features are `CONTEXT`.
        kinds: the trees of each kind of page, whose features are `KIND_FEATURES`.
        card: the facts of the training.
    """

    names: dict[str, tuple[float, float]]
    second: Trees
    kinds: dict[str, Trees]
    card: dict[str, Any] = msgspec.field(default_factory=dict)

    @cached_property
    def second_scorer(self) -> QuickScorer:
        """The trees of the second judgement, prepared for many rows."""
        return QuickScorer(self.second)

    @cached_property
    def kind_scorers(self) -> dict[str, QuickScorer]:
        """The trees of the kinds, prepared."""
        return {kind: QuickScorer(self.kinds[kind]) for kind in KINDS}

    def kind_of(
        self, columns: Sequence[Sequence[float]], layout: Layout, statements: Sequence[float]
    ) -> list[float]:
        """Return the probability of each kind of page, from the features of its blocks and its statements."""
        return kind_probabilities(
            self.kind_scorers, kind_features(columns, layout.sizes, layout.linked, statements)
        )

    def judged_again(self, layout: Layout, first: Sequence[float], page: Sequence[float]) -> list[float]:
        """Return the second probability of each block, from the first ones; see `context_columns`."""
        columns = context_columns(layout, first, page)
        return [probability(log_odds) for log_odds in self.second_scorer.log_odds(columns)]


@lru_cache(1)
def shipped_content_model() -> ContentModel:
    """Return the model in this package."""
    model = decode_model(Path(__file__).with_name("model.json").read_bytes(), ContentModel, FEATURES)
    check_trees(model.second, len(CONTEXT))
    for kind in KINDS:
        check_trees(model.kinds[kind], len(KIND_FEATURES))
    return model
