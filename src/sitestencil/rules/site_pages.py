"""Read the pages of sites, and judge them by their kinds."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import TypeVar
from zlib import crc32

from sitestencil.content.main_content import MAIN_CONTENT, find_main_content
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import FITS_FROM, kind_of_page, learn_site
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.crawl.regions import PageKind
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import OutOfMemory, PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.words import words
from sitestencil.reading.blocks import text_blocks
from sitestencil.selectors.matching import Elements, Selector, topmost

_T = TypeVar("_T")
MOST_SITES, MOST_PAGES = 200, 300
MOST_BYTES = 256 * 1024 * 1024  # of HTML that is kept
# Larger pages are logs and books, and would cost the most time.
_MOST_ELEMENTS = _MOST_WORDS = 50_000
LEAST_OF_KIND, MOST_OF_KIND = 5, 40
_MEDIA = frozenset({"img", "video", "audio", "iframe", "object", "embed", "canvas"})
_MOST_OF_VALUE = 0.2  # of the pages of a kind, that have a text that is a value
Report = Callable[[int, int], object]  # the number of kinds that are learned, and of all
LEARNING_SECONDS = 600.0  # of processor time for a kind; hostile pages would take days


@dataclass(slots=True)
class SitePages:
    """Pages of a site (its host without ``www.``) in pseudorandom order, and the number of those not kept."""

    site: str
    pages: list[CrawlPage]
    left_out: int = 0


def read_sites(pages: Iterable[CrawlPage | Skipped]) -> tuple[list[SitePages], int, int]:
    """Return the pages of each site, how many records there are, and how many of them are no page or not kept."""
    kept: dict[str, dict[str, CrawlPage]] = {}
    counts: Counter[str] = Counter()
    count = skipped = size = 0
    for count, page in enumerate(pages, start=1):  # noqa: B007
        is_beyond = isinstance(page, Skipped) or (page.site not in kept and len(kept) == MOST_SITES)
        if isinstance(page, Skipped) or is_beyond or size + len(page.html) > MOST_BYTES:
            skipped += 1
            continue
        pages_by_url = kept.setdefault(page.site, {})
        if page.url not in pages_by_url:
            counts[page.site] += 1
            pages_by_url[page.url] = page
            size += len(page.html)
            if len(pages_by_url) > MOST_PAGES:
                size -= len(pages_by_url.pop(max(pages_by_url, key=_rank)).html)
    sites = [
        (site, [pages_by_url[url] for url in sorted(pages_by_url, key=_rank)])
        for site, pages_by_url in sorted(kept.items())
    ]
    return (
        [SitePages(site, pages_by_url, counts[site] - len(pages_by_url)) for site, pages_by_url in sites],
        count,
        skipped,
    )


def _rank(url: str) -> tuple[int, str]:
    return crc32(url.encode("utf-8", "replace")), url


_parsed = lru_cache(4096)(Selector)


class KindPage:
    """A page whose words are template (not in `content`), main content (in `main`), or around it.

    Sets of words are whole numbers: bit ``n`` is the page's word ``n``, in document order. Behind these each
    picture, film and frame of the page counts as a word (in `media`). Words in `values` are template only by their
    place: few other pages have that text, such as a title or a price. `is_main` tells per element whether all of
    it is main content; all else is template of `rest`. A page weighs as much as those that it stands for.
    Of one that is only near the kind no words count but those that both the template and the page show as content.

    Raises:
        PageUnavailable: the page has no words, or too many.
    """

    def __init__(self, document: Document, learned: LearnedTemplate, *, is_near: bool = False) -> None:
        self.document = document
        detection = learned.apply(document)
        self.fit = detection.fit
        main = find_main_content(document, detection)
        texts, in_blocks = document.texts, {number for block in text_blocks(document) for number in block.texts}
        counts = (len(words(run.text)) if number in in_blocks else 0 for number, run in enumerate(texts))
        self._media = [one for one, tag in enumerate(document.tags) if tag in _MEDIA]
        self._starts = [0, *accumulate(counts)]
        if not 0 < self._starts[-1] <= _MOST_WORDS:
            raise PageUnavailable(f"{document.url}: it has no words, or more than {_MOST_WORDS:,}.")
        self._starts += range(self._starts[-1] + 1, self._starts[-1] + len(self._media) + 1)
        self.media = self._media_in(0, len(document))
        self.words = self._bits(0, len(texts)) | self.media
        judged = zip(texts, detection.template_texts, strict=True)
        template = self._words_where(
            (detection.template[run.parent] and own for run, own in judged), detection.template
        )
        self.content = self.words - template
        self.main, self.is_main = self._words_where(main.texts, main.elements), main.elements
        if is_near:
            self.words = self.content = self.content & self.main
        self.rest = MAIN_CONTENT.rest(document, detection, main)
        self.values, self.weight = 0, 1.0
        self._known: dict[str, int] = {}
        self._selected: dict[str, list[int]] = {}

    @cached_property
    def template_texts(self) -> dict[int, str]:
        """The texts that are template, by their numbers, and the addresses of media."""
        stated = (self.document.attributes[one] for one in self._media)
        media = (one.get("data-src") or one.get("src", "") for one in stated)
        return {
            number: text.strip()
            for number, text in enumerate([*(run.text for run in self.document.texts), *media])
            if (bits := self._bits(number, number + 1)) and not bits & self.content
        }

    def template_in(self, words: int) -> set[str]:
        """Return the texts of the template with one of some words."""
        return {
            text for number, text in self.template_texts.items() if text and words & self._bits(number, number + 1)
        }

    def mark_values(self, pages_with: Mapping[str, int], most: float) -> None:
        """Take texts of the template that at most so many pages have as values."""
        for number, text in self.template_texts.items():
            if text and pages_with[text] <= most:
                self.values |= self._bits(number, number + 1)

    @cached_property
    def _elements(self) -> Elements:
        return Elements(self.document)

    def _bits(self, first: int, last: int) -> int:
        return (1 << self._starts[last]) - (1 << self._starts[first])

    def _media_in(self, first: int, last: int) -> int:
        start, stop = (len(self.document.texts) + bisect_left(self._media, at) for at in (first, last))
        return self._bits(start, stop)

    def _words_where(self, chosen: Iterable[bool], elements: Sequence[bool]) -> int:
        where = enumerate([*chosen, *(elements[one] for one in self._media)])
        return sum(self._bits(text, text + 1) for text, is_chosen in where if is_chosen)

    def words_in(self, element: int) -> int:
        """Return the words in an element, with its media."""
        runs = self.document.runs(element)
        return self._bits(runs.start, runs.stop) | self._media_in(element, self.document.ends[element])

    def selected(self, selector: str) -> list[int]:
        """Return the elements that a selector matches, in document order."""
        if selector not in self._selected:
            self._selected[selector] = _parsed(selector).select(self._elements)
        return self._selected[selector]

    def matched(self, selector: str) -> list[int]:
        """Return the topmost elements that a selector matches."""
        return [*topmost(self.document, self.selected(selector))]

    def words_of(self, selector: str) -> int:
        """Return the words in the elements that a selector matches."""
        if selector not in self._known:
            self._known[selector] = 0
            for element in self.matched(selector):
                self._known[selector] |= self.words_in(element)
        return self._known[selector]


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of a site with its learned template, its pages in pseudorandom order, and those near it of no kind."""

    site: str
    group: PageKind
    pages: list[CrawlPage]
    near: list[CrawlPage] = field(default_factory=list)

    def read(self, most: int = MOST_OF_KIND) -> list[KindPage]:
        """Return at most so many judged pages; one that cannot be read, or has no content, is passed over."""
        judged = (one for one in map(self.judged, self.pages) if one is not None and one.content)
        pages = list(islice(judged, most))
        if len(pages) >= LEAST_OF_KIND:
            mark_values(pages)
        for page in pages:
            page.weight = len(self.pages) / len(pages)
        return pages

    def read_near(self) -> list[KindPage]:
        """Return some of the pages of no kind that are nearest to this one, judged."""
        judged = (self.judged(page, is_near=True) for page in self.near[:MOST_OF_KIND])
        return [one for one in judged if one is not None and one.content]

    def judged(self, page: CrawlPage, *, is_near: bool = False) -> KindPage | None:
        """Return a page of the kind, judged; None for one that cannot be read, is too large, or has no words."""
        return of_document(page, lambda document: KindPage(document, self.group.learned, is_near=is_near))


