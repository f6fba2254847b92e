"""Find pages of one kind: they share most paths of tags and classes."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from xxhash import xxh3_64_intdigest

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import PageUnavailable
from sitestencil.page.document import Document
from sitestencil.page.encoding import decoded
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import document_of, lexbor_root
from sitestencil.page.sketch import NONE, Sketch
from sitestencil.selectors.element_selectors import is_made

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

    @cached_property
    def document(self) -> Document:
        """The parsed page.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        with collector_paused():
            text, self.charset, self.declared_charset = decoded(self.page.html, self.page.charset)
            root = lexbor_root(text, scripting=False, charset=None)
            document = document_of(root, self.page.html, self.page.url, scripting=False)
        if not len(document):
            raise PageUnavailable(f"{self.page.url}: it is empty.")
        return document

    def answer(self, learned: LearnedTemplate) -> Detection:
        """Return a template's answer for the page; the page is sketched once if that can be.

        Raises:
            PageUnavailable: the page is empty, or its markup is refused.
        """
        with collector_paused():
            if learned.sketch.shadow_hosts & self.document.shadow_hosts:
                return learned.apply(self.document)
            return learned.answer(self.document, self.sketch)

    @cached_property
    def sketch(self) -> KeySketch:
        """The sketch that comparisons use."""
        with collector_paused():
            return KeySketch(self.document)

    @cached_property
    def paths(self) -> frozenset[int]:
        """The page's paths of tags and classes, as hashes that are stable between pages."""
        return frozenset(path for _, path in self._steps)

    @cached_property
    def paths_below(self) -> Counter[int]:
        """For each of these paths, the number of those that are one element longer."""
        return Counter(above for above, _ in {*self._steps})

    @cached_property
    def _steps(self) -> list[tuple[int, int]]:
        return path_steps(self.sketch)


class KindPaths:
    """The paths that tell whether a page is of a template's kind.

    Of an element that is all template or all content, only its own path counts: what is in it differs from page to
    page.

    Args:
        learned: the template.
    """

    def __init__(self, learned: LearnedTemplate) -> None:
        sketch, answer = learned.sketch, learned.columns.answer.template
        is_template = [answer[element] for element in learned.columns.document_elements]
        is_whole, has_template, steps = whole_elements(learned), list(is_template), path_steps(sketch)
        for element in range(len(sketch) - 1, 0, -1):
            has_template[sketch.parents[element]] |= has_template[element]
        paths = [steps[path][1] for path in sketch.class_paths]
        # The root and the body are always mixed: a page may have more in them than the learned one.
        mixed = [
            element
            for element, parent in enumerate(sketch.parents)
            if (has_template[element] and not is_whole[element])
            or parent == NONE
            or (parent == 0 and sketch.tags[element] in {"body", "frameset"})
        ]
        known = [child for element in mixed for child in sketch.children[element]]
        self._mixed = frozenset(paths[element] for element in mixed)
        self._template = frozenset(paths[child] for child in known if is_template[child])
        self._content = frozenset(paths[child] for child in known) - self._template

    def fit(self, page: SamplePage) -> tuple[float, int]:
        """Return how well a page fits the kind, and the number of the kind's paths that it has.

        The fit is the mean of three shares. Two are those of the template's paths, and of the content's, that the
        page has. The third is that of the page's paths in mixed elements that the kind has.
        """
        template, content = len(self._template & page.paths), len(self._content & page.paths)
        found, below = template + content, page.paths_below
        seen = sum(below[path] for path in self._mixed & below.keys())
        shares = (
            template / len(self._template) if self._template else 1.0,
            content / len(self._content) if self._content else 1.0,
            found / max(1, seen),
        )
        return sum(shares) / 3, found


def whole_elements(learned: LearnedTemplate) -> list[bool]:
    """Return per element of a learned sketch whether all of it is template, with its texts."""
    sketch, columns = learned.sketch, learned.columns
    whole = [
        columns.answer.template[number] and all(sketch.own_text_answers(element))
        for element, number in enumerate(columns.document_elements)
    ]
    for element in range(len(whole) - 1, 0, -1):
        whole[sketch.parents[element]] &= whole[element]
    return whole


def path_steps(sketch: Sketch) -> list[tuple[int, int]]:
    """Return for each class path, by its number, the path above it and itself, as hashes."""
    paths, steps = sketch.class_paths, list[tuple[int, int]]()
    for element, path in enumerate(paths):
        if path == len(steps):  # the first element of its path
            parent, kind = sketch.parents[element], _lasting_kind(sketch.kinds[element])
            above = steps[paths[parent]][1] if parent >= 0 else 0
            steps.append((above, xxh3_64_intdigest(kind.encode("utf-8", "surrogatepass"), above)))
    return steps


@lru_cache(4096)
def _lasting_kind(kind: str) -> str:
    """Return the kind of an element without the classes that tools make, which differ from page to page."""
    tag, _, names = kind.partition(".")
    classes = names.split()
    lasting = [name for name in classes if not is_made(name)]
    return f"{tag}.{' '.join(lasting)}" if len(lasting) < len(classes) else kind


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
