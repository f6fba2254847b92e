"""Find near-duplicates by shingles (PageLevel, section 6.2; definitions.md, 4.3)."""

from collections.abc import Sequence
from hashlib import blake2b
from heapq import nsmallest

# The paper's values: windows of six words, the eight smallest hashes, four of them shared.
WINDOW = 6
KEPT = 8
ENOUGH = 4


def sketch(words: Sequence[str], window: int = WINDOW, kept: int = KEPT) -> frozenset[int]:
    """Return the smallest hashes of a page's shingles; similar pages share some of them.

    Args:
        words: the page's words, in order.
        window: words per shingle. A page with fewer words has no shingle and no duplicate.
        kept: the number of hashes to keep.
    """
    shingles = {" ".join(words[start : start + window]) for start in range(len(words) - window + 1)}
    return frozenset(nsmallest(kept, map(shingle_hash, shingles)))


def shingle_hash(shingle: str) -> int:
    """Return the hash of a shingle: the same on every machine and in every run."""
    return int.from_bytes(blake2b(shingle.encode(errors="replace"), digest_size=8).digest())


def are_duplicates(ours: frozenset[int], theirs: frozenset[int], enough: int = ENOUGH) -> bool:
    """Return whether two sketches share enough hashes for their pages to count as duplicates."""
    return len(ours & theirs) >= enough
