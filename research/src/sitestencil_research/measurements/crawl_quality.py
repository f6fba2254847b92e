"""Measure a crawl's content by the F1 of its words, beside new detections and other programs.

    python -m sitestencil_research.measurements.crawl_quality ../shared/benchmark/sites ../shared/benchmark/opened

Each site is a crawl: templates are learned from a few of its stored pages, and applied to other pages like the key
page. The labels of these pages come from the annotators' selectors. All entrants are scored by the words of their
text. A word is right as often as it stands in the content; words that are not scored, and texts of the content's
pictures, do not count. "single page, templates known" is a crawl of that page alone with the templates of an
earlier one, which had no scored page.

With --held-out each site is judged by trees that have not seen its organisation. This is the fair comparison with
other programs; the training takes some minutes. "page alone" is the answer for a site of one page. On a list
page, at least half of the content's words stand in links.
The figures are means over the sites of the means over their pages, with 95 % intervals by resampling the sites.
"""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from zlib import crc32

from sitestencil.content.main_content import ContentChoice
from sitestencil.crawl.content import Formats, SiteExtractor
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.learning import SiteTemplates, learn_site
from sitestencil.crawl.pages import AnsweredBy
from sitestencil.detectors.stencil.detector import Stencil, from_page_alone
from sitestencil.page.words import words
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template
from sitestencil.urls import site_host
from sitestencil_research.benchmark.calibration import rank_correlation
from sitestencil_research.benchmark.intervals import difference_interval, mean_interval
from sitestencil_research.benchmark.peers.matching import page_runs
from sitestencil_research.benchmark.peers.run import kept_text
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import CONTENT, NOT_SCORED, LabelledPage, read_labelled_key_page, read_labels
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.page_files import pages_by_address
from sitestencil_research.running import results_in_order
from sitestencil_research.training.label_transfer import sibling_pages
from sitestencil_research.training.stencil_training import held_out_detectors

CRAWL, KNOWN, ANEW, ALONE = "crawl", "single page, templates known", "detected anew", "page alone"
OTHERS = ("trafilatura (defaults)", "trafilatura (recall)", "resiliparse (main)", "readability-lxml (defaults)")


@dataclass(frozen=True, slots=True)
class PageFigures:
    """F1 per entrant for one page; way, fit and confidence of the crawl's answer; whether it lists links."""

    f1: dict[str, float]
    way: AnsweredBy
    fit: float | None
    confidence: float | None
    is_list: bool


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """The figures of a site's pages."""

    site: str
    category: str
    pages: list[PageFigures]

    @property
    def f1(self) -> dict[str, float]:
        """F1 per entrant, as means over the pages."""
        return {name: mean(page.f1[name] for page in self.pages) for name in self.pages[0].f1}


def main() -> int:
    """Print the tables."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--held-out", action="store_true", help="judge each site by trees that have not seen its organisation"
    )
    options = parser.parse_args()
    folders = sites_in(options.folders)
    detectors = held_out_detectors(folders) if options.held_out else dict.fromkeys(folders, Stencil())
    tasks = list(detectors.items())
    sites = [site for site in results_in_order(figures_of, tasks) if site.pages]
    print_tables(sites)
    return 0


def figures_of(folder: Path, stencil: Stencil) -> SiteFigures:
    """Return the figures of one site."""
    logging.disable(logging.CRITICAL)
    labelled = read_labelled_key_page(folder)
    site, pages = labelled.source, sibling_pages(labelled)
    # The labels know template and content only, so all content counts.
    name, choice = site_host(site.key_url), ContentChoice(around=True)
    learned = learn_site(name, crawl_of(site), stencil=stencil)
    extractor = SiteExtractor(learned, Formats(choice=choice), stencil)
    scored = {page.document.url for page in pages}
    earlier = learn_site(name, (page for page in crawl_of(site) if page.url not in scored), stencil=stencil)
    of_main = SiteExtractor(learn_site(name, crawl_of(site), stencil=stencil), stencil=stencil)
    alone = SiteExtractor(SiteTemplates(site_host(site.key_url)), stencil=stencil)
    figures: list[PageFigures] = []
    for page in pages:
        document = page.document
        file = site.file(document.url)
        assert file is not None
        html = file.read_bytes()
        content = extractor.content(CrawlPage(document.url, html))
        anew = asyncio.run(stencil.detect(document, PageLoader(document, site)))
        texts = {
            CRAWL: content.text,
            KNOWN: text_with_known(earlier, CrawlPage(document.url, html), extractor),
            "crawl, main content": of_main.content(CrawlPage(document.url, html)).text,
            ANEW: Template(document, anew).content_text(around=True),
            ALONE: alone.content(CrawlPage(document.url, html)).text,
            "PageLevel": Template(document, from_page_alone(document)).content_text(around=True),
            "all text": " ".join(run.text for run in page_runs(document)),
            **{name: kept_text(name, html, document.url) for name in OTHERS},
        }
        f1 = {name: score_text(text, page) for name, text in texts.items()}
        figures.append(PageFigures(f1, content.way, content.fit, content.confidence, is_list(page)))
    return SiteFigures(folder.name, read_labels(folder)[0].category or "", figures)


def crawl_of(site: StoredSite) -> Iterable[CrawlPage]:
    """Yield all stored pages of a site in a pseudorandom order."""
    files = pages_by_address(site)
    for url in sorted(files, key=lambda url: (crc32(url.encode()), url)):
        yield CrawlPage(url, files[url].read_bytes())


def is_list(page: LabelledPage) -> bool:
    """Return whether at least half of the content's words stand in links."""
    document, total, linked = page.document, 0, 0
    in_link: list[bool] = []
    for tag, parent in zip(document.tags, document.parents, strict=True):
        in_link.append(tag == "a" or (parent >= 0 and in_link[parent]))
    for run in page_runs(document):
        if page.labels[run.parent] == CONTENT:
            count = len(words(run.text))
            total, linked = total + count, linked + count * in_link[run.parent]
    return 2 * linked >= total > 0


