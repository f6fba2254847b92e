"""Measure what the memory of sites gives: F1 over 20 visits of each labelled site, beside new detections.

    python -m sitestencil_research.measurements.memory ../shared/benchmark/sites ../shared/benchmark/opened

A person visits up to 20 stored pages like the key page, labelled by the annotators' selectors. Each is detected
with the pages remembered so far, in a store on disk, and anew without them. Then each site changes after half of
the visits, in one of three ways: all classes and ids change and a wrapper comes around the page; each text of the
frame changes; a banner comes on top. Pages visited and loaded change alike. F1 is the mean of the sites' means.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean, median, quantiles
from time import perf_counter

from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.memory.store import FILE_NAME, PageStore
from sitestencil.page.document import Document
from sitestencil.site.known_pages import KnownPages
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources import Source
from sitestencil_research.labels import NOT_SCORED, LabelledPage, read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.perturbations import page_changes
from sitestencil_research.perturbations.editable_tree import EditedDocument
from sitestencil_research.perturbations.sources import ChangedPages, ParsedPages
from sitestencil_research.running import results_in_order
from sitestencil_research.scoring import score
from sitestencil_research.training.label_transfer import sibling_pages

MOST_VISITS, MOST_TRIED, FEWEST_VISITS = 20, 60, 4
STAYS = "stays as it is"
CHANGES = (STAYS, "new classes, a wrapper", "new words in the frame", "a banner")
VISITS = (1, 1), (2, 4), (5, 7), (8, 10), (11, 15), (16, 20)
Change = Callable[[Document], EditedDocument]


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit: F1 with the memory and without, and the loads and milliseconds with it."""

    remembering: float
    forgetting: float
    loads: int
    milliseconds: float


def main() -> int:
    """Print the tables."""
    works = list(product(CHANGES, sites_in(arguments(__doc__).parse_args().folders)))
    of_change: dict[str, list[list[Visit]]] = {change: [] for change in CHANGES}
    for (change, _), of_site in zip(works, results_in_order(visits_of, works), strict=True):
        if of_site:
            of_change[change].append(of_site)
    print_visits(of_change[STAYS])
    print_changes(of_change)
    return 0


def visits_of(change: str, folder: Path) -> list[Visit]:
    """Return the visits to one site, which changes after half of them."""
    site = read_labelled_key_page(folder)
    pages = sibling_pages(site, MOST_VISITS, MOST_TRIED)
    if len(pages) < FEWEST_VISITS:
        return []
    parsed = ParsedPages(site.source)
    edit = change_of(change, pages)
    changed = ChangedPages(parsed, lambda page: edit(page).document)
    with tempfile.TemporaryDirectory() as data:
        store = PageStore(Path(data) / FILE_NAME)
        visits = []
        for number, page in enumerate(pages):
            if change != STAYS and number >= len(pages) // 2:
                visits.append(visit(store, changed, edited(page, edit)))
            else:
                visits.append(visit(store, parsed, page))
        return visits


def visit(store: PageStore, source: Source, page: LabelledPage) -> Visit:
    """Visit a page, remember what is seen, and return the figures."""
    start, url = perf_counter(), page.document.url
    known = store.of_page(url)
    remembering, loads = f1(page, source, known)
    milliseconds = 1000 * (perf_counter() - start)
    store.remember(url, known)
    forgetting, _ = f1(page, source, KnownPages())
    return Visit(remembering, forgetting, loads, milliseconds)


def f1(page: LabelledPage, source: Source, known: KnownPages) -> tuple[float, int]:
    """Return the F1 of a detection against a page's labels, and its loads."""
    loader = PageLoader(page.document, source, known=known)
    detection = asyncio.run(Stencil().detect(page.document, loader))
    return score(detection.template, page.labels).f1, loader.loads


def change_of(name: str, pages: list[LabelledPage]) -> Change:
    """Return a change of all pages of a site."""
    counts = Counter(text for page in pages for text in {run.text.strip() for run in page.document.texts})
    frame = frozenset(text for text, count in counts.items() if text and 2 * count >= len(pages))
    changes: tuple[Change, ...] = (
        EditedDocument.unchanged,
        with_new_classes,
        partial(with_new_words, words=frame),
        page_changes.with_consent_banner,
    )
    return changes[CHANGES.index(name)]


def edited(page: LabelledPage, change: Change) -> LabelledPage:
    """Return a changed page with its labels; what is new is not scored."""
    after = change(page.document)
    return LabelledPage(after.document, after.labels(page.labels, NOT_SCORED))


def with_new_classes(page: Document) -> EditedDocument:
    """Rename all classes and ids, and put a wrapper around the body's content."""
    attributes = []
    for of_element in page.attributes:
        new = dict(of_element)
        for name in {"class", "id"} & set(new):
            new[name] = " ".join(f"{word}-new" for word in (new[name] or "").split())
        attributes.append(new)
    return page_changes.wrapped(replace(page, attributes=attributes))


def with_new_words(page: Document, words: frozenset[str]) -> EditedDocument:
    """Write these texts backwards."""
    texts = [run._replace(text=run.text[::-1]) if run.text.strip() in words else run for run in page.texts]
    return EditedDocument.unchanged(replace(page, texts=texts))


def print_visits(sites: list[list[Visit]]) -> None:
    """Print F1 by the number of the visit, with and without memory, and the time without a load."""
    write = sys.stdout.write
    write("| visits | sites | forgetting | remembering | visits with a load |\n|---|--:|--:|--:|--:|\n")
    for first, last in VISITS:
        some = [part for site in sites if (part := site[first - 1 : last])]
        write(f"| {first} to {last} | {len(some)} | {_row(some)} |\n")
    write(f"| **2 to 20** | {len(sites)} | {_row([site[1:] for site in sites])} |\n\n")
    times = sorted(one.milliseconds for site in sites for one in site if not one.loads)
    write(f"without a load: {median(times):.0f} ms, 19 of 20 within {quantiles(times, n=20)[-1]:.0f} ms\n\n")


def print_changes(of_change: dict[str, list[list[Visit]]]) -> None:
    """Print F1 after a change of the sites."""
    write = sys.stdout.write
    write(
        "| after half of the visits a site | forgetting | remembering | visits with a load |\n|---|--:|--:|--:|\n"
    )
    for change, sites in of_change.items():
        write(f"| {change} | {_row([site[len(site) // 2 :] for site in sites])} |\n")


def _row(sites: list[list[Visit]]) -> str:
    forgetting, remembering, loads = (
        mean(mean(value(one) for one in site) for site in sites)
        for value in (lambda one: one.forgetting, lambda one: one.remembering, lambda one: float(one.loads > 0))
    )
    return f"{forgetting:.4f} | {remembering:.4f} | {100 * loads:.0f} %"


if __name__ == "__main__":
    sys.exit(main())
