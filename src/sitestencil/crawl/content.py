"""Extract a page's content with the templates of its site."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from sitestencil.content.blocks import text_blocks
from sitestencil.content.main_content import MAIN_CONTENT, MOST_BLOCKS, ContentChoice
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import WALK_FITS_FROM, Group, ReadPages, SiteTemplates, best_group, compare_with
from sitestencil.crawl.page_text import Measured, text_and_links
from sitestencil.crawl.pages import AnsweredBy, PageContent, page_fit
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import MAPPING_FITS_FROM
from sitestencil.detectors.pagelevel.detector import shipped as shipped_pagelevel
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.detectors.stencil.detector import Stencil, shipped
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.ranges import ranges
from sitestencil.printable import visible
from sitestencil.template import Template


@dataclass(frozen=True, slots=True)
class Wanted:
    """The formats that a crawl writes beside the text.

    Attributes:
        markdown: write the content as Markdown.
        html: write the content as HTML.
        template_html: write each template as HTML, which takes as long as learning it.
        choice: the content to write.
    """

    markdown: bool = False
    html: bool = False
    template_html: bool = False
    choice: ContentChoice = MAIN_CONTENT

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
    wanted: Wanted = field(default_factory=Wanted)
    stencil: Stencil = field(default_factory=shipped, repr=False)
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
            content = self._content(sample)
            metadata = sample.metadata()
        text = visible(content.text)
        return replace(
            content,
            text=text,
            metadata=metadata,
            record=page.record,
            charset=sample.charset,
            declared_charset=sample.declared_charset,
            words=len(text.split()),
        )

    def _content(self, sample: SamplePage) -> PageContent:
        page, groups = sample.page, self.templates.groups
        if groups:
            group, measured = best_group(sample, groups)
            if measured.fit.share >= WALK_FITS_FROM:
                return self._by_template(sample, group, measured)
        document = sample.document
        if not len(document):
            raise PageUnavailable(f"{page.url}: it is empty.")
        if groups:
            detection = group.compiled.learned.apply(document)
            if detection.fit >= MAPPING_FITS_FROM:
                text, links = text_and_links(sample.nodes, document, detection)
                fit = page_fit(detection.fit, text, links, group.repeated)
                return self._detected(sample, document, detection, "mapped", group, fit=fit)
        compared = compare_with(sample, document, self._others(page), self.stencil)
        if compared is not None:
            return self._detected(sample, document, compared, "compared")
        rest = rest_of_page_alone(document, self.wanted.choice)
        return self._detected(sample, document, rest, "alone", rest=rest)

    def _by_template(self, sample: SamplePage, group: Group, measured: Measured) -> PageContent:
        page, walked = sample.page, sample.walked(group.compiled)
        fit = page_fit(measured.fit.share, walked.text, walked.links, group.repeated)
        content = self._page(page, group, "template", fit, group.sureness)
        rest = sample.walked(group.rest) if group.rest is not group.compiled else walked
        content = replace(
            content, elements=walked.elements, template=walked.template, text=rest.text, links=rest.links
        )
        if not self.wanted.of_pages:
            return content
        document = sample.document
        return self._written(content, Template(document, group.rest.learned.apply(document)))

    def _rest(self, document: Document, detection: Detection, group: Group | None) -> Detection:
        """Return all of a page but the wanted content."""
        if group is None:
            return self.wanted.choice.rest(document, detection)
        return detection if group.rest is group.compiled else group.rest.learned.apply(document)

    def _others(self, page: CrawlPage) -> Sequence[SamplePage]:
        if self._companions is None:
            self._companions = [self._sample(companion) for companion in self.templates.companions]
        return [other for other in self._companions if other.page.url != page.url]

    def _sample(self, page: CrawlPage) -> SamplePage:
        return self.read.get((page.source, page.offset)) or SamplePage(page)

    def _detected(
        self,
        sample: SamplePage,
        document: Document,
        detection: Detection,
        way: AnsweredBy,
        group: Group | None = None,
        rest: Detection | None = None,
        fit: float | None = None,
    ) -> PageContent:
        rest = rest or self._rest(document, detection, group)
        sureness = group.sureness if group is not None else detection.sureness
        content = self._page(sample.page, group, way, fit, sureness)
        text, links = text_and_links(sample.nodes, document, rest)
        content = replace(
            content,
            elements=len(document),
            template=tuple(ranges(compress(range(len(document)), detection.template))),
            text=text,
            links=links,
        )
        return self._written(content, Template(document, rest)) if self.wanted.of_pages else content

    def _written(self, content: PageContent, template: Template) -> PageContent:
        """Add the formats that need the whole tree; the template is all but the wanted content."""
        return replace(
            content,
            markdown=template.content_markdown(around=True) if self.wanted.markdown else None,
            html=template.content_html(around=True) if self.wanted.html else None,
        )

    def _page(
        self, page: CrawlPage, group: Group | None, way: AnsweredBy, fit: float | None, sureness: float | None
    ) -> PageContent:
        return PageContent(
            url=page.url,
            source=page.source,
            offset=page.offset,
            site=self.templates.site,
            kind=group.id if group is not None else "",
            way=way,
            fit=None if fit is None else round(fit, 3),
            confidence=None if sureness is None else round(sureness, 3),
            elements=0,
            template=(),
            text="",
        )


def from_page_alone(document: Document) -> Detection:
    """Detect a page's template with PageLevel alone."""
    detector = shipped_pagelevel()
    return detector.decide(document, templateness(document, detector.model, detector.smoothing))


def rest_of_page_alone(document: Document, choice: ContentChoice) -> Detection:
    """Return all of a page but the wanted content, as an answer whose "template" it is.

    Without compared pages the main content does not depend on the template. So PageLevel, which takes as long
    as all else, runs only if all content is wanted.
    """
    has_many = len(document.texts) > MOST_BLOCKS and not 0 < len(text_blocks(document)) <= MOST_BLOCKS
    if choice.around or has_many:
        return choice.rest(document, from_page_alone(document))
    return choice.rest(document, Detection([False] * len(document), [False] * len(document.texts), ()))
