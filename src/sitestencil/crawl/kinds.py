"""Find pages of one kind: they share most paths of tags and classes."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from selectolax.lexbor import LexborNode
from xxhash import xxh3_64_intdigest

from sitestencil.crawl.compiled_template import NOT_MEASURED, CompiledTemplate, Measured, Walked, measure, walked
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.native_walking import NativeNodes
from sitestencil.errors import NotReadable, PageUnavailable
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document
from sitestencil.page.encoding import decoded
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.metadata import Metadata, chosen
from sitestencil.page.page_facts import PageFacts, node_facts
from sitestencil.page.parsing import document_of, lexbor_root
from sitestencil.page.sketch import Sketch
from sitestencil.urls import resolve

# Two pages are of one kind if they share this part of all their paths. Chosen from .35, .45, .55 and .65 by the F1
# of the content's words on the open sites (research/docs/performance.md).
SAME_KIND_FROM = 0.45


@dataclass(eq=False)
class SamplePage:
    """A page that a site's kinds are learned from; it caches its parsed forms.

    Attributes:
        page: the page.
        charset: the encoding that it was read by.
        declared_charset: the encoding that its header or the page itself names.
    """

    page: CrawlPage
    charset: str = field(default="", init=False)
    declared_charset: str | None = field(default=None, init=False)
    _measured: dict[CompiledTemplate, Measured] = field(default_factory=dict, repr=False)
    _walked: dict[CompiledTemplate, Walked] = field(default_factory=dict, repr=False)

    @cached_property
    def root(self) -> LexborNode | None:
        """The root of the parser's tree.

        Raises:
            PageUnavailable: the page's markup is refused.
        """
        with collector_paused():
            text, self.charset, self.declared_charset = decoded(self.page.html, self.page.charset)
            return lexbor_root(text, scripting=False, charset=None)

    @cached_property
    def nodes(self) -> NativeNodes:
        """The nodes that templates read.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        if self.root is None:
            raise PageUnavailable(f"{self.page.url}: it is empty.")
        return NativeNodes(self.root)

    def measured(self, compiled: CompiledTemplate) -> Measured:
        """Measure how well a template fits, and cache the result.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        known = self._measured.get(compiled)
        if known is None:
            with collector_paused():
                try:
                    known = measure(self.nodes, compiled)
                except NotReadable:
                    known = NOT_MEASURED
            self._measured[compiled] = known
        return known

    def walked(self, compiled: CompiledTemplate) -> Walked:
        """Apply a template to the page, and cache the result.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        known = self._walked.get(compiled)
        if known is None:
            measured = self.measured(compiled)
            try:
                known = walked(self.nodes, measured)
            except NotReadable:  # mapping reads every tree
                mapped = compiled.learned.apply(self.document)
                known = Walked(measured.fit, mapped.template, mapped.template_texts, (), ())
            self._walked[compiled] = known
        return known

    @cached_property
    def document(self) -> Document:
        """The fully parsed page.

        Raises:
            PageUnavailable: the page's markup is refused.
        """
        return document_of(self.root, self.page.html, self.page.url, scripting=False)

    def metadata(self, other_titles: Sequence[str] = ()) -> Metadata:
        """Return the page's own statements about itself.

        Args:
            other_titles: the titles of other pages of the site.

        Raises:
            PageUnavailable: the page's markup is refused.
        """
        url = self.page.url
        facts = PageFacts() if self.root is None else node_facts(self.root)
        return chosen(facts, url, resolve(facts.base, url) or url if facts.base else url, other_titles)

    @cached_property
    def sketch(self) -> CandidateSketch:
        """The sketch that comparisons use."""
        with collector_paused():
            page = self.page
            return CandidateSketch(page.html, page.url, scripting=False, charset=page.charset, parsed=self.root)

    @cached_property
    def paths(self) -> frozenset[int]:
        """The page's paths of tags and classes, as hashes that are stable between pages."""
        return stable_paths(self.sketch)


def stable_paths(sketch: Sketch) -> frozenset[int]:
    """Return a page's paths of tags and classes, as hashes that are stable between pages."""
    paths, hashes = sketch.class_paths, list[int]()
    for element, path in enumerate(paths):
        if path == len(hashes):  # the first element of its path
            parent, kind = sketch.parents[element], sketch.kinds[element]
            above = hashes[paths[parent]] if parent >= 0 else 0
            hashes.append(xxh3_64_intdigest(kind.encode("utf-8", "surrogatepass"), above))
    return frozenset(hashes)


def similarity(one: Set[int], other: Set[int]) -> float:
    """Return the share of two pages' paths that both have."""
    common = len(one & other)
    return common / max(1, len(one) + len(other) - common)


def largest_kind(pages: Sequence[SamplePage], same_from: float = SAME_KIND_FROM) -> list[SamplePage]:
    """Return the largest group of pages of one kind; the page that has the most pages of its kind comes first.

    Of several such pages the largest comes first, as it has a place for anything the others lack. The rest are
    sorted by their similarity to it.
    """
    best: list[tuple[float, int]] = []
    best_rank = (0, 0)
    for number, page in enumerate(pages):
        shares = [(similarity(page.paths, other.paths), position) for position, other in enumerate(pages)]
        alike = [(-share, position) for share, position in shares if share >= same_from and position != number]
        rank = len(alike), len(page.sketch)
        if rank > best_rank:
            best_rank, best = rank, [(-2.0, number), *sorted(alike)]
    return [pages[number] for _, number in best]
