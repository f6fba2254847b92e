"""Measure `stencil` by the number of compared pages.

``python -m sitestencil_research.measurements.pages ../shared/benchmark/sites``.

Each key page is compared with 7, 12, 20 and 40 pages, in the order in which the detector would load them. It does
not stop when its answer is settled. Models have not seen the site's organisation. Below, F1 with seven pages stands
by the number of similar, near pages among them. Figures are means over sites and draws of the pages.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from sitestencil.detectors import Detector
from sitestencil.detectors.stencil.comparison import Budget, compare_pages
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.document import Document
from sitestencil.processes import results_as_done
from sitestencil.site.loading import PageLoader
from sitestencil.urls import page_key
from sitestencil_research.labels import labelled_sites, read_labelled_key_page
from sitestencil_research.perturbations.sources import ParsedPages
from sitestencil_research.scoring import score
from sitestencil_research.training.held_out import held_out_entrant

PAGES = (7, 12, 20, 40)
MOST_NEAR = 3


class Answer(NamedTuple):
    """F1 for each number of pages, and the number of near pages among the first seven."""

    is_home_page: bool
    f1: list[float]
    near: int


def main() -> int:
    """Print both tables; return 0 if no larger number of pages has a lower mean F1 than seven."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a folder of labelled sites")
    parser.add_argument("--draws", type=int, default=4, metavar="N", help="draws of pages (default: %(default)s)")
    parser.add_argument("--jobs", type=int, metavar="N", help="number of processes (default: one per core)")
    options = parser.parse_args()
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    detectors = held_out_entrant(folders).held_out
    works = {number: (folder, detectors[folder], options.draws) for number, folder in enumerate(folders)}
    by_site = dict(results_as_done(answers_for, works, options.jobs))
    answers = [answer for number in range(len(folders)) for answer in by_site[number]]
    inner = [answer for answer in answers if not answer.is_home_page]
    homes = [answer for answer in answers if answer.is_home_page]
    held = [
        print_kind(*kind) for kind in (("all", answers), ("inner pages", inner), ("home pages", homes)) if kind[1]
    ]
    return 0 if held[0] else 1


def answers_for(folder: Path, detector: Detector, draws: int) -> list[Answer]:
    """Return a site's answers, one for each draw in which a page could be compared."""
    site = read_labelled_key_page(folder)
    key_page, source = site.page.document, ParsedPages(site.source)
    is_home_page = page_key(key_page.url) == page_key(site.source.base_url)
    assert isinstance(detector, Stencil)
    answers = []
    for draw in range(draws):
        prepared, compared = asyncio.run(compared_pages(key_page, source, draw))
        if compared:
            by_number = [compared[min(number, len(compared)) - 1] for number in PAGES]
            found = [detector.decide(prepared, pages) for pages in by_number]
            f1 = [score(detection.template, site.page.labels).f1 for detection in found]
            answers.append(Answer(is_home_page, f1, by_number[0].near_count))
    return answers


async def compared_pages(key_page: Document, source: ParsedPages, draw: int) -> tuple[KeyPage, list[ComparedPages]]:
    """Return the key page, and the compared pages after each load."""
    stages: list[ComparedPages] = []

    def go_on(_: KeyPage, compared: ComparedPages, __: int) -> bool:
        stages.append(compared)
        return False

    budget = Budget(pages=PAGES[-1], loads=4 * PAGES[-1], rounds=(1, 1), draw=draw)
    prepared, *_ = await compare_pages(key_page, PageLoader(key_page, source), go_on, budget)
    return prepared, stages


def print_kind(kind: str, answers: Sequence[Answer]) -> bool:
    """Print the tables of one kind of page; return whether more pages never hurt."""
    means = [mean(of_number) for of_number in zip(*(answer.f1 for answer in answers), strict=True)]
    print(f"{kind}: {len(answers)} answers")
    for number, f1 in zip(PAGES, means, strict=True):
        print(f"{number:>4} pages {f1:>20.4f}{'' if f1 >= means[0] else '  NOT HELD'}")
    for near in range(MOST_NEAR + 1):
        f1s = [answer.f1[0] for answer in answers if min(answer.near, MOST_NEAR) == near]
        if f1s:
            print(f"{near:>4}{'+' if near == MOST_NEAR else ' '}near {mean(f1s):>20.4f} {len(f1s):>6} answers")
    return all(f1 >= means[0] for f1 in means)


if __name__ == "__main__":
    sys.exit(main())
