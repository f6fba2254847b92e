"""Measure how far each perturbation moves a detector's answer, per site and over sites."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from sitestencil.detectors import Detector
from sitestencil.errors import SitestencilError, UnusableSite
from sitestencil.extraction import extract
from sitestencil.template import Template
from sitestencil.urls import page_key
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.perturbations.catalogue import PERTURBATIONS, PlainRun, SiteVariant
from sitestencil_research.perturbations.sources import ParsedPages
from sitestencil_research.running import Done, ignored, results_in_order
from sitestencil_research.scoring import score

# The bounds for each perturbation: on the mean F1, and on every site's F1.
MOST_MEAN_CHANGE = 0.01
MOST_SITE_CHANGE = 0.1
# Changes that a live page meets on most days, one of each kind. Their mean rates a detector on sites as they come.
SIX_RUNS = (
    "wrapper_key_page",
    "empty_first_child",
    "host_renamed",
    "dead_link",
    "consent_banner",
    "script_leftovers",
)


@dataclass(frozen=True, slots=True)
class SiteRobustness:
    """A detector on one site: F1 and loads on the unchanged site, and F1 of each variant by perturbation.

    A perturbation that cannot happen there has no variants.
    """

    site: str
    is_home_page: bool
    f1: float
    pages_loaded: int
    perturbed: Mapping[str, Sequence[float]]

    def mean_f1(self, perturbation: str) -> float:
        """Return the mean F1 over a perturbation's variants; without variants, F1 on the unchanged site."""
        return mean(self.perturbed[perturbation] or [self.f1])

    def largest_change(self, perturbation: str) -> float:
        """Return the largest change of F1 by any variant."""
        return max((f1 - self.f1 for f1 in self.perturbed[perturbation]), key=abs, default=0.0)

    def runs_f1(self) -> float:
        """Return the mean F1 of the first variants of the `SIX_RUNS`; without one, F1 on the unchanged site."""
        return mean(next(iter(self.perturbed[name]), self.f1) for name in SIX_RUNS)


@dataclass(frozen=True, slots=True)
class PerturbationFigures:
    """The effect of a perturbation on the sites: each site counts with the mean of its variants.

    The largest change is that of one variant of one site. A site has moved if a variant moves its F1 by more than
    `MOST_SITE_CHANGE`.
    """

    mean_f1: float
    mean_change: float
    mean_absolute_change: float
    largest_change: float
    largest_change_site: str
    sites_moved: int

    @property
    def holds(self) -> bool:
        """Whether the answers stay within the bounds."""
        return abs(self.mean_change) <= MOST_MEAN_CHANGE and not self.sites_moved


@dataclass(frozen=True, slots=True)
class RunsFigures:
    """A detector's figures over the `SIX_RUNS`; a site's F1 is the mean over them."""

    mean_f1: float
    least_f1: float
    least_f1_site: str
    sites_below_085: int


@dataclass(frozen=True, slots=True)
class Robustness:
    """A detector on sites and their variants; there is at least one site."""

    sites: tuple[SiteRobustness, ...]

    def figures(self, perturbation: str) -> PerturbationFigures:
        """Return the effect of a perturbation on the sites."""
        changes = [site.mean_f1(perturbation) - site.f1 for site in self.sites]
        most_changed = max(self.sites, key=lambda site: abs(site.largest_change(perturbation)))
        return PerturbationFigures(
            mean(site.mean_f1(perturbation) for site in self.sites),
            mean(changes),
            mean(map(abs, changes)),
            most_changed.largest_change(perturbation),
            most_changed.site,
            sum(abs(site.largest_change(perturbation)) > MOST_SITE_CHANGE for site in self.sites),
        )

    def runs_figures(self) -> RunsFigures | None:
        """Return the figures over the `SIX_RUNS`; None if not all of them ran."""
        if not set(SIX_RUNS) <= set(self.perturbations):
            return None
        of_sites = [(site.runs_f1(), site.site) for site in self.sites]
        all_f1 = [f1 for f1, _ in of_sites]
        return RunsFigures(mean(all_f1), *min(of_sites), sum(f1 < 0.85 for f1 in all_f1))

    @property
    def perturbations(self) -> list[str]:
        """The names of the perturbations that ran."""
        return list(self.sites[0].perturbed)

    @property
    def mean_f1(self) -> float:
        """Mean F1 on the unchanged sites."""
        return mean(site.f1 for site in self.sites)

    def by_kind_of_page(self) -> "dict[str, Robustness]":
        """Return inner pages and home pages apart; a kind without pages is left out."""
        homes = tuple(site for site in self.sites if site.is_home_page)
        inner = tuple(site for site in self.sites if not site.is_home_page)
        return {kind: Robustness(sites) for kind, sites in (("inner pages", inner), ("home pages", homes)) if sites}

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            kind: {
                "sites": len(part.sites),
                "mean_f1": part.mean_f1,
                "six_runs": asdict(runs) if (runs := part.runs_figures()) else None,
                "perturbations": {name: _rounded(part.figures(name)) for name in part.perturbations},
                "by_site": {
                    site.site: {
                        "f1": round(site.f1, 4),
                        "pages_loaded": site.pages_loaded,
                        **{name: [round(f1, 4) for f1 in of_one] for name, of_one in site.perturbed.items()},
                    }
                    for site in part.sites
                },
            }
            for kind, part in self.by_kind_of_page().items()
        }


