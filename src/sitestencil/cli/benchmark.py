"""``sitestencil benchmark``: a detector's figures on labelled sites."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, complain
from sitestencil.cli.extract import add_detector_option
from sitestencil.detectors import load_detector
from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.benchmark.run import BenchmarkResult


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of labelled sites (or one such site)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here as JSON")
    add_detector_option(parser)


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from sitestencil.benchmark.labels import labelled_sites
    from sitestencil.benchmark.run import run_benchmark

    load_detector(options.detector)
    folders = labelled_sites(options.folder)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("Sites", total=len(folders))
        result = run_benchmark(folders, options.detector, lambda _: bar.advance(task))
    _print(result)
    if options.json is not None:
        try:
            options.json.write_text(json.dumps(result.to_dict(), indent=1) + "\n")
        except OSError as error:
            raise SitestencilError(f"{options.json} cannot be written: {error.strerror}.") from None
    return 0


def _print(result: "BenchmarkResult") -> None:
    from rich.console import Console
    from rich.table import Table

    from sitestencil.benchmark.run import FIGURES

    table = Table(title=f"{result.detector} on {len(result.sites)} sites", show_footer=True)
    columns = {
        "precision": "{:.3f}",
        "recall": "{:.3f}",
        "f1": "{:.3f}",
        "pages_loaded": "{:.1f}",
        "ms": "{:.0f}",
    }
    table.add_column("site", footer="mean\nmedian")
    for name, form in columns.items():
        figure = FIGURES[name]
        footer = f"{form.format(result.mean(figure))}\n{form.format(result.median(figure))}"
        table.add_column(name.replace("_", " "), justify="right", footer=footer)
    for site in result.sites:
        table.add_row(site.site, *(form.format(FIGURES[name](site)) for name, form in columns.items()))
    Console(width=None if sys.stdout.isatty() else 100).print(table)
    for site in result.sites:
        if site.error:
            complain(f"{site.site}: {site.error}")


BENCHMARK = Command(
    name="benchmark",
    help="measure a detector on labelled sites",
    description="""\
Run a detector over every labelled site in a folder and print precision, recall and F1 of the template's
elements, the pages loaded, and the time, per site, as mean and as median.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil benchmark ../shared/benchmark/sites
  sitestencil benchmark ../shared/benchmark/sites --detector temex-addon --json figures.json""",
)
