"""Learn a site's templates from a few pages: one template for each recurring kind of page.

The learner starts with the largest kind among the first few pages. It goes on as long as pages come that no
template fits. It compares a kind's key page with pages of its kind, and with others that the key page links to, as
a detection from the web does.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from zlib import crc32

from sitestencil.crawl.input.crawled import CrawlPage, MayBegin, always
from sitestencil.crawl.kinds import SamplePage, largest_kind, similarity
from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.crawl.regions import PageKind
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil.detector import NAME, Stencil
from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages, KeyPage
from sitestencil.errors import OutOfMemory, PageUnavailable
from sitestencil.page.gc_pause import collector_paused
from sitestencil.printable import printable
from sitestencil.site.links import site_links
from sitestencil.urls import page_key

log = logging.getLogger(__name__)

# All bounds were set by hand on the open sites; docs/crawls.md has their effects.
FITS_FROM = 0.7  # a page that fits a template so well is of its kind
_FEW = 8  # pages before the first template is learned
MOST_GROUPS = 24
_ENOUGH_FITTING = 12  # so many fitting pages in a row: the site has no further kinds worth learning
_MATES, _OTHERS = 4, 2  # pages of the key page's kind, and of other kinds, to compare it with
_MOST_COMPANIONS = 6
_MOST_READ = 48  # pages whose trees are kept
_MOST_BYTES = 16 * 1024 * 1024  # of HTML kept for one purpose; its trees take more than five times as much

ReadPages = dict[tuple[str, int], SamplePage]


@dataclass(frozen=True)
class SiteTemplates:
    """The templates of a site.

    Attributes:
        site: the site.
        groups: its kinds of pages.
        companions: pages to compare with a page of no known kind.
    """

    site: str
    groups: tuple[PageKind, ...] = ()
    companions: tuple[CrawlPage, ...] = field(default=(), repr=False)


def learn_site(
    site: str,
    pages: Iterable[CrawlPage],
    read: ReadPages | None = None,
    most_seconds: float | None = None,
    known: Sequence[PageKind] = (),
    may_begin: MayBegin = always,
    *,
    stencil: Stencil | None = None,
) -> SiteTemplates:
    """Learn a site's templates, and take no more pages than needed.

    Args:
        site: the site.
        pages: pages of the site, in pseudo-random order.
        read: receives the parsed pages, so that no page is parsed twice.
        most_seconds: a page that takes longer to read is skipped, and a template that takes longer to learn ends
            learning.
        known: the site's templates of an earlier crawl; only kinds that are new are learned.
        may_begin: hears of each key page before its template is learned.
        stencil: the detector.
    """
    learner = _Learner(site, stencil or Stencil(), known, may_begin)
    read_bytes = 0
    with collector_paused():
        for page in pages:
            if learner.is_done():
                break
            sample = (read or {}).get((page.source, page.offset)) or SamplePage(page)
            try:
                with page_limits(most_seconds):
                    _ = sample.document
            except (PageUnavailable, OutOfMemory, TimeIsUp) as error:
                log.debug("%s: %r", page.url, error)
                continue
            learner.add(sample, most_seconds)
            read_bytes += len(page.html)
            if read is not None and len(read) < _MOST_READ and read_bytes <= _MOST_BYTES:
                read[page.source, page.offset] = sample
        return learner.result(most_seconds)


def in_learning_order(pages: Iterable[CrawlPage]) -> list[CrawlPage]:
    """Return pages in pseudo-random order, which is the same on every machine."""
    return sorted(pages, key=lambda page: (crc32(page.url.encode("utf-8", "replace")), page.url))


class _Learner:
    def __init__(self, site: str, stencil: Stencil, known: Sequence[PageKind], may_begin: MayBegin) -> None:
        self._site = site
        self._stencil = stencil
        self._may_begin = may_begin
        self._groups = list(known)
        self._waiting: list[SamplePage] = []
        self._seen: list[SamplePage] = []
        self._fitting = 0
        self._given_up = False

    def is_done(self) -> bool:
        return self._given_up or self._fitting >= _ENOUGH_FITTING or len(self._groups) >= MOST_GROUPS

    def add(self, sample: SamplePage, most_seconds: float | None) -> None:
        with self._limited(None):
            try:
                with page_limits(most_seconds):
                    is_new = self._is_new(sample)
            except (OutOfMemory, TimeIsUp) as error:  # it costs this page only
                log.debug("%s: %r", sample.page.url, error)
                return
            if is_new:
                with self._limited(most_seconds):
                    self._take(sample)

    @contextmanager
    def _limited(self, seconds: float | None) -> Iterator[None]:
        """Keep the templates so far when learning fails or takes too long."""
        try:
            with page_limits(seconds):
                yield
        except PageUnavailable as error:
            log.debug("%s: %r", self._site, error)
        except (Exception, TimeIsUp) as error:
            log.warning("%s: no more is learned of it: %r", printable(self._site), error)
            self._given_up = True

    def _is_new(self, sample: SamplePage) -> bool:
        """Return whether no template so far fits a page, and no page so far has the same content."""
        if kind_of_page(sample, self._groups) is not None:
            self._fitting += 1
            return False
        # The sketch of a site's only page is not needed.
        return not any(sample.sketch.hashes[0] == other.sketch.hashes[0] for other in self._seen)

    def _take(self, sample: SamplePage) -> None:
        self._fitting = 0
        self._waiting.append(sample)
        self._seen.append(sample)
        if len(self._waiting) >= _FEW or _size(self._waiting) > _MOST_BYTES:
            self._learn_largest()
            # Pages that stay unmatched for long are of kinds with a single page.
            self._waiting = _last(self._waiting, 2 * _FEW)
            self._seen = _last(self._seen, 4 * _FEW)

    def result(self, most_seconds: float | None) -> SiteTemplates:
        with self._limited(most_seconds):
            while not self._given_up and len(self._groups) < MOST_GROUPS and self._learn_largest():
                pass
        return SiteTemplates(self._site, tuple(self._groups), tuple(self._companions()))

    def _learn_largest(self) -> bool:
        """Learn the largest kind among the waiting pages; return whether it has at least two pages."""
        kind = largest_kind(self._waiting) if len(self._waiting) > 1 else []
        if len(kind) < 2:
            return False
        key_page, *mates = kind
        self._may_begin(key_page.page.source, key_page.page.offset)
        # Take the most similar pages and the least similar one, which shows what only some pages have.
        chosen = mates if len(mates) <= _MATES else [*mates[: _MATES - 1], mates[-1]]
        compared = [*chosen, *self._others(key_page, kind)]
        group = self._learned(key_page, compared, 1 + len(chosen))
        self._groups.append(group)
        self._waiting = [
            sample for sample in self._waiting if sample is not key_page and kind_of_page(sample, [group]) is None
        ]
        return True

    def _others(self, key_page: SamplePage, kind: Sequence[SamplePage]) -> list[SamplePage]:
        """Return pages of other kinds; those that the key page links to come first."""
        others = [sample for sample in self._seen if not any(sample is member for member in kind)]
        if not others:
            return []
        linked = {link.page.rstrip("/") for link in site_links(key_page.sketch)}

        def rank(sample: SamplePage) -> tuple[bool, float]:
            return page_key(sample.page.url).rstrip("/") not in linked, similarity(sample.paths, key_page.paths)

        return sorted(others, key=rank)[:_OTHERS]

    def _learned(self, key_page: SamplePage, compared: Sequence[SamplePage], of_kind: int) -> PageKind:
        page = key_page.page
        with collector_paused():
            prepared = KeyPage(key_page.sketch)
            pages = [prepared.compare(sample.sketch) for sample in compared]
        detection = self._stencil.decide(prepared, ComparedPages.of(pages))
        learned = LearnedTemplate.of(NAME, prepared.sketch, detection)
        learned.known_mappings.update((page.sketch, page.mapping) for page in pages)
        urls = (page.url, *(sample.page.url for sample in compared))
        number = 1 + max((int(group.id.rpartition("/")[2]) for group in self._groups), default=-1)
        name = f"{self._site}/{number}"
        stands_on = _stands_on(len(prepared.sketch), pages)
        return PageKind(name, learned, urls, of_kind, stands_on, detection.confidence, page)

    def _companions(self) -> list[CrawlPage]:
        """Return pages of as many kinds as possible: key pages first."""
        keys = [group.key_page for group in self._groups if group.key_page is not None]
        rest = [sample.page for sample in self._seen if not any(sample.page is key for key in keys)]
        return [*keys, *rest][:_MOST_COMPANIONS]


def _stands_on(size: int, compared: Sequence[ComparedPage]) -> bytes:
    """Return a byte for each element of a key page: a bit for the key page, then for each page that has it."""
    # Whole numbers combine all elements at once.
    bits = int.from_bytes(b"\1" * size)
    for number, page in enumerate(compared, start=1):
        marked = bytes([0, *[1 << number] * 255])
        for has in (page.presence, page.found_elsewhere):
            bits |= int.from_bytes(has.translate(marked))
    return bits.to_bytes(size)


def _size(samples: Iterable[SamplePage]) -> int:
    return sum(len(sample.page.html) for sample in samples)


def _last(samples: Sequence[SamplePage], most: int) -> list[SamplePage]:
    """Return the last pages, within both bounds of number and size."""
    kept = list(samples[-most:])
    while kept and _size(kept) > _MOST_BYTES:
        del kept[0]
    return kept


def kind_of_page(sample: SamplePage, groups: Sequence[PageKind], fits_from: float = FITS_FROM) -> PageKind | None:
    """Return the kind of a page; None if no template fits it so well.

    Of the templates that fit, the one that knows most of the page wins.

    Raises:
        PageUnavailable: the page is empty, or its markup is refused.
    """
    best, best_rank = None, 0.0
    for group in groups:
        fit, found = group.paths.fit(sample)
        if fit >= fits_from and fit**2 * found > best_rank:
            best, best_rank = group, fit**2 * found
    return best


def compare_with(sample: SamplePage, companions: Sequence[SamplePage], stencil: Stencil) -> Detection | None:
    """Compare a page with its companions; return None if none of them is a different page."""
    if not companions:
        return None
    with collector_paused():
        prepared = KeyPage(sample.sketch)
        key_path = prepared.sketch.hashes[0] if len(prepared.sketch) else b""
        others = [each.sketch for each in companions if len(each.sketch) and each.sketch.hashes[0] != key_path]
        if not others or not len(prepared.sketch):
            return None
        compared = ComparedPages.of([prepared.compare(sketch) for sketch in others])
    return stencil.decide(prepared, compared)
