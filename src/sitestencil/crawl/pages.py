"""The result for each page of a crawl."""

from dataclasses import dataclass
from typing import Literal

from sitestencil.crawl.input.crawled import NO_RECORD, Record
from sitestencil.detectors.detection import Doubt
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
        doubt: the reason that most of the text may be missing, or that nothing was judged; None without one.
        page_kind: the likely kind of the page, such as an article; None if none is, or all content is wanted.
        fit: the expected F1 of the main content; None of all content.
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
    doubt: Doubt | None = None
