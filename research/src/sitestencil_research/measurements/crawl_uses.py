"""Measure the use of a crawl without templates.

``python -m sitestencil_research.measurements.crawl_uses DIR ... --out FOLDER``.

DIR are folders of stored sites; up to --per-site pages of each make up the crawl. Each page has five texts: all
readable text, its content by the site's templates, and the content by trafilatura, resiliparse and deboiler. The
table shows for each:

- bytes: the size of the text per page, in UTF-8;
- words: the median over the pages;
- repeated words: words in a run of eight that another page of the site has too;
- near-duplicate pages: pages that share at least four fifths of their runs of eight with another page of the site
  (Jaccard). A page with fewer than eight words has none, and is no duplicate;
- index: the size of a full-text index of all pages, in bytes (SQLite's FTS5, without the texts themselves).

A picture of the figures is written into the folder, as crawl-uses.svg.
"""

import argparse
import logging
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import trafilatura
from deboiler.dataset import ListDataset
from matplotlib import rc_context
from matplotlib.figure import Figure
from resiliparse.extract.html2text import extract_plain_text

from sitestencil.crawl.in_hand import contents
from sitestencil.crawl.input.crawled import CrawlPage, crawl_page
from sitestencil.crawl.pages import PageContent
from sitestencil.page.encoding import decode
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil_research.benchmark.peers.boilers import LanguageFreeDeboiler
from sitestencil_research.measurements.crawl_corpus import stored_pages
from sitestencil_research.measurements.crawl_quality import all_text as readable_text

WINDOW, NEAR = 8, 0.8
Texts = dict[int, str]  # by page number


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one kind of text."""

    name: str
    bytes_a_page: float
    words_a_page: float
    repeated_words: float
    near_duplicates: float
    index_bytes_a_page: float


def main() -> int:
    """Print the table, and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of stored sites")
    parser.add_argument("--per-site", type=int, default=12, metavar="N", help="largest number of pages per site")
    parser.add_argument("--out", type=Path, default=Path("docs/images"), help="the folder for the picture")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    stored = stored_pages(options.folders, None, options.per_site)
    pages = [crawl_page(url, file.read_bytes(), offset=number) for number, (url, file) in enumerate(stored)]
    by_site: dict[str, list[CrawlPage]] = {}
    for page in pages:
        by_site.setdefault(page.site, []).append(page)
    sites = list(by_site.values())
    size = sum(len(page.html) for page in pages) / len(pages)
    print(f"{len(pages):,} pages of {len(sites)} sites, {size / 1000:.1f} kB of HTML a page\n")
    figures = [figures_of(name, texts_of(sites, entrant), sites) for name, entrant in ENTRANTS.items()]
    print_table(figures)
    draw(figures, options.out / "crawl-uses.svg")
    return 0


def texts_of(sites: Sequence[list[CrawlPage]], entrant: Callable[[list[CrawlPage]], Texts]) -> Texts:
    """Return an entrant's texts of all pages."""
    texts: Texts = {}
    for site in sites:
        texts |= entrant(site)
    return texts


def all_text(site: list[CrawlPage]) -> Texts:
    """Return all text that a person can read."""
    texts: Texts = {}
    for page in site:
        document = parse(page.html, page.url, charset=page.charset, checked=False)
        texts[page.offset] = " ".join(readable_text(document).split())
    return texts


def by_templates(site: list[CrawlPage]) -> Texts:
    """Return the content by the site's templates."""
    return {content.offset: content.text for content in contents(site) if isinstance(content, PageContent)}


def by_trafilatura(site: list[CrawlPage]) -> Texts:
    """Return the text that trafilatura extracts."""
    return {page.offset: trafilatura.extract(page.html) or "" for page in site}


def by_resiliparse(site: list[CrawlPage]) -> Texts:
    """Return resiliparse's main content."""
    return {page.offset: extract_plain_text(decode(page.html, page.charset), main_content=True) for page in site}


def by_deboiler(site: list[CrawlPage]) -> Texts:
    """Return the text that deboiler leaves after comparing the pages in pairs."""
    records = [
        {"url": str(page.offset), "status": 200, "content_type": "text/html", "content": page.html} for page in site
    ]
    dataset, deboiler = ListDataset(records, verbose=False), LanguageFreeDeboiler(verbose=False)
    deboiler.fit(dataset)
    return {int(page.url): page.cleaned_text or "" for page in deboiler.transform(dataset)}


