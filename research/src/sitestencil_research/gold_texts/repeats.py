"""A simple baseline: drop the runs of words that many of a site's pages have."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sitestencil.page.words import words

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
