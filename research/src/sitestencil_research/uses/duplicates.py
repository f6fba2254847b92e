"""The effect of templates on duplicate detection by shingles (Chakrabarti, sections 6.2 and 4.3, and Table 2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest
from itertools import combinations

from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage

# The paper's values: windows of six words, the eight smallest hashes, four of them shared.
WINDOW, KEPT, ENOUGH = 6, 8, 4
PagePair = tuple[int, int]


def sketch(words: Sequence[str]) -> frozenset[int]:
    """Return the smallest hashes of a page's shingles; similar pages share some of them.

    A page with fewer words than a shingle has none, and no duplicate.
    """
    shingles = {" ".join(words[start : start + WINDOW]) for start in range(len(words) - WINDOW + 1)}
    return frozenset(nsmallest(KEPT, map(shingle_hash, shingles)))


def shingle_hash(shingle: str) -> int:
    """Return the hash of a shingle: the same on every machine and in every run."""
    return int.from_bytes(blake2b(shingle.encode(errors="replace"), digest_size=8).digest())


def are_duplicates(ours: frozenset[int], theirs: frozenset[int]) -> bool:
    """Return whether two sketches share enough hashes for their pages to count as duplicates."""
    return len(ours & theirs) >= ENOUGH


@dataclass(frozen=True, slots=True)
class KnownPairs:
    """The pairs of pages that are known to be duplicates, or known not to be.

    Attributes:
        duplicates: the same content on different sites.
        others: different contents on the same site.
    """

    duplicates: tuple[PagePair, ...]
    others: tuple[PagePair, ...]


def known_pairs(pages: Sequence[CorpusPage]) -> KnownPairs:
    """Return the known pairs of a corpus with known articles."""
    duplicates, others = [], []
    for (i, ours), (j, theirs) in combinations(enumerate(pages), 2):
        if ours.article == theirs.article and ours.site != theirs.site:
            duplicates.append((i, j))
        elif ours.article != theirs.article and ours.site == theirs.site:
            others.append((i, j))
    return KnownPairs(tuple(duplicates), tuple(others))


def judge(corpus: CleanCorpus, pairs: KnownPairs) -> tuple[int, int]:
    """Return the numbers of duplicates and of others that the cleaned pages' shingles tell right (Table 2)."""
    sketches = [sketch(page.words) for page in corpus.pages]
    return (
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
