"""Check a detector's confidence: ``python benchmarks/sureness.py ../shared/benchmark/sites``.

It runs a detector on labelled sites and compares its confidence with the F1 it reached. It prints ten bins with the
same number of answers, the expected calibration error and Spearman's rank correlation, each with its bound.
``stencil`` is judged with trees that have not seen a site's organisation, since its shipped trees have learned from
these labels; ``--shipped`` takes the shipped ones. ``--perturbed`` adds the answers under six perturbations.
Answers without confidence are only counted.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from figures import print_figure
from sitestencil.detectors import DEFAULT_DETECTOR, Detector
from sitestencil.evaluation.benchmark.calibration import (
    ReliabilityBin,
    expected_calibration_error,
    rank_correlation,
    reliability_bins,
)
from sitestencil.evaluation.benchmark.report.charts import reliability
from sitestencil.evaluation.labels import labelled_sites
from sitestencil.evaluation.perturbations.robustness import SIX_RUNS, PerturbedAnswer, perturbed_answers
from sitestencil.evaluation.training.held_out import held_out_entrant
from sitestencil.processes import results_as_done

MOST_ERROR, LEAST_CORRELATION = 0.05, 0.6


def main() -> int:
    """Print the figures, write the plot; return 0 if both bounds hold."""
    options = _options()
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    detectors = _detectors(folders, options.detector, shipped=options.shipped)
    names = SIX_RUNS if options.perturbed else ()
    arguments = {number: (folder, detectors[folder], names) for number, folder in enumerate(folders)}
    by_site = dict(results_as_done(perturbed_answers, arguments, options.jobs))
    answers = [answer for number in range(len(folders)) for answer in by_site[number]]
    sure = [(answer.sureness, answer.f1) for answer in answers if answer.sureness is not None]
    if not sure:
        print(f"{options.detector} reports no confidence.")
        return 1
    predicted, true = [sureness for sureness, _ in sure], [f1 for _, f1 in sure]
    bins = reliability_bins(predicted, true)
    silent = len(answers) - len(sure)
    print(f"{options.detector}: {len(sure)} answers on {len(folders)} sites, {silent} without sureness")
    held = _print_figures(bins, rank_correlation(predicted, true))
    if options.plot:
        options.plot.write_text(f"{_plot(bins, sure)}\n")
    if options.json:
        options.json.write_text(json.dumps(_data(bins, answers), indent=1) + "\n")
    return 0 if held else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="a folder of labelled sites")
    parser.add_argument(
        "--detector", default=DEFAULT_DETECTOR, metavar="NAME", help="the detector (default: %(default)s)"
    )
    parser.add_argument("--shipped", action="store_true", help="use the shipped model")
    parser.add_argument("--perturbed", action="store_true", help="add the answers under perturbations")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the reliability plot here, as SVG")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the bins and all answers here as JSON")
    parser.add_argument("--jobs", type=int, metavar="N", help="number of processes (default: one per core)")
    return parser.parse_args()


def _detectors(folders: list[Path], name: str, *, shipped: bool) -> dict[Path, str | Detector]:
    """Return the detector for each site."""
    if name != DEFAULT_DETECTOR or shipped:
        return dict.fromkeys(folders, name)
    return dict(held_out_entrant(folders).held_out)


def _print_figures(bins: list[ReliabilityBin], correlation: float) -> bool:
    print(f"{'answers':>8}{'sureness from':>16}{'to':>8}{'mean':>8}{'true F1':>10}{'error':>8}")
    for one in bins:
        print(
            f"{one.count:>8}{one.least:>16.3f}{one.most:>8.3f}{one.predicted:>8.3f}{one.true:>10.3f}{one.error:>8.3f}"
        )
    error = expected_calibration_error(bins)
    print_figure("largest error of a bin", f"{max(one.error for one in bins):.3f}")
    held = [
        print_figure("expected calibration error", f"{error:.3f}", f"{MOST_ERROR}", holds=error <= MOST_ERROR),
        correlation >= LEAST_CORRELATION,
    ]
    print(f"{'rank correlation with the true F1':<58} {correlation:>12.3f}   at least {LEAST_CORRELATION}", end="")
    print("" if held[1] else "  NOT HELD")
    return all(held)


def _plot(bins: list[ReliabilityBin], answers: list[tuple[float, float]]) -> str:
    points = [(one.predicted, one.true) for one in bins]
    return reliability(points, answers, title="Sureness and F1", titles=("sureness of the answer", "F1 it reached"))


def _data(bins: list[ReliabilityBin], answers: list[PerturbedAnswer]) -> dict[str, object]:
    return {
        "expected_calibration_error": expected_calibration_error(bins),
        "bins": [asdict(one) for one in bins],
        "answers": [asdict(answer) for answer in answers],
    }


if __name__ == "__main__":
    sys.exit(main())
