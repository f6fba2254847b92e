"""Compare the key page with other pages: load the best candidates first, and stop when the answer is settled.

Pages known from earlier visits come first. If enough of them are near, nothing is loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitestencil.detectors.stencil.known_pages import has_changed, known_sketches, may_have_changed
from sitestencil.detectors.stencil.page_choice import PageChoice
from sitestencil.detectors.stencil.poor_pages import is_error_page, says_little
from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages, KeyPage
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.sketch import Sketch
from sitestencil.site.links import Link, link_to
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over

# Stop at three similar, near pages, once the last page changed at most one element in two hundred. On the 46
# labelled sites more pages gave nothing, and fewer cost F1 (research/docs/errors.md).
ENOUGH_SIMILAR = 3
_SAME_FROM = 0.995
# If the most similar page is below this, a page more like the key page is worth another round. Tried on 121
# labelled pages (research/docs/errors.md).
_LIKE_KEY_PAGE = 0.75

Answer = Callable[[], Sequence[bool]]


class StoppingRule:
    """Follows the answers as the number of pages grows."""

    def __init__(self) -> None:
        self._last: Answer | None = None
        self._settled = False

    def is_settled(self, similar: int, answer: Answer) -> bool:
        """Return whether the last page changed almost nothing and enough pages are similar.

        Args:
            similar: the number of similar, near pages compared so far.
            answer: returns which elements are template by all pages so far; called only once enough are similar.
        """
        if similar < ENOUGH_SIMILAR - 1:
            return False
        before, self._last = self._last, answer
        if before is not None and similar >= ENOUGH_SIMILAR:
            one, other = before(), answer()
            f1 = 2 * sum(map(min, one, other)) / max(1, sum(one) + sum(other))
            self._settled = f1 >= _SAME_FROM
        return self._settled

    def wanted(self, similar: int) -> int:
        """Return how many more similar pages would improve the answer: none once it is settled."""
        return 0 if self._settled else max(1, ENOUGH_SIMILAR - similar)


@dataclass(frozen=True, slots=True)
class Budget:
    """The largest number of pages to compare, and of loads, failed ones included.

    The bounds, like the stopping rule's, were chosen on labelled sites (research/docs/errors.md). The rounds were
    chosen together with the hedge of page_choice.py: of ten choices none had a higher F1, in 2 rounds instead of 5.

    Attributes:
        pages: the largest number of pages; every two failed loads lower it by one.
        loads: the largest number of loads.
        rounds: the number of pages in the first round, and in each later round.
        draw: the seed for the order of equally good pages; figures are means over several draws.
    """

    pages: int = 7
    loads: int = 12
    rounds: tuple[int, int] = (4, 3)
    draw: int = 0

    def round_size(self, pages: int, loads: int) -> int:
        """Return the number of pages to load next, after these pages and loads; 0 if there are enough."""
        in_vain, (first, later) = loads - pages, self.rounds
        return max(0, min(later if loads else first, self.pages - in_vain // 2 - pages))


BUDGET = Budget()

IsSettled = Callable[[KeyPage, ComparedPages, int], bool]
BetweenRounds = Callable[["Comparison"], None]


class Comparison(NamedTuple):
    """The result of comparing pages.

    Attributes:
        key_page: the key page.
        compared: the other pages.
        repeated: the number of further addresses that gave a page already seen.
        empty: the number of addresses that gave an almost empty page.
        is_alone: whether all addresses gave the key page itself.
    """

    key_page: KeyPage
    compared: ComparedPages
    repeated: int
    empty: int = 0
    is_alone: bool = False


async def compare_pages(
    key_page: Document,
    loader: PageLoader,
    is_settled: IsSettled,
    budget: Budget = BUDGET,
    *,
    between_rounds: BetweenRounds | None = None,
) -> Comparison:
    """Compare the key page with pages of its site, loaded in rounds, until the answer is settled.

    A page with the same texts as the key page, or as a page seen before, is skipped. It is the same page at another
    address, or its print version, and adds no evidence. Nor does an error page or an almost empty one.

    Args:
        key_page: the page whose template is wanted.
        loader: loads the other pages.
        is_settled: called after each page; returns whether the answer is settled. Its number is that of the
            similar pages that count towards enough.
        budget: the bounds on pages and loads.
        between_rounds: called with the result so far while the pages of the next round load.
    """
    with loader.stopwatch.phase("candidates"), collector_paused():
        comparing = _Comparing(KeyPage(KeySketch(key_page)), loader, is_settled, budget.draw)
    await comparing.load_rounds(budget, between_rounds)
    return comparing.comparison()


class _Comparing:
    """The state of comparing one key page."""

    def __init__(self, key_page: KeyPage, loader: PageLoader, is_settled: IsSettled, draw: int) -> None:
        self._key_page = key_page
        self._loader = loader
        self._is_settled = is_settled
        self._sketch, self._draw = key_page.sketch, draw
        self._pages: list[ComparedPage] = []
        self._compared = ComparedPages.of([])
        self._key_texts = tuple(key_page.sketch.own_texts)
        self._seen_texts = {self._key_texts}
        self._repeated = self._errors = self._empty = 0
        self._looked_elsewhere = False
        self._known = 0

    @cached_property
    def _choice(self) -> PageChoice:
        """The choice among the links; it is not needed where nothing may be loaded."""
        loader = self._loader
        return PageChoice(self._sketch, self._draw, loader.may_follow, loader.given_links)

    def comparison(self) -> Comparison:
        """Return the result so far."""
        loader = self._loader
        others = len(self._pages) + self._errors + self._empty
        is_alone = loader.pages_received > 0 == others
        return Comparison(
            self._key_page, self._compared, loader.repeated + self._repeated, self._empty, is_alone=is_alone
        )

    async def load_rounds(self, budget: Budget, between_rounds: BetweenRounds | None) -> None:
        """Compare the known pages, then load others in rounds, until the answer is settled or the budget spent."""

        def meanwhile() -> None:
            if between_rounds is not None and self._pages:
                between_rounds(self.comparison())

        loader, (settled, changed) = self._loader, self._take_known()
        if self._pages and loader.may_load(budget.loads) and (not settled or changed):
            settled = not await self._has_changed(meanwhile) and settled
        self._known = len(self._pages)
        while not settled and loader.may_load(budget.loads) and (links := self._next_links(budget)):
            pages = await loader.load_round(links, meanwhile)
            for link, page in zip(links, pages, strict=True):
                settled = self._take(link, page) or settled

    def _take_known(self) -> tuple[bool, bool]:
        """Compare the pages known from earlier visits; return whether enough are near, and may have changed."""
        with self._loader.stopwatch.phase("mapping"), collector_paused():
            for sketch in known_sketches(self._loader.known, self._key_page.sketch):
                with passing_over(sketch.url):
                    if says_little(sketch):
                        continue
                    self._compare_shadow_trees(sketch)
                    if (page := _compare_unseen(self._key_page, sketch, self._seen_texts)) is not None:
                        self._pages.append(page)
            self._compared = ComparedPages.of(self._pages)
            are_enough = self._compared.near_count >= ENOUGH_SIMILAR
            return are_enough, are_enough and may_have_changed(self._key_page, self._compared)

    async def _has_changed(self, meanwhile: Callable[[], None]) -> bool:
        """Load the most similar known page again; if the site has changed since, go on without the known pages."""
        known = self._compared.pages[0]
        link = link_to(known.sketch.url)
        (page,) = await self._loader.load_round([link], meanwhile)
        if page is not None and self._is_changed(known, page):
            self._loader.known.outdated = [one.url for one in self._loader.known.pages]
            self._pages, self._compared = [], ComparedPages.of([])
            self._seen_texts = {self._key_texts}
            self._take(link, page)
            return True
        for one in self._pages:
            self._choice.know(one.sketch, one.similarity)
        return False

    def _is_changed(self, known: ComparedPage, page: LoadedPage) -> bool:
        with passing_over(page.url), self._loader.stopwatch.phase("mapping"), collector_paused():
            sketch = self._read(page)
            if says_little(sketch) or is_error_page(sketch, page.title(), page.status):
                return False
            self._compare_shadow_trees(sketch)
            return has_changed(self._key_page, self._compared, known, sketch)
        return False

    def _next_links(self, budget: Budget) -> list[Link]:
        loads = self._loader.loads
        loaded = len(self._pages) - self._known
        size = min(budget.round_size(loaded, loads), self._loader.may_still_load(budget.loads))
        with self._loader.stopwatch.phase("candidates"), collector_paused():
            others = len(self._pages) - self._compared.similar_count
            return self._choice.next_round(size, len(self._pages), others)

    def _take(self, link: Link, page: LoadedPage | None) -> bool:
        """Compare a loaded page; return whether it settles the answer."""
        new = self._compare(page) if page is not None else None
        settled = None
        if new is not None:
            with passing_over(new.sketch.url), self._loader.stopwatch.phase("mapping"), collector_paused():
                together = ComparedPages.of([*self._pages, new])
                self._looked_elsewhere |= self._choice.is_other(link)
                settled = self._is_settled(self._key_page, together, self._settling_count(together))
        if new is None or settled is None:
            self._choice.miss(link)
            return False
        self._pages.append(new)
        self._compared = together
        if not settled:
            with passing_over(new.sketch.url), self._loader.stopwatch.phase("candidates"), collector_paused():
                self._choice.learn(new.sketch, new.similarity)
        return settled

    def _settling_count(self, compared: ComparedPages) -> int:
        """Return how many similar pages count towards enough.

        Pages of one kind share content too. So they are too few until a page of another kind was tried, and until
        one of them is very similar to the key page.
        """
        others = len(compared.pages) - compared.similar_count
        if (others or self._looked_elsewhere) and compared.pages[0].similarity >= _LIKE_KEY_PAGE:
            return compared.near_count
        return min(compared.near_count, ENOUGH_SIMILAR - 1)

    def _compare_shadow_trees(self, sketch: Sketch) -> None:
        """Compare the key page's shadow trees from now on, if a loaded page has the same ones.

        Trees that scripts build are in no served page. Without this they would all look like content.
        """
        key_sketch = self._key_page.sketch
        hosts = key_sketch.document.shadow_hosts & sketch.shadow_hosts
        if hosts <= key_sketch.shadow_hosts:
            return
        key_page = KeyPage(KeySketch(key_sketch.document, key_sketch.shadow_hosts | hosts))
        self._pages = [key_page.compare(page.sketch) for page in self._pages]
        self._key_page, self._compared = key_page, ComparedPages.of(self._pages)
        self._key_texts = tuple(key_page.sketch.own_texts)
        self._seen_texts.add(self._key_texts)

    def _compare(self, page: LoadedPage) -> ComparedPage | None:
        """Return a compared page; None if it is a copy, an error page, almost empty, or faulty."""
        sketch, stopwatch = None, self._loader.stopwatch
        with passing_over(page.url):
            with stopwatch.phase("parse"), collector_paused():
                sketch = self._read(page)
            if says_little(sketch):
                self._empty += 1
                return None
            if is_error_page(sketch, page.title(), page.status):
                self._errors += 1
                return None
            with stopwatch.phase("mapping"), collector_paused():
                self._compare_shadow_trees(sketch)
                if new := _compare_unseen(self._key_page, sketch, self._seen_texts):
                    return new
        if sketch is not None and len(sketch):
            self._repeated += tuple(sketch.own_texts) != self._key_texts
        return None

    def _read(self, page: LoadedPage) -> Sketch:
        document = self._key_page.sketch.document
        return page.sketch(scripting=document.scripting, shadow_hosts=document.shadow_hosts)


def _compare_unseen(prepared: KeyPage, sketch: Sketch, seen_texts: set[tuple[str, ...]]) -> ComparedPage | None:
    """Compare a page, unless a page with the same texts was seen before; remember its texts."""
    texts = tuple(sketch.own_texts)
    if texts in seen_texts or not len(sketch):
        return None
    seen_texts.add(texts)
    return prepared.compare(sketch)
