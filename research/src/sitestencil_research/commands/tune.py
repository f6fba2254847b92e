"""``sitestencil tune``: tune TemEx's parameters on labelled sites."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.cli.command import Command, complain, say
from sitestencil.cli.files import write_file, write_json
from sitestencil.cli.options import add_jobs_option
from sitestencil.cli.progress import progress_bar

if TYPE_CHECKING:
    from sitestencil_research.commands.tables import Console, Table
    from sitestencil_research.tuning.folds import Fold
    from sitestencil_research.tuning.grid import Grid, Weights
    from sitestencil_research.tuning.search import Search


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of labelled sites")
    parser.add_argument(
        "--base",
        choices=("temex", "temex-addon"),
        default="temex",
        help="the configuration of the parameters that are not varied (default: temex)",
    )
    parser.add_argument("-n", type=_integers, metavar="N,...", help="sizes of the complete subdigraph (1 to 8)")
    parser.add_argument("-t", type=_integers, metavar="T,...", help="votes needed (all from 1 to n)")
    parser.add_argument(
        "--weights",
        type=_weights,
        action="append",
        metavar="WC,WP,WA,WCH",
        help="weights of classes, position, attributes, children; repeatable (default: three sets)",
    )
    parser.add_argument(
        "--weight-step", type=float, metavar="STEP", help="instead, try all weights that are multiples of STEP"
    )
    parser.add_argument(
        "--pnc", type=_numbers, metavar="P,...", help="probability if neither node has classes (.75,.9,1)"
    )
    parser.add_argument(
        "--pna", type=_numbers, metavar="P,...", help="probability if neither node has attributes (.25,.75)"
    )
    parser.add_argument(
        "--pnch", type=_numbers, metavar="P,...", help="probability if neither node has children (1)"
    )
    parser.add_argument("--pt", type=_numbers, metavar="P,...", help="threshold (0,.3,.5,.6,.7,.8,.9)")
    parser.add_argument(
        "--order", choices=("kept", "free", "both"), help="whether mapped siblings keep their order"
    )
    parser.add_argument(
        "--fixed",
        action="store_true",
        help="vary only n, t and the given parameters; take the others from the base",
    )
    parser.add_argument("--folds", type=int, metavar="K", help="cross-validate the choice by whole sites")
    parser.add_argument("--seed", type=int, default=0, help="seed of the folds (0)")
    add_jobs_option(parser)
    parser.add_argument("--top", type=int, default=10, metavar="K", help="the number of best points to print (10)")
    parser.add_argument("--heatmap", type=Path, metavar="FILE", help="draw F1 over n and t: .png, .svg or .pdf")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every point and all tables here, as JSON")


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


def _integers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _weights(text: str) -> "Weights":
    try:
        wc, wp, wa, wch = _numbers(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not four numbers, such as .25,.25,.25,.25") from None
    return wc, wp, wa, wch


def _grid(options: argparse.Namespace) -> "Grid":
    from sitestencil.detectors.temex.detector import HYBEX_ADDON, THESIS
    from sitestencil_research.tuning.grid import Grid, simplex, weights_of

    base = {"temex": THESIS, "temex-addon": HYBEX_ADDON}[options.base]
    equality = base.mapping.equality
    grid = Grid(base, keep_order=(base.mapping.keep_order,))
    if options.fixed:
        grid = replace(
            grid,
            weights=(weights_of(base.mapping),),
            no_classes=(equality.no_classes,),
            no_attributes=(equality.no_attributes,),
            no_children=(equality.no_children,),
            thresholds=(equality.threshold,),
        )
    orders = {"kept": (True,), "free": (False,), "both": (True, False)}
    given: dict[str, Any] = {
        "sizes": options.n,
        "votes": options.t,
        "weights": options.weights,
        "no_classes": options.pnc,
        "no_attributes": options.pna,
        "no_children": options.pnch,
        "thresholds": options.pt,
        "keep_order": orders.get(options.order),
    }
    if options.weight_step is not None:
        given["weights"] = tuple(simplex(options.weight_step))
    return replace(grid, **{name: values for name, values in given.items() if values is not None})


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands.tables import table_console
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.tuning.folds import check_folds, cross_validate_grid
    from sitestencil_research.tuning.heatmap import heatmap_picture
    from sitestencil_research.tuning.report import f1_over_votes, to_dict
    from sitestencil_research.tuning.search import search_grid

    console = table_console()
    grid, folders = _grid(options), labelled_sites(options.folder)
    if options.folds is not None:
        check_folds(len(folders), options.folds)
    say(f"{len(grid)} points on {len(folders)} sites: {len(grid) * len(folders)} evaluations of a site")
    with progress_bar("Trying", len(grid.mapping_points())) as bar:
        search = search_grid(folders, grid, processes=options.jobs, done=bar)
    folds = cross_validate_grid(search, options.folds, options.seed) if options.folds is not None else []
    _print(search, folds, options.top, console)
    if options.json is not None:
        write_json(options.json, to_dict(search, folds))
    if options.heatmap is not None:
        title = f"F1 in % over n and t, {len(search.sites)} sites"
        write_file(options.heatmap, heatmap_picture(f1_over_votes(search), title, options.heatmap.suffix))
    if search.interrupted:
        complain(f"sitestencil: interrupted; the figures are those of the {len(search.points)} finished points")
        return 130
    return 0


def _print(search: "Search", folds: "list[Fold]", top: int, console: "Console") -> None:
    from sitestencil_research.tuning.folds import cross_validated_f1
    from sitestencil_research.tuning.grid import described
    from sitestencil_research.tuning.report import one_at_a_time

    console.print(_best_table(search, top))
    console.print(_votes_table(search))
    say(f"with {described(search.best.mapping)}\n")
    if alone := one_at_a_time(search):
        console.print(_alone_table(search, alone))
    for number, fold in enumerate(folds, 1):
        chosen = fold.chosen
        say(
            f"fold {number}: F1 {100 * fold.f1:.2f} on {len(fold.sites)} held-out sites, "
            f"{100 * fold.f1_on_others:.2f} on the others\n"
            f"        n {chosen.n}  t {chosen.t}  {described(chosen.mapping)}"
        )
    if folds:
        say(f"F1 {100 * cross_validated_f1(folds):.2f} over all sites, each with parameters chosen without it\n")
    say(
        f"{search.evaluations} evaluations of a site in {search.seconds:.1f} s on {search.cores} "
        f"cores, with reading: "
        f"{search.rate:.0f} per second and core;\n{search.mapping_rate:.0f} per second of a core's own time "
        "if each needed its own mappings, without reading"
    )


def _best_table(search: "Search", top: int) -> "Table":
    from sitestencil_research.commands.tables import Table
    from sitestencil_research.tuning.grid import listed, weights_of
    from sitestencil_research.tuning.report import WEIGHTS_NAME, base_point

    table = Table(title=f"The best of {len(search.points)} points on {len(search.sites)} sites")
    for name in (
        "F1",
        "precision",
        "recall",
        "n",
        "t",
        "pages",
        WEIGHTS_NAME,
        "Pnc",
        "Pna",
        "Pnch",
        "Pt",
        "order",
        "",
    ):
        table.add_column(name, justify="right")
    best = sorted(search.points, key=lambda point: -point.mean_f1)[:top]
    own = base_point(search)
    for point in [*best, own] if own is not None and own not in best else best:
        equality = point.mapping.equality
        chances = (equality.no_classes, equality.no_attributes, equality.no_children, equality.threshold)
        table.add_row(
            *(f"{100 * value:.2f}" for value in (point.mean_f1, point.precision, point.recall)),
            f"{point.n}",
            f"{point.t}",
            f"{search.pages_loaded[point.n]:.1f}",
            listed(weights_of(point.mapping)),
            *(f"{value:g}" for value in chances),
            "kept" if point.mapping.keep_order else "free",
            "base" if point is own else "",
        )
    return table


def _votes_table(search: "Search") -> "Table":
    from sitestencil_research.commands.tables import Table
    from sitestencil_research.tuning.report import f1_over_votes

    f1 = f1_over_votes(search)
    sizes = sorted({n for n, _ in f1})
    table = Table(title="F1 over n and t", show_footer=True)
    table.add_column("t \\ n", footer="best\npages loaded")
    for n in sizes:
        best = max(value for (m, _), value in f1.items() if m == n)
        table.add_column(f"{n}", justify="right", footer=f"{100 * best:.2f}\n{search.pages_loaded[n]:.1f}")
    for t in sorted({t for _, t in f1}):
        table.add_row(f"{t}", *(f"{100 * f1[n, t]:.2f}" if (n, t) in f1 else "" for n in sizes))
    return table


def _alone_table(search: "Search", alone: "Mapping[str, Mapping[str, float]]") -> "Table":
    from sitestencil_research.commands.tables import Table

    base = search.grid.base
    title = f"One parameter varied, the others as in the base (n {base.subdigraph_size}, t {base.votes})"
    table = Table("parameter", "F1 by value", title=title)
    for name, values in alone.items():
        cells = (f"{value}: {100 * f1:.2f}" for value, f1 in sorted(values.items()))
        table.add_row(name, "   ".join(cells))
    return table


TUNE = Command(
    name="tune",
    group="research",
    help="search TemEx's parameters on labelled sites",
    description="""\
Evaluate TemEx on labelled sites at every point of a grid of its parameters. Print the best points, F1 over n and t,
and the effect of each parameter alone. Each page is read once, and mapped once per set of mapping parameters. If
interrupted (Ctrl+C), print and write the finished points.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil tune ../shared/benchmark/sites --fixed
  sitestencil tune ../shared/benchmark/sites --fixed --pt 0,.1,.2,.3,.4,.5,.6,.7,.8,.9 -n 3 -t 2
  sitestencil tune ../shared/benchmark/sites --folds 5 --json points.json --heatmap f1.svg""",
)
