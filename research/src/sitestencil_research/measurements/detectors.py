"""Measure the published detectors' time and memory.

``python -m sitestencil_research.measurements.detectors ../shared/benchmark/sites``.

It prints these figures, each with its bound:

* ConEx on pages of 2,000 elements and on the benchmark's largest page;
* its centroid against the quadratic definition;
* the alignment of 16 pages of 3,000 tokens;
* the peak memory of a process that runs a detector on all sites of the folder.

The times are the best of a few runs, in this process.
"""

import argparse
import math
import subprocess
import sys
from pathlib import Path
from random import Random

from sitestencil.detectors.alignment.distillation import distill, page_profile
from sitestencil.detectors.hybex.conex import main_content
from sitestencil.detectors.hybex.medoid import Point, medoid
from sitestencil.errors import SitestencilError
from sitestencil.extraction import extract
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites
from sitestencil_research.measurements.figures import best_of, peak_megabytes, print_figure

MEASURED_DETECTORS = ("conex", "hybex", "sitelevel", "alignment")
ELEMENTS, PAGES, TOKENS = 2000, 16, 3000


def main() -> int:
    """Print the figures; return 0 if every bound holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of stored sites")
    parser.add_argument(
        "--memory-of", metavar="DETECTOR", help="run this detector on all sites and print the peak MB"
    )
    options = parser.parse_args()
    try:
        sites = labelled_sites(options.folder)
    except SitestencilError as error:
        sys.exit(str(error))
    if options.memory_of:
        detect_on(sites, options.memory_of)
        print(peak_megabytes())
        return 0
    held = [conex_times(sites), medoid_ratio(), alignment_times(), memory(options.folder)]
    return 0 if all(held) else 1


def conex_times(sites: list[Path]) -> bool:
    """Print ConEx's time on parsed documents."""
    largest = max((StoredSite(site).load_key_page().document() for site in sites), key=len)
    pages = [
        (f"ConEx, {ELEMENTS} elements, a flat list of texts", generated(5)),
        (f"ConEx, {ELEMENTS} elements, deep", generated(12)),
        (f"ConEx, the largest key page, {len(largest)} elements", largest),
    ]
    held = []
    for what, page in pages:
        seconds = best_of(7, lambda page=page: main_content(page))  # type: ignore[misc]
        held.append(print_figure(what, f"{1000 * seconds:.1f} ms", "50 ms", holds=seconds <= 0.05))
    return all(held)


def medoid_ratio() -> bool:
    """Print the speed-up of the centroid over the quadratic definition, on points that all differ."""
    random = Random(1)
    points = [tuple(random.gauss(0, 1) for _ in range(4)) for _ in range(ELEMENTS)]
    if medoid(points) != quadratic(points):
        return print_figure("centroid", "differs", holds=False)
    ours, published = best_of(5, lambda: medoid(points)), best_of(1, lambda: quadratic(points))
    print_figure(f"centroid of {ELEMENTS} different points", f"{1000 * ours:.1f} ms")
    print_figure("  by all distances, as published", f"{1000 * published:.0f} ms")
    return print_figure("  ratio", f"{published / ours:.0f}")


def quadratic(points: list[Point]) -> int:
    """Return the medoid by its definition."""
    return min(range(len(points)), key=lambda i: sum(math.dist(points[i], other) for other in points))


def alignment_times() -> bool:
    """Print the time to align sixteen token sequences, from equal pages to wholly different ones."""
    held = []
    for shared in (1.0, 0.7, 0.3, 0.0):
        profiles = [page_profile(page, is_key=not number) for number, page in enumerate(token_pages(shared))]
        seconds = best_of(3, lambda profiles=profiles: distill(profiles))  # type: ignore[misc]
        what = f"alignment, {PAGES} pages of {TOKENS} tokens, {shared:.0%} shared"
        held.append(print_figure(what, f"{seconds:.2f} s", "2 s", holds=seconds <= 2))
    return all(held)


def memory(folder: Path) -> bool:
    """Print the peak memory of a process per detector."""
    held = []
    for name in MEASURED_DETECTORS:
        command = [sys.executable, __file__, str(folder), "--memory-of", name]
        peak = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        held.append(print_figure(f"peak memory, {name}, all sites", f"{peak:.0f} MB", "200 MB", holds=peak <= 200))
    return all(held)


def detect_on(sites: list[Path], detector: str) -> None:
    """Run a detector on all sites."""
    for site in sites:
        try:
            extract(site, detector=detector)
        except SitestencilError as error:
            print(f"{site.name}: {error}", file=sys.stderr)


def generated(depth: int) -> Document:
    """Return a page of 2,000 elements whose texts all differ in length."""
    random = Random(depth)
    blocks, count = [], 3
    while count + depth <= ELEMENTS:
        words = "word " * random.randrange(1, 400)
        blocks.append("<div>" * (depth - 1) + f"<p>{words}</p>" + "</div>" * (depth - 1))
        count += depth
    body = "".join(blocks) + "<p>x</p>" * (ELEMENTS - count - 1)
    return parse(f"<!doctype html><body><div>{body}</div>", "http://example.org/")


def token_pages(shared: float) -> list[list[int]]:
    """Return pages that share some of their tokens, in order; all other tokens are unique."""
    random = Random(2)
    pages = []
    for page in range(PAGES):
        own = (PAGES + page) * TOKENS
        pages.append([token if random.random() < shared else own + token for token in range(TOKENS)])
    return pages


if __name__ == "__main__":
    sys.exit(main())
