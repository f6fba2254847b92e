"""``sitestencil train``: train the model of PageLevel, of Stencil, or of main content."""

import argparse
from pathlib import Path

from sitestencil.cli.command import Command
from sitestencil.cli.files import check_is_free
from sitestencil.cli.options import add_force_option
from sitestencil_research.commands.options import add_jobs_option


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
    from sitestencil_research.commands import train_run
    from sitestencil_research.training import require_packages

    require_packages()
    return train_run.RUNS[options.detector](options)


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
