"""``sitestencil tune``: tune TemEx's parameters on labelled sites."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.cli.command import Command
from sitestencil_research.commands.options import add_jobs_option

if TYPE_CHECKING:
    from sitestencil_research.tuning.grid import Grid


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
        "--pnc", type=_numbers, metavar="P,...", help="probability if neither node has classes (.75,.9,1)"
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
    add_jobs_option(parser)


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


def _integers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _grid(options: argparse.Namespace) -> "Grid":
    from sitestencil.detectors.temex.detector import HYBEX_ADDON, THESIS
    from sitestencil_research.tuning.grid import Grid, weights_of

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
        "no_classes": options.pnc,
        "thresholds": options.pt,
        "keep_order": orders.get(options.order),
    }
    return replace(grid, **{name: values for name, values in given.items() if values is not None})


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands.tune_run import run_tune

    return run_tune(options, _grid(options))


TUNE = Command(
    name="tune",
    group="research",
    help="search TemEx's parameters on labelled sites",
    description="""\
Evaluate TemEx on labelled sites at every point of a grid of its parameters. Print the best points, F1 over n and t,
and the effect of each parameter alone. Each page is read once, and mapped once per set of mapping parameters. If
interrupted (Ctrl+C), print the finished points.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil tune ../shared/benchmark/sites --fixed
  sitestencil tune ../shared/benchmark/sites --fixed --pt 0,.1,.2,.3,.4,.5,.6,.7,.8,.9 -n 3 -t 2
  sitestencil tune ../shared/benchmark/sites --folds 5""",
)
