"""Measure the text that programs keep of pages, against gold texts: F1 of words, as multisets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, harmonic_mean

from sitestencil.content.main_content import ContentChoice
from sitestencil.errors import SitestencilError
from sitestencil.extraction import extract
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.reading.blocks import text_blocks
from sitestencil_research.benchmark.intervals import Interval, grouped_interval
from sitestencil_research.benchmark.peers import PEERS, Peer
from sitestencil_research.benchmark.peers.run import kept_text
from sitestencil_research.gold_texts.sets import GoldPage
from sitestencil_research.gold_texts.structure import gold_blocks, missing_blocks, missing_shares
from sitestencil_research.running import Done, ignored, results_in_order

WITH_SIBLINGS, ALONE = "sitestencil (siblings)", "sitestencil (alone)"
CRAWLED = "sitestencil (crawl)"  # the path of crawls, whose pages are those of a host
# All text, and the text of a peer, without the words that the host's pages repeat.
UNREPEATED, PEER_UNREPEATED = "all text, no repeats", "trafilatura (defaults), no repeats"


@dataclass(frozen=True, slots=True)
class WordScore:
    """Precision, recall and F1 of a text's words."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return harmonic_mean((self.precision, self.recall))


@dataclass(frozen=True, slots=True)
class PageScores:
    """The scores of one page; programs without an answer have none of its words.

    Attributes:
        page: the page.
        scores: the score of each program, by its name.
        missing: per program and kind of block, how many the text lacks, and how many the gold text has.
    """

    page: GoldPage
    scores: Mapping[str, WordScore]
    missing: Mapping[str, Mapping[str, tuple[int, int]]]


def score_text(text: str, gold: str) -> WordScore:
    """Return the score of a text against a gold text.

    Example:
        >>> score_text("A rope, a knot", "a rope")
        WordScore(precision=0.5, recall=1.0)
    """
    kept, wanted = Counter(words(text)), Counter(words(gold))
    common = (kept & wanted).total()
    return WordScore(*(common / side.total() if side else 0.0 for side in (kept, wanted)))


def score_page(page: GoldPage, texts: Mapping[str, str]) -> PageScores:
    """Return the scores of a page, given the text of each program by its name."""
    scores = {name: score_text(text, page.gold) for name, text in texts.items()}
    blocks = gold_blocks(page.gold_html)
    missing = {name: missing_blocks(text, blocks) for name, text in texts.items()}
    return PageScores(page, scores, missing)


def text_peers() -> dict[str, Peer]:
    """Return the peers that answer with text and read nothing but the page itself."""
    return {
        name: peer
        for name, peer in PEERS.items()
        if peer.program != "deboiler" and not peer.way.startswith("marked")
    }


def measure_texts(
    pages: Sequence[GoldPage], *, peers: Iterable[str] = (), processes: int | None = None, done: Done = ignored
) -> list[PageScores]:
    """Return the scores of each page, in the order given. A page's siblings are the other pages of its host.

    Raises:
        PackageMissing: a peer's package is not installed.
    """
    names = tuple(peers)
    for name in names:
        PEERS[name].require()
    of_host: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        of_host.setdefault(page.host, []).append(number)
    tasks = [([pages[number] for number in own], names) for own in of_host.values()]
    of_hosts = results_in_order(_measure_host, tasks, processes, done, [len(own) for own in of_host.values()])
    numbers = (number for own in of_host.values() for number in own)
    by_number = dict(zip(numbers, chain.from_iterable(of_hosts), strict=True))
    return [by_number[number] for number in range(len(pages))]


def _measure_host(pages: Sequence[GoldPage], peers: Sequence[str]) -> list[PageScores]:
    htmls = {page.url: page.html() for page in pages}
    texts = [dict(_texts(page, htmls, peers)) for page in pages]
    if len(htmls) > 1:
        all_texts = [
            "\n".join(block.text for block in text_blocks(parse(htmls[page.url], page.url))) for page in pages
        ]
        columns = {CRAWLED: _crawled(pages, htmls), UNREPEATED: without_repeats(all_texts)}
        peer = PEER_UNREPEATED.partition(",")[0]
        if peer in peers:
            columns[PEER_UNREPEATED] = without_repeats([by_program[peer] for by_program in texts])
        for name, column in columns.items():
            for by_program, text in zip(texts, column, strict=True):
                by_program[name] = text
    return [score_page(page, by_program) for page, by_program in zip(pages, texts, strict=True)]


