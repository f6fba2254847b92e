"""What ``sitestencil benchmark`` does: measure entrants on sites, unchanged or perturbed, and print tables."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from sitestencil.cli.command import complain, say
from sitestencil.cli.progress import progress_bar
from sitestencil.detectors import DETECTORS
from sitestencil.errors import SitestencilError, WrongUsage
from sitestencil_research.benchmark.comparison import (
    Comparison,
    ComparisonRow,
    Entrant,
    EntrantKind,
    compare,
    entrants,
)
from sitestencil_research.benchmark.run import FIGURES, BenchmarkResult
from sitestencil_research.commands.options import write_json
from sitestencil_research.commands.tables import print_table
from sitestencil_research.labels import labelled_sites
from sitestencil_research.perturbations.catalogue import PERTURBATIONS
from sitestencil_research.perturbations.robustness import (
    MOST_MEAN_CHANGE,
    MOST_SITE_CHANGE,
    Robustness,
    measure_robustness,
)

_COLUMNS = {
    "precision": "{:.3f}",
    "recall": "{:.3f}",
    "f1": "{:.3f}",
    "content_words_f1": "{:.3f}",
    "content_visible": "{:.1%}",
    "template_hidden": "{:.1%}",
    "pages_loaded": "{:.1f}",
    "ms": "{:.0f}",
}
_MOVED = f"sites moved by more than {MOST_SITE_CHANGE:g}"
_PERTURBED = ("mean F1", "mean change", "mean change without signs", "largest change", "its site", _MOVED, "holds")


def run_on_sites(options: argparse.Namespace) -> int:
    """Measure the entrants on each folder's sites, and print a table for each folder, then for all."""
    if options.perturbed and options.peers:
        raise WrongUsage("--perturbed only measures detectors: leave out --peers.")
    chosen = entrants(options.detector, peers=options.peers)
    sites_of = [(folder.name, labelled_sites(folder)) for folder in options.folders]
    folders = [site for _, sites in sites_of for site in sites]
    if options.json is not None and not options.json.parent.is_dir():
        raise SitestencilError(
            f"{options.json} cannot be written: the folder {options.json.parent} does not exist."
        )
    if options.held_out:
        from sitestencil_research.training.stencil_training import held_out_detectors

        with progress_bar("Growing models"):
            detectors = held_out_detectors(folders)
        name, title = "stencil (held out)", "Stencil, each site by trees that have not seen its organisation"
        chosen.append(Entrant(name, title, EntrantKind.DETECTOR, name, detectors))
    if options.perturbed:
        return _run_perturbed(options, chosen, folders)
    with progress_bar("Sites", len(folders) * len(chosen)) as bar:
        comparison = compare(folders, chosen, processes=options.jobs, done=bar)
    for title, part in _parts(comparison, [(name, len(sites)) for name, sites in sites_of]):
        if len(chosen) == 1 and not options.markdown:
            _print_sites(part.rows[0].result)
        else:
            # Markdown has one line per program: its best settings.
            heads, *rows = _summary(part, part.best_ways() if options.markdown else part.rows)
            what = f"Means over {len(part.sites)} sites" + (f" ({title})" if title else "")
            print_table(what, heads, rows, markdown=options.markdown)
    _complain(comparison)
    write_json(options.json, comparison.to_dict())
    return 0


def _parts(comparison: Comparison, folders: Sequence[tuple[str, int]]) -> Iterator[tuple[str, Comparison]]:
    """Yield the comparison on each folder's sites, then on all sites; `folders` has each folder's number of sites.

    A single folder gives one unnamed comparison.
    """
    first = 0
    for name, count in folders if len(folders) > 1 else ():
        yield name, comparison.part(range(first, first + count))
        first += count
    yield "all" if len(folders) > 1 else "", comparison


def _complain(comparison: Comparison) -> None:
    for name in dict.fromkeys(row.entrant.name for row in comparison.rows):
        if name in DETECTORS and DETECTORS[name].trained_on:
            complain(f"Note: the shipped model of {name} has seen {DETECTORS[name].trained_on}.")
    for row in comparison.rows:
        for site in row.result.sites:
            if site.error:
                name = f"{row.entrant.name} on {site.site}" if len(comparison.rows) > 1 else site.site
                complain(f"{name}: {site.error}")


