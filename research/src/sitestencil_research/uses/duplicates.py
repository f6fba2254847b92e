"""Measure the effect of templates on duplicate detection (Chakrabarti, section 6.2 and Table 2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage
from sitestencil_research.uses.shingles import ENOUGH, are_duplicates, sketch

PagePair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class KnownPairs:
    """The pairs of pages that are known to be duplicates, or known not to be.

    Attributes:
        duplicates: the same content on different sites.
        others: different contents on the same site.
    """

    duplicates: tuple[PagePair, ...]
    others: tuple[PagePair, ...]


@dataclass(frozen=True, slots=True)
class DuplicateResult:
    """The number of known pairs judged right, as in a row of Table 2."""

    detector: str
    duplicates_right: int
    others_right: int


def known_pairs(pages: Sequence[CorpusPage]) -> KnownPairs:
    """Return the known pairs of a corpus with known articles."""
    duplicates, others = [], []
    for (i, ours), (j, theirs) in combinations(enumerate(pages), 2):
        if ours.article == theirs.article and ours.site != theirs.site:
            duplicates.append((i, j))
        elif ours.article != theirs.article and ours.site == theirs.site:
            others.append((i, j))
    return KnownPairs(tuple(duplicates), tuple(others))


def judge(corpus: CleanCorpus, pairs: KnownPairs) -> DuplicateResult:
    """Judge the known pairs by the shingles of the cleaned pages."""
    sketches = [sketch(page.words) for page in corpus.pages]
    return DuplicateResult(
        corpus.detector,
        sum(are_duplicates(sketches[i], sketches[j]) for i, j in pairs.duplicates),
        sum(not are_duplicates(sketches[i], sketches[j]) for i, j in pairs.others),
    )


def find_duplicates(corpus: CleanCorpus) -> list[PagePair]:
    """Return all pairs of pages that count as duplicates, in order."""
    holders: dict[int, list[int]] = {}
    for number, page in enumerate(corpus.pages):
        for shingle in sketch(page.words):
            holders.setdefault(shingle, []).append(number)
    shared: Counter[PagePair] = Counter()
    for pages in holders.values():
        shared.update(combinations(pages, 2))
    return sorted(pair for pair, count in shared.items() if count >= ENOUGH)
