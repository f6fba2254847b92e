"""``sitestencil train --detector stencil``: train Stencil's model on labelled sites."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import say
from sitestencil.cli.files import write_file
from sitestencil.cli.progress import progress_bar

if TYPE_CHECKING:
    from sitestencil_research.training.stencil_examples import StencilSiteExamples


def run(options: argparse.Namespace) -> int:
    """Grow the trees, cross-validate them, and write model and card."""
    from sitestencil_research.training.stencil_card import stencil_card_text, with_stencil_card
    from sitestencil_research.training.stencil_training import (
        Growth,
        cross_validate_stencil,
        fit_stencil,
        require_lightgbm,
    )

    require_lightgbm()
    growth = Growth(folds=options.folds or Growth().folds)
    sites = _collect(options.folders)
    validation = cross_validate_stencil(sites, growth)
    command = f"sitestencil train {' '.join(folder.name for folder in options.folders)} --detector stencil"
    command += f" --folds {options.folds}" if options.folds else ""
    model = with_stencil_card(fit_stencil(sites, growth), sites, growth, validation, command)
    write_file(options.output, model.to_json())
    if options.card is not None:
        write_file(options.card, stencil_card_text(model, datetime.now(UTC).date()))
    for name, value in validation.figures().items():
        say(f"{name:<18} {value:g}")
    say(f"{options.output}: {len(model.trees.roots)} trees from {len(sites)} sites.")
    return 0


def _collect(folders: list[Path]) -> "list[StencilSiteExamples]":
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.training.stencil_examples import stencil_site_examples

    sites = [site for folder in folders for site in labelled_sites(folder)]
    examples: list[StencilSiteExamples] = []
    with progress_bar("Sites", len(sites)) as bar:
        for site in sites:
            examples.append(stencil_site_examples(site))
            bar(len(examples))
    return examples
