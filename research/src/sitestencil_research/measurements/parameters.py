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
    print(f"{'':<48} {'precision':>9} {'recall':>9} {'F1':>9} {'median F1':>9} {'compared':>9}")
    for name, detector in detectors():
        scores, compared = zip(*(run(site, detector) for site in sites), strict=True)
        figures = (
            mean(of_site.precision for of_site in scores),
            mean(of_site.recall for of_site in scores),
            mean(of_site.f1 for of_site in scores),
            median(of_site.f1 for of_site in scores),
        )
        columns = "".join(f" {figure:>9.3f}" for figure in figures)
        print(f"{name:<48}{columns} {mean(compared):>9.1f}", flush=True)


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
