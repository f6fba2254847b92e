"""Write Stencil's model card: its training data, and its figures on sites it has not seen."""

from collections.abc import Sequence
from datetime import date
from textwrap import fill
from typing import Any

import msgspec

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.tree_model import StencilModel
from sitestencil.version import VERSION
from sitestencil_research.training.stencil_examples import StencilSiteExamples
from sitestencil_research.training.stencil_training import CrossValidation, Growth


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
    sites = fill(", ".join(f"{site} {f1:.3f}" for f1, site in weak), 116, break_on_hyphens=False)
    return f"""# The model of the detector `stencil`

The model gives each element of a page the probability that it is template.
`{card["command"]}` wrote it on {day.isoformat()}, with LightGBM {card["lightgbm"]}. The same sites and the
same version of this program give the same `model.json` bit for bit.

* **Data**: the key pages of {len(card["sites"])} labelled sites, and {siblings} further pages that the annotators'
  selectors fit. No feature names a site.
* **Features**: {len(FEATURES)} numbers for each judged element (`sitestencil/detectors/stencil/features.py`).
* **Model**: {card["trees"]} boosted trees of at most eight leaves, from {card["growth"]["seeds"]} seeds of
  {card["growth"]["rounds"]} rounds. The mean of their log-odds decides.
* **Cross-validation**: {card["growth"]["folds"]} parts of whole organisations, drawn anew for each seed. The
  figures are means over {figures["draws"]} draws of the compared pages.

| figure | value |
|:--|--:|
| mean F1 | {figures["mean_f1"]:.4f} |
| mean F1, worst and best draw | {figures["mean_f1_worst_draw"]:.4f}, {figures["mean_f1_best_draw"]:.4f} |
| median F1 | {figures["median_f1"]:.4f} |
| least F1 | {figures["least_f1"]:.4f} |
| sites below .95 | {figures["sites_below_0.95"]} of {figures["sites"]} |
| sites below .85 | {figures["sites_below_0.85"]} |
| pages loaded, mean | {figures["pages_loaded"]:.2f} |

F1 of the sites below .95:

```text
{sites}
```

**Limits**: sites are few, so one site can move the mean by {1 / figures["sites"]:.3f}.
"""
