"""What it costs to follow only links that look like pages, as on private networks and in a person's session.

    python -m sitestencil_research.measurements.private_sites ../shared/benchmark/sites ../shared/benchmark/opened

Each labelled site is asked as if it were public, and as if it were private. The table: on how many sites at least
three links may be followed, the pages that were compared, and F1 of the detector `stencil`.
"""

import argparse
import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.site.links import site_links
from sitestencil.site.loading import PageLoader
from sitestencil.site.menu_links import menu_links
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites, read_labels
from sitestencil_research.scoring import score

ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Figures:
    """A site's: how many links may be followed, how many pages came, and F1."""

    links: int
    pages: int
    f1: float


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure what it costs to follow only links that look like pages.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of labelled sites")
    options = parser.parse_args()
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    with ProcessPoolExecutor() as pool:
        sites = list(pool.map(figures_of, folders))
    lines = ["| links followed | sites | with 3 links or more | pages, mean | F1, mean | F1, median |"]
    lines.append("|:--|--:|--:|--:|--:|--:|")
    for name, column in zip(("all that do not act", "that look like pages"), zip(*sites, strict=True), strict=True):
        enough = sum(site.links >= ENOUGH for site in column)
        f1 = [site.f1 for site in column]
        pages = mean(site.pages for site in column)
        lines.append(f"| {name} | {len(f1)} | {enough} | {pages:.1f} | {mean(f1):.4f} | {median(f1):.4f} |")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def figures_of(folder: Path) -> tuple[Figures, Figures]:
    """Return a site's figures, public and private."""
    site, labels = StoredSite(folder), read_labels(folder)[1]
    key_page = site.load_key_page().document()

    def measured(links: frozenset[str], allowed: frozenset[str] | None) -> Figures:
        loader = PageLoader(key_page, site, seconds=float("inf"), allowed=allowed)
        detection = asyncio.run(Stencil().detect(key_page, loader))
        return Figures(len(links), loader.pages_received, score(detection.template, labels).f1)

    some = frozenset(link.page for link in menu_links(key_page))
    return measured(frozenset(link.page for link in site_links(key_page)), None), measured(some, some)


if __name__ == "__main__":
    sys.exit(main())
