"""Read the pages of sites, and judge them by their kinds."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from heapq import heappush, heappushpop
from itertools import accumulate
from zlib import crc32

from sitestencil.content.blocks import text_blocks
from sitestencil.content.main_content import find_main_content
from sitestencil.corrections.matching import Elements, Selector
from sitestencil.crawl.input.crawl_input import read_unit, units_of
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.places import place
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import WALK_FITS_FROM, Group, best_group, learn_site
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import OutOfMemory, PageUnavailable, UnusableInput
from sitestencil.page.document import Document
from sitestencil.page.words import words

MOST_SITES, MOST_PAGES = 200, 300
MOST_BYTES = 256 * 1024 * 1024  # of HTML that is kept
LEAST_OF_KIND, MOST_OF_KIND = 5, 40


@dataclass(slots=True)
class SitePages:
    """Pages of a site, in pseudorandom order.

    Attributes:
        site: the site: its host without ``www.``.
        pages: the pages.
        left_out: the number of pages beyond those that are kept.
    """

    site: str
    pages: list[CrawlPage] = field(default_factory=list)
    left_out: int = 0


def read_sites(inputs: Sequence[str]) -> tuple[list[SitePages], int]:
    """Return the pages of each site in a crawl's input, and the number of records that are no page or not kept.

    Raises:
        UnusableInput: an input is missing, is an address of a page, or holds no page.
    """
    heaps: dict[str, list[tuple[int, str, CrawlPage]]] = {}
    counts: dict[str, int] = {}
    skipped = size = 0
    for page in (page for unit in units_of([*map(place, inputs)]) for page in read_unit(unit)):
        is_kept = not isinstance(page, Skipped) and (page.site in heaps or len(heaps) < MOST_SITES)
        if isinstance(page, Skipped) or not is_kept or size + len(page.html) > MOST_BYTES:
            skipped += 1
            continue
        heap, rank = heaps.setdefault(page.site, []), (-crc32(page.url.encode("utf-8", "replace")), page.url, page)
        if any(url == page.url for _, url, _ in heap):
            continue
        counts[page.site] = counts.get(page.site, 0) + 1
        size += len(page.html)
        if len(heap) < MOST_PAGES:
            heappush(heap, rank)
        else:
            size -= len(heappushpop(heap, rank)[2].html)
    if not heaps:
        raise UnusableInput(f"{', '.join(inputs)}: no page of a site is in there.")
    sites = []
    for site, heap in sorted(heaps.items()):
        pages = [page for _, _, page in sorted(heap, reverse=True)]
        sites.append(SitePages(site, pages, counts[site] - len(pages)))
    return sites, skipped


_parsed = lru_cache(4096)(Selector)


class KindPage:
    """A page whose words are template, main content, or around it.

    Sets of words are whole numbers: bit ``n`` is the page's word ``n``, in document order.

    Attributes:
        document: the page.
        content: the words that are no template.
        main: the words of the main content.
        words: all words.
    """

    def __init__(self, document: Document, learned: LearnedTemplate) -> None:
        self.document = document
        detection = learned.apply(document)
        main = find_main_content(document, detection, parts=False)
        counts = [0] * len(document.texts)
        for block in text_blocks(document):
            for number in block.texts:
                counts[number] = len(words(document.texts[number].text))
        self._starts = [0, *accumulate(counts)]
        self.words = (1 << self._starts[-1]) - 1
        self.content = self.main = 0
        template, texts = detection.template, detection.template_texts
        for number, run in enumerate(document.texts):
            if counts[number]:
                bits = self._bits(number, number + 1)
                self.content |= 0 if template[run.parent] and texts[number] else bits
                self.main |= bits if main.texts[number] else 0
        self._known: dict[str, int] = {}

    @cached_property
    def elements(self) -> Elements:
        """The elements for selectors."""
        return Elements(self.document)

    def _bits(self, first: int, last: int) -> int:
        return (1 << self._starts[last]) - (1 << self._starts[first])

    def words_in(self, element: int) -> int:
        """Return the words in an element."""
        runs = self.document.runs(element)
        return self._bits(runs.start, runs.stop)

    def matched(self, selector: str) -> list[int]:
        """Return the topmost elements that a selector matches."""
        chosen, end = list[int](), 0
        for element in _parsed(selector).select(self.elements):
            if element >= end:
                chosen.append(element)
                end = self.document.ends[element]
        return chosen

    def words_of(self, selector: str) -> int:
        """Return the words in the elements that a selector matches."""
        known = self._known.get(selector)
        if known is None:
            known = 0
            for element in self.matched(selector):
                known |= self.words_in(element)
            self._known[selector] = known
        return known


@dataclass(frozen=True, slots=True)
class Kind:
    """Pages of one kind of a site, in pseudorandom order.

    Attributes:
        id: the site and a number.
        template: the learned template.
        pages: the pages.
    """

    id: str
    template: LearnedTemplate
    pages: list[CrawlPage]

    def read(self, most: int = MOST_OF_KIND) -> list[KindPage]:
        """Return at most so many judged pages; one that cannot be read is passed over."""
        read = list[KindPage]()
        for page in self.pages:
            if len(read) == most:
                break
            with suppress(PageUnavailable, OutOfMemory, TimeIsUp), page_limits(MOST_SECONDS):
                document = SamplePage(page).document
                judged = KindPage(document, self.template)
                if judged.words:
                    read.append(judged)
        return read


def kinds_of(site: SitePages) -> Iterator[Kind]:
    """Yield the kinds of a site's pages, also those of few pages."""
    groups = learn_site(site.site, site.pages, most_seconds=MOST_SECONDS).groups
    pages: dict[str, list[CrawlPage]] = {group.id: [] for group in groups}
    for page, group in _grouped(site.pages, groups):
        pages[group.id].append(page)
    for group in groups:
        yield Kind(group.id, group.compiled.learned, pages[group.id])


def _grouped(pages: Iterable[CrawlPage], groups: Sequence[Group]) -> Iterator[tuple[CrawlPage, Group]]:
    for page in pages if groups else ():
        with suppress(PageUnavailable, OutOfMemory, TimeIsUp), page_limits(MOST_SECONDS):
            group, measured = best_group(SamplePage(page), groups)
            if measured.fit.share >= WALK_FITS_FROM:
                yield page, group
