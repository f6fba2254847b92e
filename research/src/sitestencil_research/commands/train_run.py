"""What ``sitestencil train`` does: fit a model to examples, cross-validate it, and write it with its card."""

import argparse
from collections.abc import Callable
from datetime import UTC, datetime

from sitestencil.cli.command import say
from sitestencil.cli.files import write_file
from sitestencil.cli.progress import progress_bar
from sitestencil.detectors.sitelevel.detector import SiteLevelParameters
from sitestencil.errors import SitestencilError, WrongUsage
from sitestencil_research.benchmark.rendering import rendered_boxes
from sitestencil_research.gold_texts.sets import gold_sets
from sitestencil_research.labels import labelled_sites
from sitestencil_research.running import results_in_order
from sitestencil_research.training.content_card import (
    confidence_lines,
    content_card_text,
    mean_f1,
    with_content_card,
)
from sitestencil_research.training.content_examples import content_examples, labelled_examples
from sitestencil_research.training.content_training import ContentGrowth, cross_validate_content, fit_content
from sitestencil_research.training.pagelevel_card import pagelevel_card_text, with_pagelevel_card
from sitestencil_research.training.pagelevel_examples import (
    TrainingParameters,
    pagelevel_site_examples,
    site_folders,
)
from sitestencil_research.training.pagelevel_training import fit_pagelevel
from sitestencil_research.training.stencil_card import stencil_card_text, with_stencil_card
from sitestencil_research.training.stencil_examples import StencilSiteExamples, stencil_site_examples
from sitestencil_research.training.stencil_training import (
    Growth,
    cross_validate_stencil,
    fit_stencil,
)

_CURVE = (0.25, 0.5)


def _train_page_level(options: argparse.Namespace) -> int:
    if not 0 < options.theta <= 1 or options.pages < 1 or (options.folds or 0) < 0:
        raise WrongUsage("--theta must be above 0 and at most 1, --pages at least 1, --folds at least 0.")
    parameters = TrainingParameters(SiteLevelParameters(theta=options.theta), options.pages)
    renderer = rendered_boxes if options.render else None
    tasks = [(site, parameters, renderer) for site in site_folders(options.folders)]
    with progress_bar("Sites", len(tasks)) as bar:
        sites = results_in_order(pagelevel_site_examples, tasks, options.jobs, bar)
    folds = options.folds if options.folds is not None else min(10, len(sites)) if len(sites) > 1 else 0
    given = f"--theta {options.theta} --pages {options.pages} --folds {folds}"
    command = _command(options, f"{given}{' --render' if options.render else ''}")
    model = with_pagelevel_card(fit_pagelevel(sites, parameters), sites, parameters, folds, command)
    _write(options, model.to_json(), lambda: pagelevel_card_text(model))
    elements = sum(band.elements for band in (*model.source, *model.browser))
    say(f"{options.output}: trained on {elements} elements of {len(sites)} sites.")
    return 0


def _train_stencil(options: argparse.Namespace) -> int:
    growth = Growth(folds=options.folds or Growth().folds)
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    sites: list[StencilSiteExamples] = []
    with progress_bar("Sites", len(folders)) as bar:
        for folder in folders:
            sites.append(stencil_site_examples(folder))
            bar(len(sites))
    validation = cross_validate_stencil(sites, growth)
    command = _command(options, _detector_and_folds(options))
    model = with_stencil_card(fit_stencil(sites, growth), sites, growth, validation, command)
    _write(options, model.to_json(), lambda: stencil_card_text(model, datetime.now(UTC).date()))
    for name, value in validation.figures().items():
        say(f"{name:<18} {value:g}")
    say(f"{options.output}: {len(model.trees.roots)} trees from {len(sites)} sites.")
    return 0


def _train_main_content(options: argparse.Namespace) -> int:
    growth = ContentGrowth(folds=options.folds or ContentGrowth().folds)
    sites = [file.parent for folder in options.folders for file in sorted(folder.glob("*/site.json"))]
    of_sites = {site.parent for site in sites}
    sets = {
        name: pages
        for folder in options.folders
        if folder not in of_sites
        for name, pages in gold_sets(folder).items()
    }
    if not sets:
        raise SitestencilError(
            "Main content is learned from gold texts: give a folder of them beside the labelled sites."
        )
    with progress_bar("Pages", sum(map(len, sets.values()))) as bar:
        examples = content_examples(sets, options.jobs, bar)
    with progress_bar("Sites", len(sites)) as bar:
        examples += labelled_examples(sites, options.jobs, bar)
    with progress_bar("Folds", growth.folds) as bar:
        scores = list(cross_validate_content(examples, growth, done=bar))
    curve = {}
    for share in _CURVE:
        with progress_bar(f"Folds, {share:.0%} of the hosts", growth.folds) as bar:
            curve[share] = mean_f1(list(cross_validate_content(examples, growth, share=share, done=bar)))
    curve[1.0] = mean_f1(scores)
    command = _command(options, _detector_and_folds(options))
    model = with_content_card(fit_content(examples, growth), examples, growth, scores, curve, command)
    _write(options, model.to_json(), lambda: content_card_text(model, datetime.now(UTC).date()))
    for name, ways in model.card["cross_validation"].items():
        for way, figures in ways.items():
            say(f"{name}, {way}: F1 {figures['f1']:.3f} on {figures['pages']} pages")
    for line in confidence_lines(scores):
        say(line)
    say(f"{options.output}: {len(model.trees.roots)} trees from {len(examples)} pages.")
    return 0


def _command(options: argparse.Namespace, given: str) -> str:
    return f"sitestencil train {' '.join(folder.name for folder in options.folders)} {given}"


def _detector_and_folds(options: argparse.Namespace) -> str:
    return f"--detector {options.detector}" + (f" --folds {options.folds}" if options.folds else "")


def _write(options: argparse.Namespace, model: bytes, card: Callable[[], str]) -> None:
    write_file(options.output, model)
    if options.card is not None:
        write_file(options.card, card())


RUNS: dict[str, Callable[[argparse.Namespace], int]] = {
    "pagelevel": _train_page_level,
    "stencil": _train_stencil,
    "main-content": _train_main_content,
}