def _print_sites(result: BenchmarkResult) -> None:
    forms = [(form.format, FIGURES[name]) for name, form in _COLUMNS.items()]
    print_table(
        f"{result.detector} on {len(result.sites)} sites",
        ["site", *(name.replace("_", " ") for name in _COLUMNS)],
        [[site.site, *(form(figure(site)) for form, figure in forms)] for site in result.sites],
        footer=[
            "mean\nmedian",
            *(f"{form(result.mean(figure))}\n{form(result.median(figure))}" for form, figure in forms),
        ],
    )


def _summary(comparison: Comparison, rows: Sequence[ComparisonRow]) -> list[list[str]]:
    """Return the heads and a line per row: means with the interval of F1, and F1 by the other measures."""
    others = [measure for measure in comparison.measures if measure.name != "elements"]
    heads = ["", "F1", "95 % interval", "precision", "recall", "median F1"]
    heads += [f"F1 of {measure.title}" for measure in others]
    heads += ["content visible", "template hidden", "pages", "ms"]
    return [heads, *(_line(row, [measure.name for measure in others]) for row in rows)]


def _line(row: ComparisonRow, others: list[str]) -> list[str]:
    result = row.result
    f1 = row.mean_of("elements", "f1")
    return [
        row.entrant.name,
        f"{f1.mean:.3f}",
        f"{f1.low:.3f} to {f1.high:.3f}",
        f"{result.mean(FIGURES['precision']):.3f}",
        f"{result.mean(FIGURES['recall']):.3f}",
        f"{result.median(FIGURES['f1']):.3f}",
        *(f"{row.mean_of(measure, 'f1').mean:.3f}" for measure in others),
        f"{result.mean(FIGURES['content_visible']):.1%}",
        f"{result.mean(FIGURES['template_hidden']):.1%}",
        f"{result.mean(FIGURES['pages_loaded']):.1f}",
        f"{median(site.milliseconds for site in result.sites):.0f}",
    ]


def _run_perturbed(options: argparse.Namespace, chosen: Sequence[Entrant], folders: Sequence[Path]) -> int:
    figures = []
    for entrant in chosen:
        with progress_bar(f"Sites, {entrant.name}", len(folders)) as bar:
            robustness = measure_robustness(folders, entrant.detector, processes=options.jobs, done=bar)
        for kind, part in robustness.by_kind_of_page().items():
            _print_robustness(f"{entrant.name} on {len(part.sites)} {kind}", part, markdown=options.markdown)
        figures.append({"detector": entrant.name, **robustness.to_dict()})
    write_json(options.json, {"results": figures})
    return 0


def _print_robustness(what: str, robustness: Robustness, *, markdown: bool) -> None:
    """Print a line per perturbation, and whether it stays within the bounds; then the six runs."""
    loads = sum(site.pages_loaded for site in robustness.sites) / len(robustness.sites)
    title = f"{what}: mean F1 {robustness.mean_f1:.3f} from {loads:.1f} pages"
    heads, rows, left = ["perturbation", *_PERTURBED], [], {0, 5}
    for name in robustness.perturbations:
        figures = robustness.figures(name)
        rows.append(
            [
                PERTURBATIONS[name].title,
                f"{figures.mean_f1:.3f}",
                f"{figures.mean_change:+.3f}",
                f"{figures.mean_absolute_change:.3f}",
                f"{figures.largest_change:+.3f}",
                figures.largest_change_site,
                str(figures.sites_moved),
                "yes" if figures.holds else "no",
            ]
        )
    print_table(title, heads, rows, left=left, markdown=markdown)
    say(f"\nholds: mean change at most {MOST_MEAN_CHANGE:g}, and no site moved")
    if (runs := robustness.runs_figures()) is not None:
        say(
            f"Six perturbed runs: mean F1 {runs.mean_f1:.3f}, least {runs.least_f1:.3f} ({runs.least_f1_site}), "
            f"{runs.sites_below_085} sites below .85.\n"
        )
