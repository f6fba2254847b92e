"""Run the published detectors with other parameters.

``python -m sitestencil_research.measurements.parameters ../shared/benchmark/sites``.

It prints mean precision, recall and F1, the median F1 over the labelled sites, and the pages compared. It runs
Alignment with t = 2 to 32 and with other seeds, SiteLevel with other thetas, and HybEx with both of TemEx'
configurations. A detector that gives up on a site gets nothing right there.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from sitestencil.detectors import Detector
from sitestencil.detectors.alignment.detector import Alignment
from sitestencil.detectors.hybex.detector import HybEx
from sitestencil.detectors.sitelevel.detector import SiteLevel, SiteLevelParameters
from sitestencil.detectors.temex.detector import HYBEX_ADDON, THESIS, TemEx
from sitestencil.errors import SitestencilError
from sitestencil.site.loading import PageLoader
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.scoring import Score, score


def detectors() -> Iterator[tuple[str, Detector]]:
    """Yield the detectors to run."""
    for pages in (2, 4, 8, 16, 32):
        yield f"alignment, t = {pages}", Alignment(pages=pages)
    for seed in (1, 2, 3):
        yield f"alignment, t = 16, seed {seed}", Alignment(seed=seed)
    for theta in (0.05, 0.1, 0.2, 0.5):
        yield f"sitelevel, theta = {theta:.0%}", SiteLevel(SiteLevelParameters(theta=theta))
    yield "sitelevel, theta = 10%, no rule for inner nodes", SiteLevel(SiteLevelParameters(covered=1))
    yield "sitelevel, theta = 10%, 50 pages", SiteLevel(most_pages=50)
    for name, parameters in (("add-on", HYBEX_ADDON), ("thesis", THESIS)):
        yield f"temex, the {name}'s configuration", TemEx(parameters)
        yield f"hybex, the {name}'s configuration", HybEx(parameters)


def main() -> None:
    """Print a line per detector."""
    sites = sites_in(arguments(__doc__).parse_args().folders)
    rows = (row(name, [run(site, detector) for site in sites]) for name, detector in detectors())
    print_markdown(["", "precision", "recall", "F1", "median F1", "compared"], rows)


def row(name: str, of_sites: list[tuple[Score, int]]) -> list[str]:
    """Return the cells of a detector, from its score and its number of pages on each site."""
    scores, compared = zip(*of_sites, strict=True)
    means = (mean(getattr(score, figure) for score in scores) for figure in ("precision", "recall", "f1"))
    middle = median(score.f1 for score in scores)
    return [name, *(f"{figure:.3f}" for figure in (*means, middle)), f"{mean(compared):.1f}"]


def run(folder: Path, detector: Detector) -> tuple[Score, int]:
    """Return a detector's score on a site, and the number of pages it compared."""
    site = read_labelled_key_page(folder)
    key_page, labels = site.page.document, site.page.labels
    try:
        detection = asyncio.run(detector.detect(key_page, PageLoader(key_page, site.source)))
    except SitestencilError:
        return score([False] * len(labels), labels), 0
    return score(detection.template, labels), len(detection.candidates)


if __name__ == "__main__":
    main()
