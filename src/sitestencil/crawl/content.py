"""Extract a page's content with the templates of its site."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import compress
from typing import NamedTuple

from sitestencil.content.main_content import MAIN_CONTENT, ContentChoice, find_main_content
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import ReadPages, SiteTemplates, compare_with, kind_of_page
from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.crawl.pages import AnsweredBy, PageContent
from sitestencil.crawl.regions import PageKind
from sitestencil.detectors.detection import Detection, Doubt
from sitestencil.detectors.stencil.detector import NAME, Stencil, from_page_alone
from sitestencil.errors import CannotBeSaved, OutOfMemory, PageUnavailable
from sitestencil.outputs.plain_text import text_and_links
from sitestencil.page.document import Range, ranges
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.metadata import metadata
from sitestencil.page.page_title import source_title
from sitestencil.printable import visible
from sitestencil.template import Template

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Formats:
    """The formats that a crawl writes beside the text.

    Attributes:
        markdown: write the content as Markdown.
        html: write the content as HTML.
        template_html: write each template as HTML, which takes as long as learning it.
        choice: the content to write.
        relink: returns the address to write in Markdown in place of one, given the page's own address, the
            attribute's name and that one.
    """

    markdown: bool = False
    html: bool = False
    template_html: bool = False
    choice: ContentChoice = MAIN_CONTENT
    relink: Callable[[str, str, str], str] | None = None

    @property
    def of_pages(self) -> bool:
        """Whether a page needs more than its text."""
        return self.markdown or self.html


@dataclass
class SiteExtractor:
    """Extract the content of a site's pages.

    Attributes:
        templates: the templates learned from the site.
        wanted: the formats to write beside the text.
        stencil: compares a page with others of the site where no template fits it.
    """

    templates: SiteTemplates
    wanted: Formats = field(default_factory=Formats)
    stencil: Stencil = field(default_factory=Stencil, repr=False)
    read: ReadPages = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._companions: list[SamplePage] | None = None

    def content(self, page: CrawlPage) -> PageContent:
        """Return a page's content.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        # The page's tree is gone before the collector would scan it.
        with collector_paused():
            sample = self._sample(page)
            found = self._judged(sample, *self._detected(sample))
            markdown, html = self._formats(sample, found) if self.wanted.of_pages else (None, None)
            others = [title for url, title in self._titles if url != page.url]
            stated = metadata(sample.document, others)
        text = visible(found.text)
        return PageContent(
            url=page.url,
            source=page.source,
            offset=page.offset,
            site=self.templates.site,
            kind=found.group.id if found.group is not None else "",
            way=found.way,
            fit=None if found.fit is None else round(found.fit, 3),
            confidence=None if found.confidence is None else round(found.confidence, 3),
            elements=found.elements,
            template=found.template,
            text=text,
            markdown=markdown,
            html=html,
            metadata=stated,
            record=page.record,
            charset=sample.charset,
            declared_charset=sample.declared_charset,
            words=len(text.split()),
            links=found.links,
            page_kind=found.page_kind,
            doubt=found.doubt,
        )

    def template(self, page: CrawlPage) -> tuple[Template, str]:
        """Return a page's template, and the id of its kind; empty if it is of none.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        sample = self._sample(page)
        _, detection, group = self._detected(sample)
        titles = [title for url, title in self._titles if url != page.url]
        return Template(sample.document, detection, NAME, other_titles=titles), group.id if group else ""

    def _detected(self, sample: SamplePage) -> tuple[AnsweredBy, Detection, PageKind | None]:
        """Return a page's template, and how it was found."""
        document, group = sample.document, kind_of_page(sample, self.templates.groups)
        if group is not None:
            return "template", sample.answer(group.learned), group
        compared = compare_with(sample, self._others(sample.page), self.stencil)
        if compared is not None:
            return "compared", compared, None
        return "alone", from_page_alone(document), None

    def _judged(
        self, sample: SamplePage, way: AnsweredBy, detection: Detection, group: PageKind | None = None
    ) -> "_Found":
        """Return the wanted content of a page, whose main content is judged by itself with the site's template."""
        document, choice = sample.document, self.wanted.choice
        main = None if choice.is_all else find_main_content(document, detection)
        rest = choice.rest(document, detection, main)
        text, links = text_and_links(document, rest)
        fit = None if main is None or choice.around else main.confidence
        # A page alone has no sure template: all but its content counts.
        template = _ranges((rest if way == "alone" else detection).template)
        confidence = group.confidence if group is not None else detection.confidence
        page_kind, doubt = (None, None) if main is None else (main.page_kind, main.doubt)
        return _Found(way, len(document), template, text, links, confidence, group, fit, rest, page_kind, doubt)

    def _formats(self, sample: SamplePage, found: "_Found") -> tuple[str | None, str | None]:
        """Return the content as Markdown and as HTML, if wanted; both need the whole tree."""
        template, wanted = Template(sample.document, found.rest), self.wanted
        relink = None if wanted.relink is None else partial(wanted.relink, sample.page.url)
        return (
            template.content_markdown(around=True, relink=relink) if wanted.markdown else None,
            template.content_html(around=True) if wanted.html else None,
        )

    def _others(self, page: CrawlPage) -> Sequence[SamplePage]:
        if self._companions is None:
            self._companions = [self._sample(companion) for companion in self.templates.companions]
        return [other for other in self._companions if other.page.url != page.url]

    @cached_property
    def _titles(self) -> list[tuple[str, str]]:
        """The addresses and titles of other pages of the site."""
        return [(page.url, source_title(page.html, page.charset)) for page in self.templates.companions]

    def _sample(self, page: CrawlPage) -> SamplePage:
        return self.read.get((page.source, page.offset)) or SamplePage(page)


class _Found(NamedTuple):
    """A page's template and its content's text; `rest` is all but the wanted content."""

    way: AnsweredBy
    elements: int
    template: tuple[Range, ...]
    text: str
    links: int
    confidence: float | None
    group: PageKind | None
    fit: float | None
    rest: Detection
    page_kind: str | None
    doubt: Doubt | None


def _ranges(template: Sequence[bool]) -> tuple[Range, ...]:
    return tuple(ranges(compress(range(len(template)), template)))


def content_or_skipped(
    extractor: SiteExtractor, page: CrawlPage, most_seconds: float | None = None
) -> PageContent | Skipped:
    """Return a page's content, or why there is none; an error costs only this page."""
    try:
        with page_limits(most_seconds):
            return extractor.content(page)
    except TimeIsUp:
        detail = f"It takes more than {most_seconds:g} seconds."
        return Skipped(page.source, page.offset, "too slow", detail, page.url)
    except OutOfMemory as error:
        return Skipped(page.source, page.offset, "too much memory", str(error), page.url)
    except (PageUnavailable, CannotBeSaved) as error:
        return Skipped(page.source, page.offset, "refused", str(error), page.url)
    except Exception as error:
        log.exception("%s is skipped", page.url)
        return Skipped(page.source, page.offset, "failed", f"{type(error).__name__}: {error}"[:300], page.url)
