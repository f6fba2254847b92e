"""How far a detector's answer moves under each perturbation: per site, and over sites."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from sitestencil.detectors import Detector
from sitestencil.errors import SitestencilError, UnusableSite
from sitestencil.evaluation.labels import read_labelled_key_page
from sitestencil.evaluation.perturbations.catalogue import PERTURBATIONS, PlainRun, SiteVariant
from sitestencil.evaluation.perturbations.sources import ParsedPages
from sitestencil.evaluation.process_pool import results_as_done
from sitestencil.evaluation.scoring import score
from sitestencil.extraction import extract
from sitestencil.template import Template
from sitestencil.urls import page_key

# What must hold of each perturbation: the mean F1 moves by no more, and no site's F1 does.
MOST_MEAN_CHANGE = 0.01
MOST_SITE_CHANGE = 0.1


@dataclass(frozen=True, slots=True)
class SiteRobustness:
    """A detector on one site and its variants.

    Attributes:
        site: the site's id.
        is_home_page: whether the key page is its home page.
        f1: of the site as it is.
        pages_loaded: beside the key page, of the site as it is.
        perturbed: by perturbation, F1 of each variant; none where it cannot happen there.
    """

    site: str
    is_home_page: bool
    f1: float
    pages_loaded: int
    perturbed: Mapping[str, Sequence[float]]

    def mean_f1(self, perturbation: str) -> float:
        """Return the mean F1 over a perturbation's variants; that of the site as it is where there are none."""
        return mean(self.perturbed[perturbation] or [self.f1])

    def largest_change(self, perturbation: str) -> float:
        """Return the change of F1 by the variant that changes it most."""
        return max((f1 - self.f1 for f1 in self.perturbed[perturbation]), key=abs, default=0.0)


@dataclass(frozen=True, slots=True)
class PerturbationFigures:
    """What a perturbation does to the sites.

    Attributes:
        mean_f1: over the sites; a site counts with the mean of its variants.
        mean_change: of the sites' F1, signed.
        mean_absolute_change: the mean of the changes without their signs.
        largest_change: of one variant of one site, signed.
        largest_change_site: the site's id.
        sites_moved: how many sites have a variant that moves F1 by more than `MOST_SITE_CHANGE`.
    """

    mean_f1: float
    mean_change: float
    mean_absolute_change: float
    largest_change: float
    largest_change_site: str
    sites_moved: int

    @property
    def holds(self) -> bool:
        """Whether the answers keep to the bounds."""
        return abs(self.mean_change) <= MOST_MEAN_CHANGE and not self.sites_moved


@dataclass(frozen=True, slots=True)
class Robustness:
    """A detector on sites and their variants; at least one."""

    sites: tuple[SiteRobustness, ...]

    def figures(self, perturbation: str) -> PerturbationFigures:
        """Return what a perturbation does to the sites."""
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

    @property
    def perturbations(self) -> list[str]:
        """The names of those that were tried."""
        return list(self.sites[0].perturbed)

    @property
    def mean_f1(self) -> float:
        """Mean F1 of the sites as they are."""
        return mean(site.f1 for site in self.sites)

    def by_kind_of_page(self) -> "dict[str, Robustness]":
        """Return the inner pages and the home pages apart; a kind that there is none of is left out."""
        homes = tuple(site for site in self.sites if site.is_home_page)
        inner = tuple(site for site in self.sites if not site.is_home_page)
        return {kind: Robustness(sites) for kind, sites in (("inner pages", inner), ("home pages", homes)) if sites}

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            kind: {
                "sites": len(part.sites),
                "mean_f1": part.mean_f1,
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
    done: Callable[[int, int], None] = lambda *_: None,
) -> Robustness:
    """Run a detector over labelled sites as they are and under perturbations; the same on every run.

    Args:
        folders: the sites.
        detector: gives the detector for a site.
        names: of the perturbations.
        processes: how many share the work; by default one for each core.
        done: is told how many sites of how many are done.

    Raises:
        UnusableSite: a site's files are not as they should be.
    """
    arguments = {number: (folder, detector(folder), names) for number, folder in enumerate(folders)}
    results: dict[int, SiteRobustness] = {}
    for number, result in results_as_done(run_perturbed_site, arguments, processes):
        results[number] = result
        done(len(results), len(arguments))
    return Robustness(tuple(results[number] for number in range(len(folders))))


def run_perturbed_site(
    folder: Path, detector: str | Detector, names: Sequence[str] = tuple(PERTURBATIONS)
) -> SiteRobustness:
    """Run a detector over a stored, labelled site as it is and under perturbations.

    A detector that gives up gets nothing right there, as if it had returned nothing.

    Raises:
        UnusableSite: the site's files are not as they should be.
    """
    site = read_labelled_key_page(folder)
    key_page, labels, source = site.page.document, site.page.labels, ParsedPages(site.source)
    template = _extract(SiteVariant(key_page, labels, source), detector)
    run = PlainRun(key_page, labels, source, template.candidates if template else (), source.answered)
    return SiteRobustness(
        site.id,
        page_key(key_page.url) == page_key(site.source.base_url),
        _f1(template, labels),
        template.pages_loaded if template else 0,
        {
            name: [
                _f1(_extract(variant, detector), variant.labels) for variant in PERTURBATIONS[name].variants(run)
            ]
            for name in names
        },
    )


def _extract(variant: SiteVariant, detector: str | Detector) -> Template | None:
    try:
        return extract(variant.key_page, source=variant.source, detector=detector)
    except UnusableSite:
        raise
    except SitestencilError:
        return None


def _f1(template: Template | None, labels: str) -> float:
    return score(template.elements, labels).f1 if template else 0.0


def _rounded(figures: PerturbationFigures) -> dict[str, float | str | bool]:
    return {
        "mean_f1": round(figures.mean_f1, 4),
        "mean_change": round(figures.mean_change, 4),
        "mean_absolute_change": round(figures.mean_absolute_change, 4),
        "largest_change": round(figures.largest_change, 4),
        "largest_change_site": figures.largest_change_site,
        "sites_moved": figures.sites_moved,
        "holds": figures.holds,
    }
