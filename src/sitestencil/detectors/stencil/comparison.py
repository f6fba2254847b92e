"""Comparing the key page with other pages: load what promises most, compare it, stop when the answer is settled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sitestencil.detectors.stencil.page_choice import PageChoice
from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages, KeyPage
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.sketch import Sketch
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.passing_over import passing_over

# Three similar pages, and an answer of which the last page changed at most one element in two hundred: on the 46
# labelled sites more pages gave nothing, and fewer cost F1 (docs/errors.md).
ENOUGH_SIMILAR = 3
_SAME_FROM = 0.995
# Tried with and without on 121 labelled pages (docs/errors.md).
_ONE_OTHER_IN = 3


class StoppingRule:
    """Follows the answers that a growing number of pages gives."""

    def __init__(self) -> None:
        self._last: Sequence[bool] | None = None
        self._settled = False

    def is_settled(self, similar: int, answer: Callable[[], Sequence[bool]]) -> bool:
        """Return whether the last page changed next to nothing, and enough pages are of the key page's kind.

        Args:
            similar: how many similar pages have been compared.
            answer: tells which elements are template by all pages so far; not asked before it can matter.
        """
        if similar < ENOUGH_SIMILAR - 1:
            return False
        before, self._last = self._last, answer()
        if before is not None and similar >= ENOUGH_SIMILAR:
            self._settled = _agreement_of(before, self._last) >= _SAME_FROM
        return self._settled

    def wanted(self, similar: int) -> int:
        """Return how many further similar pages would make the answer surer: none once it is settled."""
        return 0 if self._settled else max(1, ENOUGH_SIMILAR - similar)


def _agreement_of(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Return F1 of one answer by the other."""
    both = sum(map(min, one, other))
    return 2 * both / max(1, sum(one) + sum(other))


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages to compare with, and how many loads that may take, unavailable pages included.

    Both bounds, like those of the stopping rule, were chosen on labelled sites (docs/errors.md).

    Attributes:
        pages: the most; every two loads in vain lower the demand by one.
        loads: the most.
        draw: which order pages are taken in that promise the same; figures are means over several draws.
    """

    pages: int = 7
    loads: int = 12
    draw: int = 0

    def is_spent(self, pages: int, loads: int) -> bool:
        """Return whether the pages compared are enough after so many loads."""
        in_vain = loads - pages
        return pages >= self.pages - in_vain // 2


BUDGET = Budget()

ReadSketch = Callable[[LoadedPage], Sketch]
IsSettled = Callable[[KeyPage, ComparedPages], bool]


class Comparison(NamedTuple):
    """What came of comparing.

    Attributes:
        key_page: the key page.
        compared: the other pages.
        repeated: how many further addresses gave a page that another had given.
    """

    key_page: KeyPage
    compared: ComparedPages
    repeated: int


async def compare_pages(
    key_page: Document,
    loader: PageLoader,
    is_settled: IsSettled,
    budget: Budget = BUDGET,
    *,
    read_sketch: ReadSketch | None = None,
) -> Comparison:
    """Compare the key page with pages of its site, chosen one after the other, until the answer is settled.

    A page whose texts are those of the key page, or of one seen before, is passed over: it is the same page at
    another address, or printed, or an error page, and says nothing new.

    Args:
        key_page: the page whose template is wanted.
        loader: loads the other pages.
        is_settled: is asked after each page whether a further one is not needed.
        budget: how many pages at the most.
        read_sketch: makes the sketch of a page that came; one may remember those it made.
    """
    with loader.stopwatch.phase("candidates"), collector_paused():
        prepared = KeyPage(key_page)
        choice = PageChoice(prepared.sketch, budget.draw)
    pages: list[ComparedPage] = []
    compared = ComparedPages.of(pages)
    key_texts, repeated = tuple(prepared.sketch.own_texts), 0
    seen_texts = {key_texts}
    # One at a time: what each page is worth decides which is the next.
    while loader.may_load(budget.loads) and (link := choice.next(other=_other_wanted(compared))) is not None:
        page = await loader.load(link)
        if loader.timed_out:
            break
        if page is None:
            choice.miss(link)
            continue
        sketch = new = None
        with passing_over(page.url):
            with loader.stopwatch.phase("parse"), collector_paused():
                sketch = read_sketch(page) if read_sketch else page.sketch(scripting=key_page.scripting)
            with loader.stopwatch.phase("mapping"), collector_paused():
                new = _compare_unseen(prepared, sketch, seen_texts)
        if sketch is None or new is None:
            repeated += sketch is not None and len(sketch) > 0 and tuple(sketch.own_texts) != key_texts
            choice.miss(link)
            continue
        settled = None
        with passing_over(page.url), loader.stopwatch.phase("mapping"), collector_paused():
            together = ComparedPages.of([*pages, new])
            settled = is_settled(prepared, together)
        if settled is None:
            choice.miss(link)
            continue
        pages.append(new)
        compared = together
        if settled or budget.is_spent(len(pages), loader.loads):
            break
        with passing_over(page.url), loader.stopwatch.phase("candidates"):
            choice.learn(sketch, pages[-1].similarity)
    return Comparison(prepared, compared, loader.repeated + repeated)


def _other_wanted(compared: ComparedPages) -> bool:
    """Return whether too few of the pages are of other kinds: one in three tells what the whole site has."""
    others = len(compared.pages) - compared.similar_count
    return others < len(compared.pages) // _ONE_OTHER_IN


def _compare_unseen(prepared: KeyPage, sketch: Sketch, seen_texts: set[tuple[str, ...]]) -> ComparedPage | None:
    """Compare a page, unless its texts are those of one seen before; they are seen from now on."""
    texts = tuple(sketch.own_texts)
    if texts in seen_texts or not len(sketch):
        return None
    seen_texts.add(texts)
    return prepared.compare(sketch)
