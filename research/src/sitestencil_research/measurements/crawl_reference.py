"""Compare the crawl's walk with its reference on all stored pages of sites.

    python -m sitestencil_research.measurements.crawl_reference ../shared/benchmark/sites ../shared/benchmark/opened

Each site is a crawl. `LearnedTemplate.apply` compares every element of a page; the walk passes over what looks like
the learned template. On the pages that a template answers, the words of both texts are compared.
"""

import argparse
import logging
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sitestencil.content.main_content import ContentChoice
from sitestencil.crawl.document_text import document_text
from sitestencil.crawl.input.crawled import site_of
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import WALK_FITS_FROM, best_group, learn_site
from sitestencil.errors import PageUnavailable
from sitestencil.page.words import words
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites
from sitestencil_research.measurements.crawl_quality import crawl_of

UNLIKE_BELOW = 0.9


@dataclass(frozen=True, slots=True)
class Likeness:
    """A page's address, the walk's fit, F1 of its words against the reference, and the share of those it keeps."""

    url: str
    fit: float
    f1: float
    kept: float


def main() -> int:
    """Print the numbers of pages that differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of labelled sites")
    parser.add_argument("--pages", action="store_true", help="also print each page that differs")
    options = parser.parse_args()
    sites = [site for folder in options.folders for site in labelled_sites(folder)]
    with ProcessPoolExecutor() as pool:
        pages = [page for of_site in pool.map(likenesses, sites) for page in of_site]
    unlike = sorted((page for page in pages if page.f1 < UNLIKE_BELOW), key=lambda page: page.f1)
    lost = sum(page.kept <= 0.5 for page in unlike)
    print(f"{len(pages):,} pages answered by template on {len(sites)} sites")
    print(f"{len(unlike)} ({len(unlike) / len(pages):.1%}) differ by a word F1 below {UNLIKE_BELOW}")
    print(f"{lost} of them lose half of their words or more")
    if options.pages:
        for page in unlike:
            print(f"{page.f1:.2f} fit {page.fit:.2f} {page.url}")
    return 0


def likenesses(folder: Path) -> list[Likeness]:
    """Return how like the reference the pages of a site are."""
    logging.disable(logging.CRITICAL)
    site, found = StoredSite(folder), list[Likeness]()
    groups = learn_site(site_of(site.key_url), crawl_of(site), choice=ContentChoice(around=True)).groups
    for page in crawl_of(site) if groups else ():
        sample = SamplePage(page)
        try:
            group, measured = best_group(sample, groups)
        except PageUnavailable:
            continue
        if measured.fit.share < WALK_FITS_FROM:
            continue
        document = sample.document
        reference = Counter(words(document_text(document, group.compiled.learned.apply(document))))
        given = Counter(words(sample.walked(group.compiled).text))
        common, total = (given & reference).total(), given.total() + reference.total()
        f1 = 2 * common / total if total else 1.0
        found.append(Likeness(page.url, measured.fit.share, f1, common / max(1, reference.total())))
    return found


if __name__ == "__main__":
    sys.exit(main())
