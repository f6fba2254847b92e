"""Tell how sure the answer of a template is for a page: the column `fit`."""

from collections.abc import Iterable, Set
from math import exp, log1p, sqrt

# A logistic regression, fitted on the labelled further pages of the open sites: docs/crawls.md, "How right it is".
_CONSTANT, _WEIGHTS = -2.3, (6.6, -0.78, -2.6)


def page_fit(share: float, text: str, links: int, repeated: Set[str]) -> float:
    r"""Return the chance that the words of a page's content reach an F1 of .95, 0 to 1.

    Args:
        share: how well the template fits.
        text: the text of all content.
        links: the number of its links.
        repeated: the lines of its kind, as `repeated_lines` returns them.

    Example:
        >>> story, teasers = "A bowline holds, and comes apart again.\n" * 40, "Read more\n" * 20
        >>> round(page_fit(0.98, story, 3, {"Read more"}), 2)
        0.97
        >>> round(page_fit(0.9, story + teasers, 60, {"Read more"}), 2)
        0.5
    """
    figures = fit_figures(share, text, links, repeated)
    odds = _CONSTANT + sum(weight * figure for weight, figure in zip(_WEIGHTS, figures, strict=True))
    return 1 / (1 + exp(-odds))


def fit_figures(share: float, text: str, links: int, repeated: Set[str]) -> tuple[float, float, float]:
    """Return the figures that `page_fit` weighs: of the template's fit, of links, and of repeated lines."""
    lines = text.splitlines()
    characters = max(1, sum(map(len, lines)))
    of_repeated = sum(len(line) for line in lines if line in repeated)
    return share, log1p(1000 * links / characters), sqrt(of_repeated / characters)


def repeated_lines(texts: Iterable[str]) -> frozenset[str]:
    r"""Return the lines that at least two texts have.

    They may be parts of the template that were taken for content.

    Example:
        >>> repeated_lines(["Rain\nRead more\n", "Read more\nSun\nSun\n"])
        frozenset({'Read more'})
    """
    seen: set[str] = set()
    repeated: set[str] = set()
    for text in texts:
        lines = set(text.splitlines())
        repeated |= lines & seen
        seen |= lines
    return frozenset(repeated)
