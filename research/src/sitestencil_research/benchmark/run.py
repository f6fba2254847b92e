"""Run a detector on all sites of a folder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from sitestencil.detectors import Detector
from sitestencil.errors import SitestencilError, UnusableSite
from sitestencil.extraction import extract
from sitestencil.page.document import Document
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import read_labels
from sitestencil_research.metrics import MEASURES, TemplateAnswer, TextVisibility, text_visibility
from sitestencil_research.scoring import Score

_NOTHING_SHOWN = TextVisibility(content_visible=0.0, template_hidden=1.0)


@dataclass(frozen=True, slots=True)
class SiteResult:
    """A detector's result on one site.

    Attributes:
        site: the site's id.
        score: the score against the labels; nothing is right if the detector gave up.
        pages_loaded: pages requested besides the key page, failed ones included.
        milliseconds: the time of the whole extraction.
        error: why the detector gave up, if it did.
        scores: the score by every measure of `sitestencil_research.metrics`.
        visibility: the shares of the key page's texts that a person sees.
    """

    site: str
    score: Score
    pages_loaded: int
    milliseconds: float
    error: str | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    visibility: TextVisibility = _NOTHING_SHOWN

    def f1(self, measure: str) -> float | None:
        """Return F1 by a measure; None if the page's template has nothing to find by it."""
        score = self.scores[measure]
        return score.f1 if score.is_defined else None


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """A detector's results on all sites."""

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
                    **{
                        measure: {"right": score.right, "wrong": score.wrong, "missed": score.missed}
                        for measure, score in result.scores.items()
                    },
                    "error": result.error,
                }
                for result in self.sites
            ],
        }


FIGURES: dict[str, Callable[[SiteResult], float]] = {
    "precision": lambda result: result.score.precision,
    "recall": lambda result: result.score.recall,
    "f1": lambda result: result.score.f1,
    "content_words_f1": lambda result: result.scores["content_words"].f1,
    "content_visible": lambda result: result.visibility.content_visible,
    "template_hidden": lambda result: result.visibility.template_hidden,
    "pages_loaded": lambda result: result.pages_loaded,
    "ms": lambda result: result.milliseconds,
}


def run_site(folder: Path, detector: str | Detector) -> SiteResult:
    """Run a detector on one stored, labelled site.

    A detector that gives up scores as if it had returned nothing.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    site, labels = read_labels(folder)
    source = StoredSite(folder)
    try:
        template = extract(source, detector=detector)
    except UnusableSite:
        raise
    except SitestencilError as error:
        return gave_up(site.id, source.load_key_page().document(), labels, str(error))
    answer = TemplateAnswer(template.document, template.elements, template.detection.template_texts)
    return measured(site.id, answer, labels, template.loads, template.timings_ms["total"])


def measured(site: str, answer: TemplateAnswer, labels: str, pages_loaded: int, milliseconds: float) -> SiteResult:
    """Return the figures of an answer for a site's key page.

    Raises:
        UnusableSite: the number of labels differs from the number of elements.
    """
    if len(answer.elements) != len(labels):
        raise UnusableSite(f"{site}: {len(labels)} labels, but the key page has {len(answer.elements)} elements.")
    scores = {name: measure.score(answer, labels) for name, measure in MEASURES.items()}
    visible = text_visibility(answer, labels)
    return SiteResult(site, scores["elements"], pages_loaded, milliseconds, None, scores, visible)


def gave_up(site: str, document: Document, labels: str, reason: str) -> SiteResult:
    """Return the figures of a detector that gave no answer: it missed all of the template."""
    nothing = measured(site, TemplateAnswer.of_elements(document, [False] * len(labels)), labels, 0, 0.0)
    missed = {name: Score(0, 0, of_one.right + of_one.missed) for name, of_one in nothing.scores.items()}
    return replace(nothing, error=reason, scores=missed)
