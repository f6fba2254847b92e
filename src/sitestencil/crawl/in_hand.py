"""Extract the content of pages in memory, one by one or in the batches of a data pipeline."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from sitestencil.crawl.content import SiteExtractor, Wanted
from sitestencil.crawl.learning import SiteTemplates, learn_site
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.work import content_or_skipped
from sitestencil.site.sources.crawled import CrawlPage, Skipped, page_or_skipped

_MOST_SITES = 1000
_FEW_PAGES = 8  # learn a site again if it had fewer pages than this and more arrive


def contents(
    pages: Iterable[CrawlPage], wanted: Wanted | None = None, *, at_a_time: int = 1000
) -> Iterator[PageContent | Skipped]:
    r"""Yield each page's content, or the reason why it has none, in the order given.

    Keep the pages of one site together: its templates are learned from the batch that has its first page.

    Args:
        pages: pages of any sites.
        wanted: the formats to write beside the text.
        at_a_time: the number of pages held in memory.

    Example:
        >>> from sitestencil.site.sources.crawled import crawl_page
        >>> frame = "<ul class=menu><li>Home<li>Knots<li>Visit</ul><main>{}</main><p class=end>Harbour street 1"
        >>> texts = [f"<h1>Knot {number}</h1><p>How to tie it, in {number} steps" for number in range(9)]
        >>> pages = [crawl_page(f"https://ropes.example/{text[8]}", frame.format(text)) for text in texts]
        >>> next(contents(pages)).text
        'Knot 0\nHow to tie it, in 0 steps\n'
    """
    batches = SiteContents(wanted or Wanted())
    batch: list[CrawlPage] = []
    for page in pages:
        batch.append(page)
        if len(batch) >= at_a_time:
            yield from batches.of(batch)
            batch.clear()
    yield from batches.of(batch)


@dataclass
class SiteContents:
    """Extract batches of pages, and remember the templates of recent sites.

    Instances can be pickled. Pass one to a function that maps batches, such as `ray.data.Dataset.map_batches`.

    Attributes:
        wanted: the formats to write beside the text.
        known: the templates of recent sites, each with the number of pages they were learned from.
    """

    wanted: Wanted = field(default_factory=Wanted)
    known: OrderedDict[str, tuple[SiteTemplates, int]] = field(default_factory=OrderedDict, repr=False)

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Return a batch with columns for the content added; a row without content has empty values.

        Args:
            batch: the columns ``url`` and ``html``, and any others.
        """
        rows = [
            page_or_skipped(str(url), html if isinstance(html, bytes) else str(html), "", number)
            for number, (url, html) in enumerate(zip(batch["url"], batch["html"], strict=True))
        ]
        found = {
            content.offset: content
            for content in self.of([page for page in rows if isinstance(page, CrawlPage)])
            if isinstance(content, PageContent)
        }
        ordered = [found.get(number) for number in range(len(rows))]
        columns = {name: list(values) for name, values in batch.items()}
        for name, missing in (("text", ""), ("way", ""), ("group", ""), ("fit", None)):
            columns[name] = [missing if content is None else getattr(content, name) for content in ordered]
        return columns

    def of(self, pages: Sequence[CrawlPage]) -> Iterator[PageContent | Skipped]:
        """Yield each page's content, or the reason why it has none, in the order given."""
        by_site: dict[str, list[CrawlPage]] = {}
        for page in pages:
            by_site.setdefault(page.site, []).append(page)
        extractors = {site: SiteExtractor(self._templates(site, own), self.wanted) for site, own in by_site.items()}
        for page in pages:
            yield content_or_skipped(extractors[page.site], page)

    def _templates(self, site: str, pages: Sequence[CrawlPage]) -> SiteTemplates:
        templates, learned_from = self.known.pop(site, (None, 0))
        if templates is None or learned_from < min(_FEW_PAGES, len(pages)):
            ordered = sorted(pages, key=lambda page: (crc32(page.url.encode("utf-8", "replace")), page.url))
            templates, learned_from = learn_site(site, ordered, choice=self.wanted.choice), len(pages)
        self.known[site] = templates, learned_from
        if len(self.known) > _MOST_SITES:
            self.known.popitem(last=False)
        return templates
