"""Measure the text that programs keep of pages, against gold texts: F1 of words, as multisets."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitestencil.errors import SitestencilError
from sitestencil.evaluation.benchmark.intervals import Interval, grouped_interval
from sitestencil.evaluation.benchmark.peers import PEERS, Peer
from sitestencil.evaluation.benchmark.peers.matching import KeptText
from sitestencil.evaluation.benchmark.peers.page import PeerPage
from sitestencil.evaluation.gold_texts.sets import GoldPage
from sitestencil.extraction import extract
from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.processes import results_as_done

WITH_SIBLINGS, ALONE = "sitestencil (siblings)", "sitestencil (alone)"


@dataclass(frozen=True, slots=True)
class WordScore:
    """Precision, recall and F1 of a text's words."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Twice the product of precision and recall over their sum; 0 if both are 0."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class PageScores:
    """The scores of one page by the program's name; programs without an answer have none of its words."""

    page: GoldPage
    scores: Mapping[str, WordScore]


def score_text(text: str, gold: str) -> WordScore:
    """Return the score of a text against a gold text.

    Example:
        >>> score_text("A rope, a knot", "a rope")
        WordScore(precision=0.5, recall=1.0)
    """
    kept, wanted = Counter(words(text)), Counter(words(gold))
    common = (kept & wanted).total()
    return WordScore(common / kept.total() if kept else 0.0, common / wanted.total() if wanted else 0.0)


def text_peers() -> dict[str, Peer]:
    """Return the peers that answer with text and read nothing but the page itself."""
    return {
        name: peer
        for name, peer in PEERS.items()
        if peer.program != "deboiler" and not peer.way.startswith("marked")
    }


def measure_texts(
    pages: Sequence[GoldPage],
    *,
    peers: Iterable[str] = (),
    processes: int | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
) -> list[PageScores]:
    """Return the scores of each page, in the order given. A page's siblings are the other pages of its host.

    Raises:
        PackageMissing: a peer's package is not installed.
    """
    names = tuple(peers)
    for name in names:
        PEERS[name].load()
    of_host: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        of_host.setdefault(page.host, []).append(number)
    arguments = {host: ([pages[number] for number in own], names) for host, own in of_host.items()}
    measured: list[PageScores | None] = [None] * len(pages)
    finished = 0
    for host, scores in results_as_done(_measure_host, arguments, processes):
        for number, score in zip(of_host[host], scores, strict=True):
            measured[number] = score
        finished += len(scores)
        done(finished, len(pages))
    return [scores for scores in measured if scores is not None]


def _measure_host(pages: Sequence[GoldPage], peers: Sequence[str]) -> list[PageScores]:
    htmls = {page.url: page.html() for page in pages}
    return [PageScores(page, _scores(page, htmls, peers)) for page in pages]


def _scores(page: GoldPage, htmls: Mapping[str, str], peers: Sequence[str]) -> dict[str, WordScore]:
    siblings = {url: html for url, html in htmls.items() if url != page.url}
    scores = {ALONE: score_text(_own_text(page, htmls[page.url], {}), page.gold)}
    if siblings:
        scores[WITH_SIBLINGS] = score_text(_own_text(page, htmls[page.url], siblings), page.gold)
    for name in peers:
        scores[name] = score_text(_peer_text(page, htmls[page.url], name), page.gold)
    return scores


def _own_text(page: GoldPage, html: str, siblings: Mapping[str, str]) -> str:
    try:
        return extract(html, url=page.url, pages=siblings).content_text(without=page.without)
    except SitestencilError:
        return ""


def _peer_text(page: GoldPage, html: str, name: str) -> str:
    try:
        kept = PEERS[name].load()(PeerPage(None, parse(html, page.url), html.encode("utf-8", "replace")))
    except Exception:  # another program may raise anything on a page
        return ""
    assert isinstance(kept, KeptText)
    return "\n".join(text for text, is_kept in kept.pieces if is_kept)


@dataclass(frozen=True, slots=True)
class TextRow:
    """A program's figures on some pages.

    Attributes:
        name: the program.
        pages: the number of pages.
        f1: the mean over pages; its interval draws whole hosts.
        precision: the mean over pages.
        recall: the mean over pages.
    """

    name: str
    pages: int
    f1: Interval
    precision: float
    recall: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        f1 = {"mean": self.f1.mean, "low": self.f1.low, "high": self.f1.high}
        return {
            "name": self.name,
            "pages": self.pages,
            "f1": f1,
            "precision": self.precision,
            "recall": self.recall,
        }


def text_rows(measured: Sequence[PageScores]) -> list[TextRow]:
    """Return a row for each program that answered on these pages, best first."""
    names = dict.fromkeys(name for each in measured for name in each.scores)
    return sorted((_row(name, measured) for name in names), key=lambda row: -row.f1.mean)


def _row(name: str, measured: Sequence[PageScores]) -> TextRow:
    of_host: dict[str, list[float]] = {}
    scores = []
    for each in measured:
        if (score := each.scores.get(name)) is not None:
            scores.append(score)
            of_host.setdefault(each.page.host, []).append(score.f1)
    count = len(scores)
    precision = sum(score.precision for score in scores) / count
    recall = sum(score.recall for score in scores) / count
    return TextRow(name, count, grouped_interval(list(of_host.values())), precision, recall)
