"""What ``sitestencil tune`` does: search the grid, and print its tables."""

import argparse
from collections.abc import Sequence

from sitestencil.cli.command import complain, say
from sitestencil.cli.progress import progress_bar
from sitestencil_research.commands.tables import print_table
from sitestencil_research.labels import labelled_sites
from sitestencil_research.tuning.grid import Grid, described, named_parameters
from sitestencil_research.tuning.search import (
    Fold,
    Search,
    check_folds,
    cross_validate_grid,
    cross_validated_f1,
    search_grid,
)

_BEST = 10  # points to print


def run_tune(options: argparse.Namespace, grid: Grid) -> int:
    """Search the grid, and print the tables."""
    folders = labelled_sites(options.folder)
    if options.folds is not None:
        check_folds(len(folders), options.folds)
    say(f"{len(grid)} points on {len(folders)} sites: {len(grid) * len(folders)} evaluations of a site")
    with progress_bar("Trying", len(grid.mapping_points())) as bar:
        search = search_grid(folders, grid, processes=options.jobs, done=bar)
    folds = cross_validate_grid(search, options.folds) if options.folds is not None else []
    _print(search, folds)
    if search.interrupted:
        complain(f"sitestencil: interrupted; the figures are those of the {len(search.points)} finished points")
        return 130
    return 0


def _print(search: Search, folds: Sequence[Fold]) -> None:
    _print_best(search)
    _print_votes(search)
    say(f"with {described(search.best.mapping)}\n")
    if alone := one_at_a_time(search):
        base = search.grid.base
        title = f"One parameter varied, the others as in the base (n {base.subdigraph_size}, t {base.votes})"
        lines = {name: (f"{value}: {100 * f1:.2f}" for value, f1 in sorted(alone[name].items())) for name in alone}
        rows = [[name, "   ".join(cells)] for name, cells in lines.items()]
        print_table(title, ["parameter", "F1 by value"], rows, left=(0, 1))
    for number, fold in enumerate(folds, 1):
        chosen = fold.chosen
        say(
            f"fold {number}: F1 {100 * fold.f1:.2f} on {len(fold.sites)} held-out sites, "
            f"{100 * fold.f1_on_others:.2f} on the others\n"
            f"        n {chosen.n}  t {chosen.t}  {described(chosen.mapping)}"
        )
    if folds:
        say(f"F1 {100 * cross_validated_f1(folds):.2f} over all sites, each with parameters chosen without it\n")
    say(f"{search.evaluations} evaluations of a site in {search.seconds:.1f} s on {search.cores} cores")


def _print_best(search: Search) -> None:
    best = sorted(search.points, key=lambda point: -point.mean_f1)[:_BEST]
    own = search.base_point
    rows = [
        [
            *(f"{100 * value:.2f}" for value in (point.mean_f1, point.precision, point.recall)),
            f"{point.n}",
            f"{point.t}",
            f"{search.pages_loaded[point.n]:.1f}",
            *named_parameters(point.mapping).values(),
            "base" if point is own else "",
        ]
        for point in ([*best, own] if own is not None and own not in best else best)
    ]
    title = f"The best of {len(search.points)} points on {len(search.sites)} sites"
    heads = ["F1", "precision", "recall", "n", "t", "pages", *named_parameters(search.best.mapping), ""]
    print_table(title, heads, rows, left=())


def _print_votes(search: Search) -> None:
    f1 = f1_over_votes(search)
    sizes = sorted({n for n, _ in f1})
    best = {n: max(value for (m, _), value in f1.items() if m == n) for n in sizes}
    print_table(
        "F1 over n and t",
        ["t \\ n", *map(str, sizes)],
        [
            [f"{t}", *(f"{100 * f1[n, t]:.2f}" if (n, t) in f1 else "" for n in sizes)]
            for t in sorted({t for _, t in f1})
        ],
        footer=["best\npages loaded", *(f"{100 * best[n]:.2f}\n{search.pages_loaded[n]:.1f}" for n in sizes)],
    )


def f1_over_votes(search: Search) -> dict[tuple[int, int], float]:
    """Return the mean F1 per n and t, with the best point's mapping (thesis, Table 5.2)."""
    best = search.best.mapping
    return {(point.n, point.t): point.mean_f1 for point in search.points if point.mapping == best}


def one_at_a_time(search: Search) -> dict[str, dict[str, float]]:
    """Return the mean F1 by parameter and value, the others as in the base; empty if the base was not tried."""
    base = search.base_point
    if base is None:
        return {}
    own = named_parameters(base.mapping)
    by_parameter: dict[str, dict[str, float]] = {}
    for point in search.points:
        theirs = named_parameters(point.mapping)
        differ = [name for name in own if own[name] != theirs[name]]
        if (point.n, point.t) == (base.n, base.t) and len(differ) <= 1:
            for name in differ or own:
                by_parameter.setdefault(name, {})[theirs[name]] = point.mean_f1
    return {name: values for name, values in by_parameter.items() if len(values) > 1}
