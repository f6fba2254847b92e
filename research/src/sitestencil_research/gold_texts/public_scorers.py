"""Score a text as the public sets score it themselves, each by a program of its own, followed here and not copied.

`docs/benchmark.md` compares the figures. Every scorer belongs to one page; `public_figures` sums up its set.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import fmean, harmonic_mean
from typing import ClassVar

_WORD = re.compile(r"\w+")
_SHINGLE = 4
_SPACE = re.compile(r"\s+")
_ADDRESS_LINE = re.compile(r"^\s*URL.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x1f]+")
_MARK = re.compile(r"(<[phl]>)", re.IGNORECASE)


def shares(kept: Iterable[Hashable], wanted: Iterable[Hashable]) -> tuple[float, float]:
    """Return the share of the kept items that is wanted, and of the wanted that is kept; repetitions count.

    Example:
        >>> shares("aab", "abbb")
        (0.6666666666666666, 0.5)
    """
    own, gold = Counter(kept), Counter(wanted)
    common = (own & gold).total()
    return common / own.total() if own else 0.0, common / gold.total() if gold else 0.0


class PublicScorer:
    """A public set's own way to score the text of one page; this one, of pages of no public set, has no figures.

    Attributes:
        heads: the names of the set's figures.
    """

    __slots__ = ()
    heads: ClassVar[tuple[str, ...]] = ()

    def score(self, text: str) -> tuple[float | None, ...]:
        """Return the page's values, whose means give the figures; None where the page does not count."""
        return ()

    @staticmethod
    def figures(means: Sequence[float]) -> tuple[float, ...]:
        """Return the set's figures, one for each head, from the means of its pages' values."""
        return tuple(means)


NO_SCORER = PublicScorer()


def public_figures(scorer: type[PublicScorer], scores: Iterable[Sequence[float | None]]) -> dict[str, float]:
    """Return a set's figures by their heads, from its pages' scores. A mean of no pages is 0."""
    columns = ([value for value in column if value is not None] for column in zip(*scores, strict=True))
    means = [fmean(column) if column else 0.0 for column in columns]
    return dict(zip(scorer.heads, scorer.figures(means), strict=True))


@dataclass(frozen=True, slots=True)
class ScrapinghubScorer(PublicScorer):
    """Overlap of shingles: each run of four words, in their case; a shorter text is one shingle.

    It follows ``evaluate.py`` of https://github.com/scrapinghub/article-extraction-benchmark (MIT). Precision
    leaves out pages without an answer. F1 is that of the mean precision and the mean recall.

    Attributes:
        gold: the gold text.
    """

    gold: str
    heads: ClassVar = ("F1 of shingles", "precision of shingles", "recall of shingles")

    def score(self, text: str) -> tuple[float | None, ...]:
        """Return precision and recall; None for a side without words."""
        kept, wanted = _shingles(text), _shingles(self.gold)
        precision, recall = shares(kept, wanted)
        return precision if kept else None, recall if wanted else None

    @staticmethod
    def figures(means: Sequence[float]) -> tuple[float, ...]:
        """Return F1, precision and recall."""
        return harmonic_mean(means), *means


def _shingles(text: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(text)
    starts = range(max(1, len(words) - _SHINGLE + 1)) if words else ()
    return [tuple(words[start : start + _SHINGLE]) for start in starts]


@dataclass(frozen=True, slots=True)
class WcxbScorer(PublicScorer):
    """F1 of words as the mean over pages, and the shares of two lists of snippets that stand in the text.

    It follows ``evaluate.py`` of https://github.com/Murrough-Foley/web-content-extraction-benchmark (CC BY 4.0).
    Case does not count. A page without snippets of a list has all of them.

    Attributes:
        gold: the gold text.
        wanted: the snippets that a good text has.
        unwanted: the snippets that a good text lacks.
    """

    gold: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    heads: ClassVar = ("F1 by WCXB", "with snippets", "without snippets (low is good)")

    def score(self, text: str) -> tuple[float | None, ...]:
        """Return F1 and the two shares."""
        lower = text.lower()
        f1 = harmonic_mean(shares(_WORD.findall(lower), _WORD.findall(self.gold.lower())))
        return f1, _share_found(self.wanted, lower), _share_found(self.unwanted, lower)


def _share_found(snippets: Sequence[str], lower: str) -> float:
    return fmean(snippet.lower() in lower for snippet in snippets) if snippets else 1.0


@dataclass(frozen=True, slots=True)
class DanielScorer(PublicScorer):
    """CleanEval's alignment of words, and the words as multisets, between white space, with marks of paragraphs.

    It follows ``cleaneval_tool.py`` and ``scoring_functions.py`` of https://github.com/rundimeco/waddle (GPL 3).
    The end of a paragraph belongs to its last word. CleanEval compares Chinese by the character; there the program
    guesses the language, and here the set tells it. Each F1 is that of the mean precision and the mean recall.

    Attributes:
        marked: the gold text, with its ``<p>``.
        by_character: whether CleanEval compares characters.
    """

    marked: str
    by_character: bool
    heads: ClassVar = ("F1 by CleanEval", "F1 of occurrences")

    def score(self, text: str) -> tuple[float | None, ...]:
        """Return precision and recall of both kinds."""
        lines = (line.strip() for line in text.splitlines())
        kept = _normal("<p>" + "</p>\n<p>".join(line for line in lines if line) + "</p>")
        gold = _normal(self.marked)
        words = kept.split(" "), gold.split(" ")
        return *(_aligned(kept, gold) if self.by_character else _aligned(*words)), *shares(*words)

    @staticmethod
    def figures(means: Sequence[float]) -> tuple[float, ...]:
        """Return F1 of both kinds."""
        return harmonic_mean(means[:2]), harmonic_mean(means[2:])


def _normal(marked: str) -> str:
    spaced = _MARK.sub(r" \1 ", _CONTROL.sub(" ", _ADDRESS_LINE.sub("", marked)))
    return _SPACE.sub(" ", spaced)


def _aligned(kept: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    blocks = SequenceMatcher(None, kept, gold).get_matching_blocks()
    common = sum(block.size for block in blocks)
    return common / len(kept), common / len(gold)
