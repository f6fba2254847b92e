"""Tell how sure the answer of a template is for a page: the column `fit`."""

from collections.abc import Iterable, Set
from math import exp, log1p, sqrt

# A logistic regression, fitted on the labelled further pages of the open sites: docs/crawls.md, "How right it is".
_CONSTANT, _WEIGHTS = 4.2, (-0.46, -0.71, -3.5)


def page_fit(unknown: int, text: str, links: int, repeated: Set[str]) -> float:
    r"""Return the chance that the words of a page's content reach an F1 of .95, 0 to 1.

    Args:
        unknown: the number of visited elements that the template does not know.
        text: the text of all content.
        links: the number of its links.
        repeated: the lines of its kind, as `repeated_lines` returns them.

    Example:
        >>> story, teasers = "A bowline holds, and comes apart again.\n" * 40, "Read more\n" * 20
        >>> round(page_fit(2, story, 3, {"Read more"}), 2)
        0.95
        >>> round(page_fit(9, story + teasers, 60, {"Read more"}), 2)
        0.37
    """
    figures = fit_figures(unknown, text, links, repeated)
    odds = _CONSTANT + sum(weight * figure for weight, figure in zip(_WEIGHTS, figures, strict=True))
    return 1 / (1 + exp(-odds))


def fit_figures(unknown: int, text: str, links: int, repeated: Set[str]) -> tuple[float, float, float]:
    """Return the figures that `page_fit` weighs: of unknown elements, of links, and of repeated lines."""
    lines = text.splitlines()
    characters = max(1, sum(map(len, lines)))
    share = sum(len(line) for line in lines if line in repeated) / characters
    return log1p(unknown), log1p(1000 * links / characters), sqrt(share)


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
