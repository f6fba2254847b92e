"""Write Stencil's model card: its training data, and its figures on sites it has not seen."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from textwrap import fill
from typing import Any

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.tree_model import StencilModel
from sitestencil.version import VERSION
from sitestencil_research.training.stencil_examples import StencilSiteExamples
from sitestencil_research.training.stencil_training import CrossValidation, Growth

CARD = Path(__file__).with_suffix(".md")


def with_stencil_card(
    model: StencilModel,
    sites: Sequence[StencilSiteExamples],
    growth: Growth,
    validation: CrossValidation,
    command: str,
) -> StencilModel:
    """Return a trained model with its card; the card does not depend on the time or place of training."""
    from lightgbm import __version__ as lightgbm

    card: dict[str, Any] = {
        "command": command,
        "sitestencil": VERSION,
        "lightgbm": lightgbm,
        "growth": {"rounds": growth.rounds, "seeds": growth.seeds, "folds": growth.folds},
        "trees": len(model.trees.roots),
        "sites": {site.site: {"sibling_pages": len(site.siblings)} for site in sites},
        "cross_validation": validation.figures(),
        "f1": {site: round(f1, 4) for site, f1 in validation.f1.items()},
    }
    return msgspec.structs.replace(model, card=card)


def stencil_card_text(model: StencilModel, day: date) -> str:
    """Return the card as Markdown."""
    card, figures = model.card, model.card["cross_validation"]
    siblings = sum(site["sibling_pages"] for site in card["sites"].values())
    weak = sorted((f1, site) for site, f1 in card["f1"].items() if f1 < 0.95)
    return CARD.read_text("utf-8").format(
        card=card,
        figures=figures,
        day=day.isoformat(),
        sites=len(card["sites"]),
        siblings=siblings,
        features=len(FEATURES),
        weak=fill(", ".join(f"{site} {f1:.3f}" for f1, site in weak), 116, break_on_hyphens=False),
        share=1 / figures["sites"],
    )
