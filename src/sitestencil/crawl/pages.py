"""What comes out of a crawl's extraction: a value that can be pickled."""

from dataclasses import dataclass
from typing import Literal

from sitestencil.page.ranges import Range

# How a page's answer was found: by its kind's template in one walk; by mapping that template element by element; by
# comparing the page with others of its site; from the page alone.
Way = Literal["template", "mapped", "compared", "alone"]


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of a page, and how it was found.

    Attributes:
        url: the page's address.
        source: the file it was read from.
        offset: where in that file.
        site: its site: the host, without ``www.``.
        group: the id of the template that was applied; empty where none was.
        way: how the answer was found.
        fit: how far the page is of the template's kind, 0 to 1; 1 where it was judged itself.
        sureness: the F1 to expect of the template that was applied, or of the answer; None where it is not known.
        elements: how many elements the page has.
        template: the numbers of its template elements, as ranges.
        text: the content's text, a line for each block.
        markdown: the content as Markdown, where that was asked for.
        html: the content as HTML, where that was asked for.
    """

    url: str
    source: str
    offset: int
    site: str
    group: str
    way: Way
    fit: float
    sureness: float | None
    elements: int
    template: tuple[Range, ...]
    text: str
    markdown: str | None = None
    html: str | None = None