def _crawled(pages: Sequence[GoldPage], htmls: Mapping[str, str]) -> list[str]:
    # Training needs none of what crawls need.
    from sitestencil.crawl.content import Formats
    from sitestencil.crawl.in_memory import contents

    wanted = Formats(choice=ContentChoice(without=pages[0].without))
    found = contents(list(htmls.items()), wanted)
    texts = dict(zip(htmls, (getattr(content, "text", "") for content in found), strict=True))
    return [texts[page.url] for page in pages]


def _texts(page: GoldPage, htmls: Mapping[str, str], peers: Sequence[str]) -> Iterator[tuple[str, str]]:
    html = htmls[page.url]
    siblings = {url: other for url, other in htmls.items() if url != page.url}
    yield ALONE, _own_text(page, html, {})
    if siblings:
        yield WITH_SIBLINGS, _own_text(page, html, siblings)
    for name in peers:
        yield name, kept_text(name, html.encode("utf-8", "replace"), page.url)


def _own_text(page: GoldPage, html: str, siblings: Mapping[str, str]) -> str:
    try:
        return extract(html, url=page.url, pages=siblings).content_text(without=page.without)
    except SitestencilError:
        return ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A program's figures on some pages.

    Attributes:
        f1: the mean over pages, as precision and recall are; its interval draws whole hosts.
        missing: the share of the gold texts' blocks that is missing, by their kind, where these have a structure.
    """

    name: str
    pages: int
    f1: Interval
    precision: float
    recall: float
    missing: Mapping[str, float]


def text_rows(measured: Sequence[PageScores]) -> list[TextRow]:
    """Return a row for each program that answered on these pages of one set, best first."""
    names = dict.fromkeys(name for each in measured for name in each.scores)
    rows = (_row(name, [each for each in measured if name in each.scores]) for name in names)
    return sorted(rows, key=lambda row: -row.f1.mean)


def _row(name: str, measured: Sequence[PageScores]) -> TextRow:
    of_host: dict[str, list[float]] = {}
    for each in measured:
        of_host.setdefault(each.page.host, []).append(each.scores[name].f1)
    precision = fmean(each.scores[name].precision for each in measured)
    recall = fmean(each.scores[name].recall for each in measured)
    missing = missing_shares(each.missing[name] for each in measured)
    return TextRow(name, len(measured), grouped_interval(list(of_host.values())), precision, recall, missing)


_RUN = 6  # words
_FEWEST_PAGES = 3
_LEAST_SHARE = 0.5  # of the pages


def without_repeats(texts: Sequence[str]) -> list[str]:
    """Return the words of each page's text without the runs of six that at least half of the pages have.

    With fewer than three pages nothing repeats.

    Example:
        >>> menu = "home knots ropes harbour visit imprint"
        >>> without_repeats([f"{menu} one story", f"{menu} two tales", f"{menu} a song"])
        ['one story', 'two tales', 'a song']
    """
    pages = [list(words(text)) for text in texts]
    if len(pages) < _FEWEST_PAGES:
        return [" ".join(page) for page in pages]
    counts = Counter(run for page in pages for run in set(_runs(page)))
    return [" ".join(_kept(page, counts, _LEAST_SHARE * len(pages))) for page in pages]


def _runs(page: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(page[start : start + _RUN]) for start in range(len(page) - _RUN + 1))


def _kept(page: Sequence[str], counts: Counter[tuple[str, ...]], least: float) -> Iterator[str]:
    until = 0
    runs = dict(enumerate(_runs(page)))
    for place, word in enumerate(page):
        if place in runs and counts[runs[place]] >= least:
            until = place + _RUN
        if place >= until:
            yield word
