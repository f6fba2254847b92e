"""Write PageLevel's model card: its training data, and its figures on sites it has not seen."""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from textwrap import fill
from typing import Any

import msgspec

from sitestencil.detectors.pagelevel.model import Model
from sitestencil.errors import UnusableInput
from sitestencil.version import VERSION
from sitestencil_research.training.pagelevel_examples import Example, PageLevelSiteExamples, TrainingParameters
from sitestencil_research.training.pagelevel_training import fit_pagelevel

CARD = Path(__file__).with_suffix(".md")
AGREEMENT_FIGURES = ("precision", "recall", "f1", "accuracy")


def with_pagelevel_card(
    model: Model, sites: Sequence[PageLevelSiteExamples], parameters: TrainingParameters, folds: int, command: str
) -> Model:
    """Return a trained model with its card; with 0 folds it has no cross-validation.

    Raises:
        UnusableInput: there are fewer sites than folds, or a fold's sites are all of one class.
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
        UnusableInput: there are fewer sites than folds, or only one fold.
    """
    if not 2 <= folds <= len(sites):
        raise UnusableInput(f"{len(sites)} sites cannot be divided into {folds} folds; give --folds 0 for none.")
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
    card, bands = model.card, model.source
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
    return CARD.read_text("utf-8").format(
        card=card,
        labels=card["labels"],
        elements=sum(band.elements for band in bands),
        sites=len(card["sites"]),
        geometry=geometry,
        held_out=held_out,
        areas=" | ".join(f"from {band.area_from:,.0f} px²" for band in bands),
        line="---:|" * len(bands),
        rows=rows,
        counts=" | ".join(str(band.elements) for band in bands),
        shares=" | ".join(f"{band.template:.2f}" for band in bands),
        names=fill(", ".join(card["sites"]), 116, break_on_hyphens=False),
    )
