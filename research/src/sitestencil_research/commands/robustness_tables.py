"""The tables of ``sitestencil benchmark --perturbed``."""

from collections.abc import Iterator

from sitestencil.cli.command import say
from sitestencil_research.commands.tables import Table, table_console
from sitestencil_research.perturbations.catalogue import PERTURBATIONS
from sitestencil_research.perturbations.robustness import (
    MOST_MEAN_CHANGE,
    MOST_SITE_CHANGE,
    PerturbationFigures,
    Robustness,
)

_HEADS = (
    "perturbation",
    "mean F1",
    "mean change",
    "mean change without signs",
    "largest change",
    "its site",
    f"sites moved by more than {MOST_SITE_CHANGE:g}",
    "holds",
)


def print_robustness(detector: str, robustness: Robustness, *, markdown: bool = False) -> None:
    """Print, per kind of page, a line per perturbation, and whether it stays within the bounds."""
    for kind, part in robustness.by_kind_of_page().items():
        loads = sum(site.pages_loaded for site in part.sites) / len(part.sites)
        title = f"{detector} on {len(part.sites)} {kind}: mean F1 {part.mean_f1:.3f} from {loads:.1f} pages"
        rows = list(_rows(part))
        if markdown:
            _print_markdown(title, rows)
            _print_runs(part)
            continue
        table = Table(title=title, caption=f"holds: mean change at most {MOST_MEAN_CHANGE:g}, and no site moved")
        for number, head in enumerate(_HEADS):
            table.add_column(head, justify="left" if number in {0, 5} else "right")
        for row in rows:
            table.add_row(*row)
        table_console(170).print(table)
        _print_runs(part)


def _print_runs(robustness: Robustness) -> None:
    runs = robustness.runs_figures()
    if runs is None:
        return
    say(
        f"Six perturbed runs: mean F1 {runs.mean_f1:.3f} (worst {runs.worst_run_f1:.3f}: {runs.worst_run}; best "
        f"{runs.best_run_f1:.3f}), median {runs.median_f1:.3f}, least {runs.least_f1:.3f} ({runs.least_f1_site}), "
        f"{runs.sites_below_085} sites below .85, {runs.pages_loaded:.1f} pages loaded.\n"
    )


def _rows(robustness: Robustness) -> Iterator[list[str]]:
    for name in robustness.perturbations:
        yield [PERTURBATIONS[name].title, *_line(robustness.figures(name))]


def _line(figures: PerturbationFigures) -> list[str]:
    return [
        f"{figures.mean_f1:.3f}",
        f"{figures.mean_change:+.3f}",
        f"{figures.mean_absolute_change:.3f}",
        f"{figures.largest_change:+.3f}",
        figures.largest_change_site,
        str(figures.sites_moved),
        "yes" if figures.holds else "no",
    ]


def _print_markdown(title: str, rows: list[list[str]]) -> None:
    say(f"{title}\n")
    say(f"| {' | '.join(_HEADS)} |")
    say(f"|{'|'.join('---' if number in {0, 5} else '---:' for number in range(len(_HEADS)))}|")
    for row in rows:
        say(f"| {' | '.join(row)} |")
    say()
