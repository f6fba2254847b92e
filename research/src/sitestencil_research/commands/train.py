"""``sitestencil train``: train the model of PageLevel, of Stencil, or of main content."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil.cli.files import check_is_free, write_file
from sitestencil.cli.options import add_force_option, add_jobs_option
from sitestencil.cli.progress import progress_bar
from sitestencil.errors import WrongUsage

if TYPE_CHECKING:
    from sitestencil_research.training.pagelevel_examples import PageLevelSiteExamples, Render, TrainingParameters


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders",
        type=Path,
        nargs="+",
        metavar="DIR",
        help="a folder of sites, each a folder of HTML pages; for main-content, sets of pages with gold texts, "
        "and labelled sites",
    )
    parser.add_argument(
        "--detector",
        choices=("pagelevel", "stencil", "main-content"),
        default="pagelevel",
        help="the model to train (default: pagelevel). stencil needs labelled sites (site.json); main-content "
        "tells main content from the rest, and needs gold texts. Both take -o, --card and --folds",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        default=Path("model.json"),
        help="write the model here (default: model.json)",
    )
    add_force_option(parser)
    parser.add_argument("--card", type=Path, metavar="FILE", help="write the model card here, as Markdown")
    parser.add_argument(
        "--theta",
        type=float,
        default=0.1,
        help="least fraction of a site's pages that have a template part (default: 0.1)",
    )
    parser.add_argument("--pages", type=int, default=20, help="pages per site to learn from (default: 20)")
    parser.add_argument(
        "--folds",
        type=int,
        help="folds of the cross-validation by whole sites (default: 10, or one per site if there "
        "are fewer; 0: none)",
    )
    parser.add_argument(
        "--render",
        action="store_true",
        help="render stored sites' pages in Chromium, and train a second model for the browser's geometry (needs "
        "selenium, chromium and chromedriver)",
    )
    add_jobs_option(parser)


def _run(options: argparse.Namespace) -> int:
    check_is_free(options.output, options.card, force=options.force)
    if options.detector == "stencil":
        from sitestencil_research.commands import train_stencil

        return train_stencil.run(options)
    if options.detector == "main-content":
        from sitestencil_research.commands import train_content

        return train_content.run(options)
    return _train_page_level(options)


def _train_page_level(options: argparse.Namespace) -> int:
    from sitestencil.detectors.sitelevel.counting import SiteLevelParameters
    from sitestencil_research.training.pagelevel_card import pagelevel_card_text, with_pagelevel_card
    from sitestencil_research.training.pagelevel_examples import TrainingParameters
    from sitestencil_research.training.pagelevel_training import fit_pagelevel, require_scikit_learn

    if not 0 < options.theta <= 1 or options.pages < 1 or (options.folds or 0) < 0:
        raise WrongUsage("--theta must be above 0 and at most 1, --pages at least 1, --folds at least 0.")
    require_scikit_learn()
    parameters = TrainingParameters(SiteLevelParameters(theta=options.theta), options.pages)
    sites = _collect(options.folders, parameters, options.jobs, render=options.render)
    folds = options.folds if options.folds is not None else min(10, len(sites)) if len(sites) > 1 else 0
    command = f"sitestencil train {' '.join(folder.name for folder in options.folders)} --theta {options.theta}"
    command += f" --pages {options.pages} --folds {folds}{' --render' if options.render else ''}"
    model = with_pagelevel_card(fit_pagelevel(sites, parameters), sites, parameters, folds, command)
    write_file(options.output, model.to_json())
    if options.card is not None:
        write_file(options.card, pagelevel_card_text(model))
    elements = sum(band.elements for band in (*model.source, *model.browser))
    say(f"{options.output}: trained on {elements} elements of {len(sites)} sites.")
    return 0


def _collect(
    folders: list[Path], parameters: "TrainingParameters", processes: int | None, *, render: bool
) -> "list[PageLevelSiteExamples]":
    from sitestencil_research.running import results_in_order
    from sitestencil_research.training.pagelevel_examples import pagelevel_site_examples, site_folders

    sites = site_folders(folders)
    renderer: Render | None = None
    if render:
        from sitestencil_research.benchmark.rendering import rendered_boxes

        renderer = rendered_boxes
    tasks = [(site, parameters, renderer) for site in sites]
    with progress_bar("Sites", len(sites)) as bar:
        return results_in_order(pagelevel_site_examples, tasks, processes, bar)


TRAIN = Command(
    name="train",
    group="research",
    help="train a detector on sites",
    description="""\
Train the classifier of the detector `pagelevel`. The sites need no labels: SiteLevel takes parts that recur on many
pages of a site for its template. The classifier learns to find such elements from one page alone. The same sites
give the same model, bit for bit. Needs scikit-learn: pipx install --force ".[train]".""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil train sites -o model.json --card model.md
  sitestencil train sites --render
  sitestencil train sites more-sites --theta 0.2 --folds 5
  sitestencil train labelled-sites --detector stencil -o model.json --card model.md
  sitestencil train gold-texts --detector main-content -o model.json --card main-content-model.md""",
)
