"""Tell how sure the answer of a template is for a page: the column `fit`."""

from math import exp, log1p

# A logistic regression, fitted on the labelled further pages of the open sites: docs/crawls.md, "How right it is".
_CONSTANT, _SHARE, _TEXT, _ENTERED = -4.5, 6.2, 0.74, -0.68


def page_fit(share: float, entered: int, characters: int, elements: int) -> float:
    """Return the chance that the words of a page's content reach an F1 of .95, 0 to 1.

    Args:
        share: how well the template fits.
        entered: the elements that hold both template and content.
        characters: the length of all content's text.
        elements: the number of its elements.

    Example:
        >>> round(page_fit(1.0, 10, 6000, 60), 2)  # a story
        0.97
        >>> round(page_fit(0.8, 80, 900, 90), 2)  # a list that differs from the learned page
        0.32
    """
    text = log1p(characters / max(1, elements))
    return 1 / (1 + exp(-(_CONSTANT + _SHARE * share + _TEXT * text + _ENTERED * log1p(entered))))