ENTRANTS: dict[str, Callable[[list[CrawlPage]], Texts]] = {
    "all text": all_text,
    "Sitestencil": by_templates,
    "trafilatura": by_trafilatura,
    "resiliparse, main": by_resiliparse,
    "deboiler": by_deboiler,
}


def figures_of(name: str, texts: Texts, sites: Sequence[list[CrawlPage]]) -> Figures:
    """Measure an entrant's texts; a missing text counts as empty."""
    words_of = {page.offset: words(texts.get(page.offset, "")) for site in sites for page in site}
    count, total = len(words_of), sum(map(len, words_of.values()))
    repeated = near = 0
    for site in sites:
        own_repeated, own_near = duplicates([words_of[page.offset] for page in site])
        repeated, near = repeated + own_repeated, near + own_near
    return Figures(
        name,
        sum(len(text.encode("utf-8", "replace")) for text in texts.values()) / count,
        median(map(len, words_of.values())),
        repeated / max(1, total),
        near / count,
        index_bytes(words_of.values()) / count,
    )


def duplicates(pages: Sequence[list[str]]) -> tuple[int, int]:
    """Return the number of repeated words on a site's pages, and the number of near-duplicate pages."""
    windows = [[hash(tuple(words[at : at + WINDOW])) for at in range(len(words) - WINDOW + 1)] for words in pages]
    sets = [set(own) for own in windows]
    holders = Counter(window for own in sets for window in own)
    repeated = 0
    for own in windows:
        reach = 0
        for at, window in enumerate(own):
            if holders[window] > 1:
                repeated += at + WINDOW - max(at, reach)
                reach = at + WINDOW
    near = sum(
        any(
            other is not own and len(own & other) >= NEAR * len(own | other)
            for other in sets
            if min(len(own), len(other)) >= NEAR * max(len(own), len(other))
        )
        for own in sets
        if own
    )
    return repeated, near


def index_bytes(pages: Iterable[list[str]]) -> int:
    """Return the size of a full-text index of some pages."""
    with sqlite3.connect(":memory:") as index:
        index.execute("create virtual table pages using fts5(text, content='')")
        rows = ((number, " ".join(words)) for number, words in enumerate(pages))
        index.executemany("insert into pages(rowid, text) values (?, ?)", rows)
        index.execute("insert into pages(pages) values ('optimize')")
        (size,) = index.execute("select sum(length(block)) from pages_data").fetchone()
        return int(size)


def print_table(figures: Sequence[Figures]) -> None:
    """Print the figures."""
    whole = figures[0]
    columns = (
        "bytes a page | of all text | median words | repeated words | near-duplicate pages | index, bytes a page"
    )
    print(f"| | {columns} |\n|---|---:|---:|---:|---:|---:|---:|")
    for own in figures:
        print(
            f"| {own.name} | {own.bytes_a_page:,.0f} | {own.bytes_a_page / whole.bytes_a_page:.0%} "
            f"| {own.words_a_page:,.0f} | {own.repeated_words:.1%} | {own.near_duplicates:.1%} "
            f"| {own.index_bytes_a_page:,.0f} |"
        )


def draw(figures: Sequence[Figures], file: Path) -> None:
    """Draw the figures as bars, side by side."""
    panels: list[tuple[str, Callable[[Figures], float]]] = [
        ("kB of text a page", lambda own: own.bytes_a_page / 1000),
        ("words a page, median", lambda own: own.words_a_page),
        ("repeated words, %", lambda own: 100 * own.repeated_words),
        ("near-duplicate pages, %", lambda own: 100 * own.near_duplicates),
        ("kB of index a page", lambda own: own.index_bytes_a_page / 1000),
    ]
    names = [own.name for own in figures]
    with rc_context({"svg.hashsalt": "crawl-uses", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(10.5, 2.2), layout="constrained")
        axes = figure.subplots(1, len(panels), sharey=True)
        for axis, (title, value) in zip(axes, panels, strict=True):
            values = [value(own) for own in figures]
            bars = axis.barh(names, values, color=["#bbb", "#26a", *["#9bc"] * (len(names) - 2)])
            axis.bar_label(bars, fmt="%.3g", padding=2)
            axis.set_title(title, fontsize=9)
            axis.set_xlim(0, 1.25 * max(*values, 1e-9))
            axis.spines[["top", "right"]].set_visible(False)
        axes[0].invert_yaxis()
        figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
