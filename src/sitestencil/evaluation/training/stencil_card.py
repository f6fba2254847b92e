"""Write Stencil's model card: its training data, and its figures on sites it has not seen."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.model import StencilModel
from sitestencil.evaluation.training.stencil_examples import StencilSiteExamples
from sitestencil.evaluation.training.stencil_training import CrossValidation, Growth
from sitestencil.version import VERSION


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
    rows = "\n".join(f"| {site} | {f1:.3f} |" for f1, site in weak)
    return f"""# The model of the detector `stencil`

Written by `{card["command"]}` on {day.isoformat()}, with LightGBM {card["lightgbm"]}. The command gives the same
`model.json` bit for bit on the same sites.

* **Data**: the key pages of {len(card["sites"])} labelled sites, and {siblings} further pages of them that the
  annotators' selectors fit. The sites' names only label the tables; no feature holds one.
* **Features**: {len(FEATURES)} numbers for each judged element (`sitestencil/detectors/stencil/features.py`): the
  evidence of the compared pages, the same pooled over its list and its class path, and facts of the page alone.
* **Model**: {card["trees"]} boosted trees of at most eight leaves, from {card["growth"]["seeds"]} seeds of
  {card["growth"]["rounds"]} rounds; the mean of their log-odds decides.
* **Cross-validation**: {card["growth"]["folds"]} parts by whole organisations (sites of one host together), drawn
  anew for each seed; each site is judged by trees that have seen no page of its part. The choice of the compared
  pages is partly random; the figures are means over {figures["draws"]} draws of them.

| figure | value |
|:--|--:|
| mean F1 | {figures["mean_f1"]:.4f} |
| mean F1 of the worst and the best draw | {figures["mean_f1_worst_draw"]:.4f}, {figures["mean_f1_best_draw"]:.4f} |
| median F1 | {figures["median_f1"]:.4f} |
| least F1 | {figures["least_f1"]:.4f} |
| sites below .95 | {figures["sites_below_0.95"]} of {figures["sites"]} |
| sites below .85 | {figures["sites_below_0.85"]} |
| pages loaded, mean | {figures["pages_loaded"]:.2f} |

Sites below .95:

| site | F1 |
|:--|--:|
{rows}

**Limits**: few sites, so one site more or less below .85 moves the mean by a hundredth or two, and so do the
seeds. If no page can be compared, the detector answers from the page alone, by the model of `pagelevel`.
"""
