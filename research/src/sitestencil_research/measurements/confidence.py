"""Check a detector's confidence.

``python -m sitestencil_research.measurements.confidence ../shared/benchmark/sites``.

It runs a detector on labelled sites and compares its confidence with the F1 it reached. It prints ten bins with the
same number of answers. Then come the expected calibration error, Spearman's rank correlation, and the area under
the ROC curve for an F1 below .9, each with its bound: for all answers, for inner pages, and for home pages.
``stencil`` is judged with trees that have not seen a site's organisation, since its shipped trees have learned from
these labels. ``--perturbed`` adds the answers under six perturbations.
Answers without confidence are only counted.
"""

import sys
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from sitestencil.detectors import DEFAULT_DETECTOR, Detector
from sitestencil_research.benchmark.calibration import (
    area_under_curve,
    expected_calibration_error,
    rank_correlation,
    reliability_bins,
)
from sitestencil_research.commands.options import add_jobs_option
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.measurements.harness import arguments, print_figure, sites_in
from sitestencil_research.perturbations.robustness import SIX_RUNS, PerturbedAnswer, perturbed_answers
from sitestencil_research.running import results_in_order
from sitestencil_research.training.stencil_training import held_out_detectors

MOST_ERROR, LEAST_CORRELATION, LEAST_AREA = 0.05, 0.6, 0.85
_GOOD_FROM = 0.9


def main() -> int:
    """Print the figures; return 0 if all bounds hold for all answers."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--detector", default=DEFAULT_DETECTOR, metavar="NAME", help="the detector (default: %(default)s)"
    )
    parser.add_argument("--perturbed", action="store_true", help="add the answers under perturbations")
    add_jobs_option(parser)
    options = parser.parse_args()
    folders = sites_in(options.folders)
    detectors: Mapping[Path, str | Detector] = (
        held_out_detectors(folders)
        if options.detector == DEFAULT_DETECTOR
        else dict.fromkeys(folders, options.detector)
    )
    names = SIX_RUNS if options.perturbed else ()
    tasks = [(folder, detectors[folder], names) for folder in folders]
    answers = [one for site in results_in_order(perturbed_answers, tasks, options.jobs) for one in site]
    sure = [(answer.confidence, answer.f1) for answer in answers if answer.confidence is not None]
    if not sure:
        print(f"{options.detector} reports no confidence.")
        return 1
    bins = reliability_bins([confidence for confidence, _ in sure], [f1 for _, f1 in sure])
    silent = len(answers) - len(sure)
    print(f"{options.detector}: {len(sure)} answers on {len(folders)} sites, {silent} without confidence")
    print_markdown(
        ["answers", "confidence from", "to", "mean", "true F1", "error"],
        [[f"{one.count}", *(f"{value:.3f}" for value in (*astuple(one)[1:], one.error))] for one in bins],
    )
    print_figure("largest error of a bin", max(one.error for one in bins), ".3f")
    held = _print_figures("all answers", answers)
    for is_home_page, kind in ((False, "inner pages"), (True, "home pages")):
        _print_figures(kind, [answer for answer in answers if answer.is_home_page == is_home_page])
    return 0 if held else 1


def _print_figures(kind: str, answers: list[PerturbedAnswer]) -> bool:
    """Print the figures of one kind of page, and return whether all bounds hold."""
    sure = [(answer.confidence, answer.f1) for answer in answers if answer.confidence is not None]
    if not sure:
        return True
    predicted, true = [confidence for confidence, _ in sure], [f1 for _, f1 in sure]
    error = expected_calibration_error(reliability_bins(predicted, true))
    correlation = rank_correlation(predicted, true)
    area = area_under_curve(predicted, [f1 >= _GOOD_FROM for f1 in true])
    print(f"{kind}: {len(sure)}")
    held = [
        print_figure("  expected calibration error", error, ".3f", most=MOST_ERROR),
        print_figure("  rank correlation with the true F1", correlation, ".3f", least=LEAST_CORRELATION),
        print_figure(f"  area under the curve, F1 below {_GOOD_FROM}", area, ".3f", least=LEAST_AREA),
    ]
    return all(held)


if __name__ == "__main__":
    sys.exit(main())