def text_with_known(earlier: SiteTemplates, page: CrawlPage, like: SiteExtractor) -> str:
    """Return the text of a crawl's only page of a site that an earlier crawl knows, as with --templates."""
    learned = learn_site(earlier.site, [page], stencil=like.stencil, known=earlier.groups)
    return SiteExtractor(learned, like.wanted, like.stencil).content(page).text


def score_text(text: str, page: LabelledPage) -> float:
    """Return F1 of a text's words against the labelled content; words that are not scored do not count."""
    wanted: Counter[str] = Counter()
    neutral: Counter[str] = Counter()
    for run in page_runs(page.document):
        label = page.labels[run.parent]
        if label in {CONTENT, NOT_SCORED}:
            (wanted if label == CONTENT else neutral).update(words(run.text))
    # The labels are of texts. A program may write the texts of the content's pictures, and need not.
    for element, tag in enumerate(page.document.tags):
        if tag == "img" and page.labels[element] in {CONTENT, NOT_SCORED}:
            neutral.update(words(page.document.attributes[element].get("alt", "")))
    given = Counter(words(text))
    right = (given & wanted).total()
    wrong = (given - wanted - neutral).total()
    missed = wanted.total() - right
    return 2 * right / max(1, 2 * right + wrong + missed)


def print_tables(sites: Sequence[SiteFigures]) -> None:
    """Print the mean of each entrant, its difference from the crawl's, and the means by category."""
    ways = Counter(page.way for site in sites for page in site.pages)
    print(f"{ways.total()} pages of {len(sites)} sites; found by: {dict(ways)}\n")
    f1s = {name: [site.f1[name] for site in sites] for name in sites[0].f1}
    rows = []
    for name, own in f1s.items():
        figure = mean_interval(own)
        mean_f1 = f"{figure.mean:.3f}", f"{figure.low:.3f} to {figure.high:.3f}"
        rows.append([name, *mean_f1, *_gain(f1s[CRAWL], own)])
    heads = ["", "F1 of the content's words", "95 %", "crawl better by", "95 %"]
    print_markdown(heads, rows, left={0, 2, 4})
    pages = [page for site in sites for page in site.pages if page.fit is not None]
    for column in ("fit", "confidence"):
        ranks = rank_correlation(
            [getattr(page, column) or 0.0 for page in pages], [page.f1[CRAWL] for page in pages]
        )
        print(f"\nrank correlation of {column} and F1 on {len(pages)} pages: {ranks:.2f}")
    groups = {
        category or "none": [site for site in sites if site.category == category]
        for category in sorted({site.category for site in sites})
    }
    for kind, is_list in (("list", True), ("other", False)):
        parts = [replace(site, pages=[page for page in site.pages if page.is_list is is_list]) for site in sites]
        groups[f"{kind} pages, of any category"] = [site for site in parts if site.pages]
    print()
    print_markdown(
        ["category", "sites", *f1s],
        [
            [name, str(len(own)), *(f"{mean(site.f1[entrant] for site in own):.3f}" for entrant in f1s)]
            for name, own in groups.items()
            if own
        ],
    )
    print()
    gains = [[name, *_gain(f1s[ALONE], own)] for name, own in f1s.items()]
    print_markdown(["page alone better by", "F1", "95 %"], gains, left={0, 2})


def _gain(values: Sequence[float], others: Sequence[float]) -> tuple[str, str]:
    gain = difference_interval(values, others)
    return f"{gain.mean:+.3f}", f"{gain.low:+.3f} to {gain.high:+.3f}"


if __name__ == "__main__":
    sys.exit(main())