def mark_values(pages: Sequence[KindPage]) -> None:
    """Take texts of the template that few of some pages have as values."""
    pages_with = Counter(text for page in pages for text in set(page.template_texts.values()))
    for page in pages:
        page.mark_values(pages_with, max(1.0, _MOST_OF_VALUE * len(pages)))


def of_document(page: CrawlPage, made: Callable[[Document], _T]) -> _T | None:
    """Return what is made of a page's tree; None if it cannot be read, is too large, or takes too much."""
    with suppress(PageUnavailable, OutOfMemory, TimeIsUp), page_limits(MOST_SECONDS):
        document = SamplePage(page).document
        return made(document) if len(document) <= _MOST_ELEMENTS else None
    return None


def kinds_of(site: SitePages) -> list[Kind]:
    """Return the kinds of a site's pages, those of most pages first."""
    groups = learn_site(site.site, site.pages, most_seconds=MOST_SECONDS).groups
    kinds = {group.id: Kind(site.site, group, []) for group in groups}
    for page in site.pages:
        if (group := group_of(page, groups)) is not None:
            kinds[group.id].pages.append(page)
        elif (group := group_of(page, groups, 0.0)) is not None:
            kinds[group.id].near.append(page)
    return sorted(kinds.values(), key=lambda kind: (-len(kind.pages), kind.group.id))


def group_of(page: CrawlPage, groups: Sequence[PageKind], fits_from: float = FITS_FROM) -> PageKind | None:
    """Return the kind of a page; None if no template fits it so well, or it cannot be read."""
    with suppress(PageUnavailable, OutOfMemory, TimeIsUp), page_limits(MOST_SECONDS):
        return kind_of_page(SamplePage(page), groups, fits_from)
    return None
