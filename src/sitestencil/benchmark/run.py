"""Running a detector over all sites of a folder."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from sitestencil.benchmark.labels import read_labels
from sitestencil.benchmark.scoring import Score, score
from sitestencil.errors import SiteError, SitestencilError
from sitestencil.extraction import extract_stored
from sitestencil.sources.stored import StoredSite


@dataclass(frozen=True, slots=True)
class SiteResult:
    """A detector on one site.

    Attributes:
        site: the site's id.
        score: against the labels; nothing right where the detector gave up.
        pages_loaded: beside the key page.
        milliseconds: of the whole extraction.
        error: why the detector gave up, if it did.
    """

    site: str
    score: Score
    pages_loaded: int
    milliseconds: float
    error: str | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """A detector on all sites."""

    detector: str
    sites: tuple[SiteResult, ...]

    def mean(self, figure: Callable[[SiteResult], float]) -> float:
        """Return the plain mean of a figure over the sites."""
        return mean(figure(result) for result in self.sites)

    def median(self, figure: Callable[[SiteResult], float]) -> float:
        """Return the median of a figure over the sites."""
        return median(figure(result) for result in self.sites)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            "detector": self.detector,
            "summary": {
                name: {"mean": self.mean(figure), "median": self.median(figure)} for name, figure in FIGURES.items()
            },
            "sites": [
                {
                    "site": result.site,
                    **{name: figure(result) for name, figure in FIGURES.items()},
                    "right": result.score.right,
                    "wrong": result.score.wrong,
                    "missed": result.score.missed,
                    "error": result.error,
                }
                for result in self.sites
            ],
        }


FIGURES: dict[str, Callable[[SiteResult], float]] = {
    "precision": lambda result: result.score.precision,
    "recall": lambda result: result.score.recall,
    "f1": lambda result: result.score.f1,
    "pages_loaded": lambda result: result.pages_loaded,
    "ms": lambda result: result.milliseconds,
}


def run_benchmark(
    folders: Sequence[Path], detector: str, done: Callable[[SiteResult], None] = lambda _: None
) -> BenchmarkResult:
    """Run a detector over stored, labelled sites; ``done`` is told of each.

    Raises:
        SiteError: a site's files are not as they should be.
    """
    results = []
    for folder in folders:
        result = run_site(folder, detector)
        results.append(result)
        done(result)
    return BenchmarkResult(detector, tuple(results))


def run_site(folder: Path, detector: str) -> SiteResult:
    """Run a detector over one stored, labelled site.

    A detector that gives up on a site gets nothing right there, as if it had returned nothing.

    Raises:
        SiteError: the site's files are not as they should be.
    """
    site, labels = read_labels(folder)
    source = StoredSite(folder)
    try:
        template = asyncio.run(extract_stored(source, detector=detector))
    except SiteError:
        raise
    except SitestencilError as error:
        return SiteResult(site.id, score([False] * len(labels), labels), 0, 0.0, str(error))
    if len(template.elements) != len(labels):
        raise SiteError(f"{folder}: {len(labels)} labels, but the key page has {len(template.elements)} elements.")
    found = score(template.elements, labels)
    return SiteResult(site.id, found, template.pages_loaded, template.timings_ms["total"])
