"""The result for each page of a crawl, and how sure it is."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from math import exp, log1p, sqrt
from typing import Literal

from sitestencil.crawl.input.crawled import NO_RECORD, Record
from sitestencil.page.document import Range
from sitestencil.page.metadata import Metadata

# A template of the site, a comparison with other pages, or the page alone.
AnsweredBy = Literal["template", "compared", "alone"]


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page.

    Attributes:
        url: the page's address in its normal form.
        record: the page's record in the input, with the address as it stands there.
        source: the file that holds it.
        offset: its position in that file.
        site: the page's host, without ``www.``.
        kind: the id of the applied template; empty if none was.
        way: the method that gave the answer.
        page_kind: the likely kind of the page, such as an article; None if none is, or all content is wanted.
        fit: the expected F1 of the main content; of all content, the chance that its words reach an F1 of .95, and
            None without a template.
        confidence: the expected F1 of the template or of the answer; None if unknown.
        elements: the number of elements.
        template: the numbers of its template elements, as ranges.
        text: the content's text, one line for each block.
        markdown: the content as Markdown, if wanted.
        html: the content as HTML, if wanted.
        metadata: the page's own statements about itself.
        charset: the encoding that it was read by.
        declared_charset: the encoding that its header or the page itself names.
        words: the number of the text's words, by the spaces between them.
        links: the number of the content's links.
    """

    url: str
    source: str
    offset: int
    site: str
    kind: str
    way: AnsweredBy
    fit: float | None
    confidence: float | None
    elements: int
    template: tuple[Range, ...]
    text: str
    markdown: str | None = None
    html: str | None = None
    metadata: Metadata | None = None
    record: Record = NO_RECORD
    charset: str = ""
    declared_charset: str | None = None
    words: int = 0
    links: int = 0
    page_kind: str | None = None


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
