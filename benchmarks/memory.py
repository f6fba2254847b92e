"""Measure the memory of sites on ten further pages of each labelled site, beside new detections.

    python benchmarks/memory.py ../shared/benchmark/sites ../shared/benchmark/opened

On each site the key page's template is detected and remembered, in a store on disk. Then up to ten further stored
pages like the key page follow one by one, labelled by the annotators' selectors. If the memory fits a page, the
answer comes from memory. If it does not fit, or the answer has to be checked, the page is detected again, and the
new template is remembered. F1 is the mean of the sites' means. The time of an answer from memory is wall time: read
the site's templates from disk and apply them to a parsed page.
"""

import argparse
import asyncio
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from time import perf_counter

from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.evaluation.labels import LabelledPage, labelled_sites, read_labels
from sitestencil.evaluation.scoring import score
from sitestencil.evaluation.training.label_transfer import read_selectors, sibling_pages
from sitestencil.memory.answering import MemoryAnswer, answer_from, remember
from sitestencil.memory.store import TemplateStore
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template

MOST_PAGES = 10
MOST_TRIED = 60
DETECTOR = "stencil"


@dataclass(frozen=True, slots=True)
class Visit:
    """A further page: F1 anew, at first and at last; whether memory answered, and whether that was checked."""

    anew: float
    first: float
    last: float
    is_remembered: bool
    is_checked: bool
    milliseconds: float


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure a memory of sites.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of labelled sites")
    options = parser.parse_args()
    folders = [site for folder in options.folders for site in labelled_sites(folder)]
    with ProcessPoolExecutor() as pool:
        sites = [visits for visits in pool.map(visits_of, folders) if visits]
    print_table(sites)
    return 0


def visits_of(folder: Path) -> list[Visit]:
    """Return the visits to the further pages of one site."""
    site, (_, labels), selectors = StoredSite(folder), read_labels(folder), read_selectors(folder)
    key_page = site.load_key_page().document()
    pages = sibling_pages(site, LabelledPage(key_page, labels), selectors, MOST_PAGES, MOST_TRIED)
    if not pages:
        return []
    with tempfile.TemporaryDirectory() as data:
        store = TemplateStore(Path(data) / "templates.sqlite3")
        remember(store, detected(key_page, site), None)
        return [visit(store, site, page) for page in pages]


def visit(store: TemplateStore, site: StoredSite, page: LabelledPage) -> Visit:
    """Visit a page, remember its template, and return the figures."""
    start = perf_counter()
    with collector_paused():
        answer = answer_from(store.of_page(page.document.url, DETECTOR), page.document)
    milliseconds = 1000 * (perf_counter() - start)
    anew = detected(page.document, site)
    last, is_checked = anew, answer is not None and not answer.is_sure
    if answer is not None and answer.is_sure:
        last = answer.template
    else:
        remember(store, anew, answer)
    return Visit(
        f1(anew, page),
        f1(first_shown(answer, anew), page),
        f1(last, page),
        answer is not None,
        is_checked,
        milliseconds,
    )


def first_shown(answer: MemoryAnswer | None, anew: Template) -> Template:
    """Return the template that a person sees first."""
    return anew if answer is None else answer.template


def detected(page: Document, site: StoredSite) -> Template:
    """Return a page's template by a new detection."""
    return Template(page, asyncio.run(Stencil().detect(page, PageLoader(page, site))), DETECTOR)


def f1(template: Template, page: LabelledPage) -> float:
    """Return the F1 of a template against a page's labels."""
    return score(template.elements, page.labels).f1


def print_table(sites: list[list[Visit]]) -> None:
    """Print F1 of all answers, how often memory answers and is checked, and the time of an answer from memory."""
    visits = [one for visits in sites for one in visits]
    write = sys.stdout.write
    write(f"{len(visits)} further pages of {len(sites)} sites\n             mean F1  sites below .85\n")
    for name, values in (
        ("anew", [[one.anew for one in site] for site in sites]),
        ("seen first", [[one.first for one in site] for site in sites]),
        ("in the end", [[one.last for one in site] for site in sites]),
    ):
        means = [mean(site) for site in values]
        write(f"{name:12} {mean(means):.4f}   {sum(value < 0.85 for value in means)}\n")
    remembered = [one for one in visits if one.is_remembered]
    checked = sum(one.is_checked for one in visits)
    times = sorted(one.milliseconds for one in remembered)
    write(f"answered from memory: {len(remembered)} of {len(visits)}; of these {checked} had to be checked\n")
    write(f"time of an answer from memory: median {median(times):.1f} ms, ")
    write(f"19 of 20 within {quantiles(times, n=20)[-1]:.1f} ms, most {times[-1]:.1f} ms\n")


if __name__ == "__main__":
    sys.exit(main())
