"""``sitestencil benchmark``: measure detectors, and other programs, on labelled sites."""

import argparse
from pathlib import Path

from sitestencil.cli.command import Command
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil.errors import WrongUsage
from sitestencil_research.commands.options import add_jobs_option, add_json_option
from sitestencil_research.gold_texts import FORMS


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders", type=Path, nargs="*", metavar="DIR", help="a folder of labelled sites, or one labelled site"
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="DIR",
        help="instead, compare the text of the content with gold texts: a public set, or a folder of sets. "
        "Each page is measured with the other pages of its host, and alone",
    )
    parser.add_argument(
        "--detector",
        metavar="NAMES",
        default=DEFAULT_DETECTOR,
        help=f"all, or a comma-separated list of {', '.join(DETECTORS)} (default: {DEFAULT_DETECTOR})",
    )
    parser.add_argument("--peers", action="store_true", help="compare with other programs too (extra: peers)")
    parser.add_argument(
        "--held-out",
        action="store_true",
        help="add stencil with models trained on the other sites of DIR, so that no model has seen the "
        "organisation of the site it judges (extra: train; takes a minute)",
    )
    parser.add_argument(
        "--perturbed",
        action="store_true",
        help="instead, measure how far detectors' answers move under changes that keep the labels, such as a "
        "wrapper, a dead link or another host. Home pages and inner pages have separate figures",
    )
    add_json_option(parser)
    parser.add_argument("--markdown", action="store_true", help="print the summary as a Markdown table")
    add_jobs_option(parser)


def _run(options: argparse.Namespace) -> int:
    """Measure texts, or templates."""
    if options.texts is not None:
        from sitestencil_research.commands.gold_texts import run_texts

        return run_texts(options)
    if not options.folders:
        raise WrongUsage("Give a folder of labelled sites, or --texts with a folder of gold texts.")
    from sitestencil_research.commands.benchmark_run import run_on_sites

    return run_on_sites(options)


BENCHMARK = Command(
    name="benchmark",
    group="research",
    help="measure detectors on labelled sites",
    description="""\
Run detectors on every labelled site in a folder. Print precision, recall and F1 of the template's elements, the
pages loaded, and the time. One detector: a line per site, with mean and median. Several detectors: a line per
detector with confidence intervals.""",
    configure=_configure,
    run=_run,
    epilog=f"""\
examples:
  sitestencil benchmark ../shared/benchmark/sites
  sitestencil benchmark ../shared/benchmark/sites --detector temex-addon --json figures.json
  sitestencil benchmark ../shared/benchmark/sites --detector temex --held-out
  sitestencil benchmark ../shared/benchmark/sites ../shared/benchmark/opened --perturbed
  sitestencil benchmark ../shared/benchmark/sites --detector all --peers --markdown
  sitestencil benchmark --texts public --peers

sets for --texts; nothing is fetched for you:
{FORMS}
Pages without their HTML file or a gold text are left out, and the command says how many.
A set whose other files are missing or damaged stops the command, which names the file.""",
)