def measure_robustness(
    folders: Sequence[Path],
    detector: Callable[[Path], str | Detector],
    *,
    names: Sequence[str] = tuple(PERTURBATIONS),
    processes: int | None = None,
    done: Done = ignored,
) -> Robustness:
    """Run a detector on labelled sites, unchanged and perturbed; every run gives the same figures.

    Raises:
        UnusableSite: a site's files are missing or invalid.
    """
    tasks = [(folder, detector(folder), names) for folder in folders]
    return Robustness(tuple(results_in_order(run_perturbed_site, tasks, processes, done)))


def run_perturbed_site(
    folder: Path, detector: str | Detector, names: Sequence[str] = tuple(PERTURBATIONS)
) -> SiteRobustness:
    """Run a detector on a stored, labelled site, unchanged and perturbed.

    A detector that gives up scores as if it had returned nothing.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    plain, *variants = perturbed_answers(folder, detector, names)
    f1 = {name: [answer.f1 for answer in variants if answer.perturbation == name] for name in names}
    return SiteRobustness(plain.site, plain.is_home_page, plain.f1, plain.pages_loaded, f1)


@dataclass(frozen=True, slots=True)
class PerturbedAnswer:
    """A detector's answer for a site, unchanged (without a name) or perturbed; F1 is 0 if the detector gave up."""

    site: str
    is_home_page: bool
    perturbation: str
    f1: float
    pages_loaded: int
    confidence: float | None


def perturbed_answers(
    folder: Path, detector: str | Detector, names: Sequence[str] = tuple(PERTURBATIONS)
) -> list[PerturbedAnswer]:
    """Return a detector's answers for a site: first unchanged, then for each variant of each perturbation.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    site = read_labelled_key_page(folder)
    key_page, labels, source = site.page.document, site.page.labels, ParsedPages(site.source)
    is_home_page = page_key(key_page.url) == page_key(site.source.base_url)

    def answer(name: str, variant: SiteVariant, template: Template | None) -> PerturbedAnswer:
        if template is None:
            return PerturbedAnswer(site.id, is_home_page, name, 0.0, 0, None)
        f1 = score(template.elements, variant.labels).f1
        return PerturbedAnswer(site.id, is_home_page, name, f1, template.loads, template.confidence)

    plain = SiteVariant(key_page, labels, source)
    template = _extract(plain, detector)
    run = PlainRun(key_page, labels, source, template.candidates if template else (), source.answered)
    variants = [(name, variant) for name in names for variant in PERTURBATIONS[name].variants(run)]
    return [
        answer("", plain, template),
        *(answer(name, variant, _extract(variant, detector)) for name, variant in variants),
    ]


def _extract(variant: SiteVariant, detector: str | Detector) -> Template | None:
    try:
        return extract(variant.key_page, source=variant.source, detector=detector)
    except UnusableSite:
        raise
    except SitestencilError:
        return None


def _rounded(figures: PerturbationFigures) -> dict[str, float | str | bool]:
    rounded = {name: round(v, 4) if isinstance(v, float) else v for name, v in asdict(figures).items()}
    return {**rounded, "holds": figures.holds}
