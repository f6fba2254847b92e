"""Measure learned templates on further pages like the key page, and on pages of other kinds.

    python -m sitestencil_research.measurements.learned ../shared/benchmark/sites ../shared/benchmark/opened

The detector `stencil` learns each labelled site's template from its key page. The template is then applied to
stored pages of the site, whose labels come from the annotators' selectors. The first table shows F1 of the applied
template and of a new detection, on pages like the key page. The second shows the curve of the fit over all pages,
with pages like the key page apart: on these the selectors match what they match on the key page. Then come the
size, and the processor time with parsing, as a multiple of the floor. The floor is to parse a page and walk over
its tree once, in the same run.
"""

import argparse
import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import process_time

from sitestencil.detectors.learned_template import MAPPING_FITS_FROM, LearnedTemplate
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.page.gc_pause import collector_paused
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import LabelledPage, labelled_sites, read_labels
from sitestencil_research.measurements.figures import best_of
from sitestencil_research.measurements.speed import parse_and_walk
from sitestencil_research.scoring import score
from sitestencil_research.training.label_transfer import (
    Selectors,
    finds_enough,
    read_selectors,
    selector_hits,
    sibling_pages,
    transferred_labels,
)

MOST_PAGES = 80
REPEATS = 5
THRESHOLDS = [step / 20 for step in range(4, 20)]


@dataclass(frozen=True, slots=True)
class FurtherPage:
    """A page like the key page: F1 of the applied template, F1 of a new detection, and the cost in floors."""

    applied: float
    anew: float
    floors: float


@dataclass(frozen=True, slots=True)
class AnyPage:
    """A page of the site: whether it is like the key page, its fit, and F1 of the applied template."""

    same_kind: bool
    fit: float
    f1: float


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """A site's figures; the size is the learned template's bytes per element of the key page."""

    site: str
    bytes_per_element: float
    further: list[FurtherPage]
    pages: list[AnyPage]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure learned templates on labelled sites.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of labelled sites")
    options = parser.parse_args()
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    with ProcessPoolExecutor() as pool:
        sites = list(pool.map(figures_of, folders))
    print_further(sites)
    print_curve([page for site in sites for page in site.pages])
    sizes = [site.bytes_per_element for site in sites]
    sys.stdout.write(f"bytes per element of the key page: median {median(sizes):.0f}, most {max(sizes):.0f}\n")
    return 0


def figures_of(folder: Path) -> SiteFigures:
    """Return the figures of one site."""
    site, (_, labels), selectors = StoredSite(folder), read_labels(folder), read_selectors(folder)
    key_page = site.load_key_page().document()
    learned = asyncio.run(Stencil().learn(key_page, PageLoader(key_page, site)))
    further = [
        further_page(site, learned, page) for page in sibling_pages(site, LabelledPage(key_page, labels), selectors)
    ]
    pages = any_pages(site, learned, selectors) if selectors else []
    return SiteFigures(folder.name, len(learned.to_bytes()) / len(key_page), further, pages)


def further_page(site: StoredSite, learned: LearnedTemplate, page: LabelledPage) -> FurtherPage:
    """Return the figures of a page like the key page."""
    document = page.document
    file = site.file(document.url)
    assert file is not None
    loaded, html = LoadedPage(document.url, file.read_bytes(), "stored"), file.read_bytes()
    anew = asyncio.run(Stencil().detect(document, PageLoader(document, site)))
    with collector_paused():
        floor = best_of(REPEATS, lambda: parse_and_walk(html), process_time)
        applying = best_of(REPEATS, lambda: learned.apply(LoadedPage(document.url, html, "stored")), process_time)
    applied = score(learned.apply(loaded).template, page.labels).f1
    return FurtherPage(applied, score(anew.template, page.labels).f1, applying / floor)


def any_pages(site: StoredSite, learned: LearnedTemplate, selectors: list[Selectors]) -> list[AnyPage]:
    """Return the figures of stored pages of all kinds."""
    key_html = (site.pages / site.key_path).read_bytes()
    wanted, pages = selector_hits(key_html, selectors), []
    for file in sorted(site.pages.rglob("*.htm*"))[:MOST_PAGES]:
        html, url = file.read_bytes(), site.url_of(file.relative_to(site.pages).as_posix())
        applied, labels = learned.apply(LoadedPage(url, html, "stored")), transferred_labels(html, selectors)
        if len(labels) == len(applied.template):
            same_kind = finds_enough(selector_hits(html, selectors), wanted)
            pages.append(AnyPage(same_kind, applied.fit, score(applied.template, labels).f1))
    return pages


def print_further(sites: list[SiteFigures]) -> None:
    """Print F1 of applied templates beside new detections, as means over the sites, and the cost."""
    with_pages = [site.further for site in sites if site.further]
    applied = [mean(page.applied for page in pages) for pages in with_pages]
    anew = [mean(page.anew for page in pages) for pages in with_pages]
    floors = [page.floors for pages in with_pages for page in pages]
    sys.stdout.write(
        f"{len(floors)} further pages of the key page's kind on {len(with_pages)} sites\n"
        f"          mean F1  median  sites below .85\n"
        f"applied   {mean(applied):.4f}   {median(applied):.4f}  {sum(f1 < 0.85 for f1 in applied)}\n"
        f"anew      {mean(anew):.4f}   {median(anew):.4f}  {sum(f1 < 0.85 for f1 in anew)}\n"
        f"cost of applying, in floors: median {median(floors):.2f}, most {max(floors):.2f}\n\n"
    )


def print_curve(pages: list[AnyPage]) -> None:
    """Print, per threshold of the fit, the share of pages above it, and F1 above and below it."""
    same = [page for page in pages if page.same_kind]
    other = [page for page in pages if not page.same_kind]
    sys.stdout.write(f"{len(same)} pages of the key page's kind, {len(other)} others\n")
    sys.stdout.write("  fit >=  of its kind  others  F1 above  F1 below\n")
    for threshold in THRESHOLDS:
        above = [page.f1 for page in pages if page.fit >= threshold]
        below = [page.f1 for page in pages if page.fit < threshold]
        shares = (sum(page.fit >= threshold for page in group) / max(1, len(group)) for group in (same, other))
        figures = (*shares, mean(above or [0.0]), mean(below or [0.0]))
        mark = " <" if threshold == MAPPING_FITS_FROM else ""
        sys.stdout.write(f"  {threshold:.2f}  " + "".join(f"{figure:10.3f}" for figure in figures) + f"{mark}\n")


if __name__ == "__main__":
    sys.exit(main())
