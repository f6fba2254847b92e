"""Write PageLevel's model card: its training data, and its figures on sites it has not seen."""

from collections.abc import Sequence
from statistics import mean
from textwrap import fill
from typing import Any

import msgspec

from sitestencil.detectors.pagelevel.model import Model
from sitestencil.errors import TooFewSites
from sitestencil.version import VERSION
from sitestencil_research.training.pagelevel_examples import Example, PageLevelSiteExamples, TrainingParameters
from sitestencil_research.training.pagelevel_training import fit_pagelevel

AGREEMENT_FIGURES = ("precision", "recall", "f1", "accuracy")


def with_pagelevel_card(
    model: Model, sites: Sequence[PageLevelSiteExamples], parameters: TrainingParameters, folds: int, command: str
) -> Model:
    """Return a trained model with its card.

    Args:
        model: the model.
        sites: the training sites.
        parameters: the training parameters.
        folds: the number of folds of the cross-validation; 0 for none.
        command: the command that makes it.

    Raises:
        TooFewSites: there are fewer sites than folds, or a fold's sites are all of one class.
    """
    from sklearn import __version__ as scikit_learn

    card: dict[str, Any] = {
        "command": command,
        "sitestencil": VERSION,
        "scikit_learn": scikit_learn,
        "labels": {"by": "SiteLevel", **msgspec.to_builtins(parameters.site_level)},
        "pages_per_site": parameters.pages_per_site,
        "elements_per_site": parameters.elements_per_site,
        "strength": parameters.strength,
        "sites": {site.site: {"pages": site.pages, "elements": len(site.source)} for site in sites},
    }
    if folds:
        card["cross_validation"] = {"folds": folds, **cross_validate_pagelevel(sites, parameters, folds)}
    return msgspec.structs.replace(model, card=card)


def cross_validate_pagelevel(
    sites: Sequence[PageLevelSiteExamples], parameters: TrainingParameters, folds: int
) -> dict[str, dict[str, float]]:
    """Return how well models agree with SiteLevel on sites outside their training data, as means over the sites.

    The sites go to the folds in turn. The scores are the classifier's alone, without smoothing. There are figures
    for each geometry: ``source`` and, if pages were rendered, ``browser``.

    Raises:
        TooFewSites: there are fewer sites than folds, or only one fold.
    """
    if not 2 <= folds <= len(sites):
        raise TooFewSites(f"{len(sites)} sites cannot be divided into {folds} folds; give --folds 0 for none.")
    figures: dict[str, list[dict[str, float]]] = {"source": [], "browser": []}
    for fold in range(folds):
        model = fit_pagelevel([site for number, site in enumerate(sites) if number % folds != fold], parameters)
        for site in sites[fold::folds]:
            if site.source:
                figures["source"].append(agreement(model, site.source, rendered=False))
            if site.browser:
                figures["browser"].append(agreement(model, site.browser, rendered=True))
    return {
        geometry: {name: round(mean(figure[name] for figure in of_sites), 4) for name in AGREEMENT_FIGURES}
        for geometry, of_sites in figures.items()
        if of_sites
    }


def agreement(model: Model, examples: Sequence[Example], *, rendered: bool) -> dict[str, float]:
    """Return precision, recall, F1 and accuracy of the classifier against SiteLevel's labels."""
    features, areas = [example.features for example in examples], [example.area for example in examples]
    answers = [score >= 0.5 for score in model.scores(features, areas, rendered=rendered)]
    right = sum(is_called and example.template for is_called, example in zip(answers, examples, strict=True))
    called, template = sum(answers), sum(example.template for example in examples)
    same = sum(is_called == example.template for is_called, example in zip(answers, examples, strict=True))
    return {
        "precision": right / called if called else 0.0,
        "recall": right / template if template else 0.0,
        "f1": 2 * right / (called + template) if right else 0.0,
        "accuracy": same / len(examples),
    }


def pagelevel_card_text(model: Model) -> str:
    """Return a model's card as Markdown."""
    card, labels, bands = model.card, model.card.get("labels", {}), model.source
    sites = card.get("sites", {})
    geometry = ", also where the browser gives it."
    if model.browser:
        elements = sum(band.elements for band in model.browser)
        geometry = "; other regressions for the browser's, learned from "
        geometry += f"{elements} rendered elements. `model.json` has their weights."
    held_out = ""
    if figures := card.get("cross_validation"):
        held_out = "\n* **Held out**, before smoothing, against SiteLevel's labels "
        held_out += f"({figures['folds']} folds of sites):"
        for source in (source for source in ("source", "browser") if source in figures):
            values = ", ".join(f"{name} {figures[source][name]:.3f}" for name in AGREEMENT_FIGURES)
            held_out += f"\n  * geometry from the {source}: {values}"
    rows = "\n".join(
        f"| {name} | " + " | ".join(f"{band.weights[number]:+.2f}" for band in bands) + " |"
        for number, name in enumerate(model.features)
    )
    return f"""# Model card: page-level template classifier

The model gives each element of one page the probability that it is template.
`{card.get("command")}` wrote it, with Sitestencil {card.get("sitestencil")} and scikit-learn \
{card.get("scikit_learn")}.

* **Training data**: {sum(band.elements for band in bands)} elements of {len(sites)} sites, at most \
{card.get("pages_per_site")} pages and {card.get("elements_per_site")} elements each. Sites weigh alike.
* **Labels**: no human's, but SiteLevel's with theta {labels.get("theta")} and {labels.get("covered")} of \
covered HTML.
* **Geometry**: estimated from the source{geometry}
* **Limits**: it takes parts that recur on few pages for content. It sees no tags, ids or classes.{held_out}

## Weights, geometry from the source

For one deviation of the feature; a positive weight speaks for template. The columns are ranges of areas.

| feature | {" | ".join(f"from {band.area_from:,.0f} px²" for band in bands)} |
|---|{"---:|" * len(bands)}
{rows}
| *elements* | {" | ".join(str(band.elements) for band in bands)} |
| *share of template* | {" | ".join(f"{band.template:.2f}" for band in bands)} |

## Sites

```text
{fill(", ".join(sites), 116, break_on_hyphens=False)}
```
"""
