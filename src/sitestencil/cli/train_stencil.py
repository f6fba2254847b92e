"""``sitestencil train --detector stencil``: the model of the detector stencil, from labelled sites."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import say
from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.evaluation.training.stencil_examples import SiteExamples


def run(options: argparse.Namespace) -> int:
    """Grow the trees, cross-validate, and write model and card."""
    from sitestencil.evaluation.training.stencil_card import card_text, with_card
    from sitestencil.evaluation.training.stencil_training import Growth, cross_validate, fit, require_lightgbm

    require_lightgbm()
    growth = Growth(folds=options.folds or Growth().folds)
    sites = _collect(options.folders)
    validation = cross_validate(sites, growth)
    command = f"sitestencil train {' '.join(folder.name for folder in options.folders)} --detector stencil"
    command += f" --folds {options.folds}" if options.folds else ""
    model = with_card(fit(sites, growth), sites, growth, validation, command)
    try:
        options.output.write_bytes(model.to_json())
        if options.card is not None:
            options.card.write_text(card_text(model, datetime.now(UTC).date()), "utf-8")
    except OSError as error:
        raise SitestencilError(f"{error.filename} cannot be written: {error.strerror}.") from None
    for name, value in validation.figures().items():
        say(f"{name:<18} {value:g}")
    say(f"{options.output}: {len(model.trees.roots)} trees from {len(sites)} sites.")
    return 0


def _collect(folders: list[Path]) -> "list[SiteExamples]":
    from rich.console import Console
    from rich.progress import track

    from sitestencil.evaluation.labels import labelled_sites
    from sitestencil.evaluation.training.stencil_examples import site_examples

    sites = [site for folder in folders for site in labelled_sites(folder)]
    console = Console(stderr=True)
    shown = track(sites, "Sites", console=console, transient=True, disable=not sys.stderr.isatty())
    return [site_examples(site) for site in shown]
