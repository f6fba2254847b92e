"""``sitestencil benchmark``: measure detectors, and other programs, on labelled sites."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, complain
from sitestencil.cli.files import write_json
from sitestencil.cli.options import add_jobs_option, add_json_option
from sitestencil.cli.progress import progress_bar
from sitestencil.detectors import DEFAULT_DETECTOR, DETECTORS
from sitestencil.errors import SitestencilError, WrongUsage
from sitestencil_research.gold_texts.forms import FORMS

if TYPE_CHECKING:
    from sitestencil_research.benchmark.comparison import Comparison, Entrant


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders", type=Path, nargs="*", metavar="DIR", help="a folder of labelled sites, or one labelled site"
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="DIR",
        help="instead, compare the text of the content with gold texts: a public set, or a folder of sets. "
        "Each page is measured with the other pages of its host, and alone, by our score and by the set's own",
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
        help="add stencil with models trained on the other sites of DIR, so that no model has seen "
        "the organisation "
        "of the site it judges (extra: train; takes a minute)",
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
    return _run_on_sites(options)


def _run_on_sites(options: argparse.Namespace) -> int:
    from sitestencil_research.benchmark.comparison import compare, entrants
    from sitestencil_research.commands.benchmark_tables import print_markdown, print_sites, print_summary
    from sitestencil_research.labels import labelled_sites

    chosen = entrants(options.detector, peers=options.peers)
    sites_of = [(folder.name, labelled_sites(folder)) for folder in options.folders]
    folders = [site for _, sites in sites_of for site in sites]
    if options.perturbed:
        return _run_perturbed(options, chosen, folders)
    _check_folder_of(options.json)
    if options.held_out:
        chosen.append(_held_out(folders))
    with progress_bar("Sites", len(folders) * len(chosen)) as bar:
        comparison = compare(folders, chosen, processes=options.jobs, done=bar)
    for title, part in _parts(comparison, [(name, len(sites)) for name, sites in sites_of]):
        if options.markdown:
            print_markdown(part, title)
        elif len(chosen) == 1:
            print_sites(part.rows[0].result)
        else:
            print_summary(part, title)
    _complain(comparison)
    if options.json is not None:
        write_json(options.json, comparison.to_dict())
    return 0


def _parts(comparison: "Comparison", folders: Sequence[tuple[str, int]]) -> "Iterator[tuple[str, Comparison]]":
    """Yield the comparison on each folder's sites, then on all sites; `folders` has each folder's number of sites.

    A single folder gives one unnamed comparison.
    """
    first = 0
    for name, count in folders if len(folders) > 1 else ():
        yield name, comparison.part(range(first, first + count))
        first += count
    yield "all" if len(folders) > 1 else "", comparison


def _run_perturbed(options: argparse.Namespace, chosen: "list[Entrant]", folders: Sequence[Path]) -> int:
    from sitestencil_research.commands.robustness_tables import print_robustness
    from sitestencil_research.perturbations.robustness import measure_robustness

    if options.peers:
        raise WrongUsage("--perturbed only measures detectors: leave out --peers.")
    _check_folder_of(options.json)
    if options.held_out:
        chosen.append(_held_out(folders))
    figures = []
    for entrant in chosen:
        with progress_bar(f"Sites, {entrant.name}", len(folders)) as bar:
            robustness = measure_robustness(folders, entrant.detector, processes=options.jobs, done=bar)
        print_robustness(entrant.name, robustness, markdown=options.markdown)
        figures.append({"detector": entrant.name, **robustness.to_dict()})
    if options.json is not None:
        write_json(options.json, {"results": figures})
    return 0


def _check_folder_of(file: Path | None) -> None:
    if file is not None and not file.parent.is_dir():
        raise SitestencilError(f"{file} cannot be written: the folder {file.parent} does not exist.")


def _held_out(folders: Sequence[Path]) -> "Entrant":
    from sitestencil_research.training.held_out import held_out_entrant

    with progress_bar("Growing models"):
        return held_out_entrant(folders)


def _complain(comparison: "Comparison") -> None:
    for name in dict.fromkeys(row.entrant.name for row in comparison.rows):
        if name in DETECTORS and DETECTORS[name].trained_on:
            complain(f"Note: the shipped model of {name} has seen {DETECTORS[name].trained_on}.")
    for row in comparison.rows:
        for site in row.result.sites:
            if site.error:
                name = f"{row.entrant.name} on {site.site}" if len(comparison.rows) > 1 else site.site
                complain(f"{name}: {site.error}")


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
