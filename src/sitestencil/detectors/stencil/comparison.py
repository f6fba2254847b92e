"""Loading the pages to compare with: those that the choice promises most of, until there are enough."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitestencil.detectors.stencil.candidate_sketch import CandidateSketch
from sitestencil.detectors.stencil.page_choice import Choice
from sitestencil.detectors.stencil.similarity import Key, Kin, Relative
from sitestencil.detectors.stencil.sketch import Sketch
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.site.loading import Site
from sitestencil.site.sources import Response

ENOUGH_NEAR = 3
_SAME_FROM = 0.995


class Settling:
    """Follows the answers that a growing number of pages gives."""

    def __init__(self) -> None:
        self._last: Sequence[bool] | None = None
        self._settled = False

    def is_settled(self, near: int, answer: Callable[[], Sequence[bool]]) -> bool:
        """Return whether the last page changed next to nothing, and enough pages are of the key page's kind.

        Args:
            near: how many near pages have been compared.
            answer: tells which elements are template by all pages so far; not asked before it can matter.
        """
        if near < ENOUGH_NEAR - 1:
            return False
        before, self._last = self._last, answer()
        if before is not None and near >= ENOUGH_NEAR:
            self._settled = _likeness(before, self._last) >= _SAME_FROM
        return self._settled

    def wanted(self, near: int) -> int:
        """Return how many further near pages would make the answer surer: none once it is settled."""
        return 0 if self._settled else max(1, ENOUGH_NEAR - near)


def _likeness(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Return F1 of one answer by the other."""
    both = sum(map(min, one, other))
    return 2 * both / max(1, sum(one) + sum(other))


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages to compare with, and how many loads that may take, unavailable pages included.

    Attributes:
        pages: the most; every two loads in vain lower the demand by one.
        loads: the most.
        draw: of the order in which pages are taken that promise as much.
    """

    pages: int = 6
    loads: int = 12
    draw: int = 0

    def is_spent(self, pages: int, loads: int) -> bool:
        """Return whether the pages compared are enough after so many loads."""
        in_vain = loads - pages
        return pages >= self.pages - in_vain // 2


BUDGET = Budget()

Reader = Callable[[Response], Sketch]
Settled = Callable[[Key, Kin], bool]


async def load_kin(
    key: Document, site: Site, settled: Settled, budget: Budget = BUDGET, *, read: Reader | None = None
) -> tuple[Key, Kin]:
    """Compare the key page with pages of its site, chosen one after the other, until the answer is settled.

    A page whose texts are those of the key page, or of one seen before, is passed over: it is the same page at
    another address, or printed, or an error page, and says nothing new.

    Args:
        key: the key page.
        site: loads the pages.
        settled: is asked after each page whether a further one is not needed.
        budget: how many pages at the most.
        read: makes the sketch of a page that came; one may remember those it made.
    """
    with site.stopwatch.phase("candidates"), collector_paused():
        compared = Key(key)
        choice = Choice(compared.sketch, budget.draw)
    relatives: list[Relative] = []
    kin = Kin.of(relatives)
    seen = {hash(tuple(compared.sketch.own))}
    # One at a time: what each page is worth decides which is the next.
    async for page in site.load(choice, lambda: 1, budget.loads, passed_over=choice.miss):
        with site.stopwatch.phase("parse"), collector_paused():
            sketch = read(page.response) if read else CandidateSketch(page.response, scripting=key.scripting)
        with site.stopwatch.phase("mapping"), collector_paused():
            texts = hash(tuple(sketch.own))
            if texts in seen or not len(sketch):
                choice.miss(page.link)
                continue
            seen.add(texts)
            relatives.append(compared.compare(sketch))
            kin = Kin.of(relatives)
            if settled(compared, kin) or budget.is_spent(len(relatives), site.pages_loaded):
                break
        with site.stopwatch.phase("candidates"):
            choice.learn(sketch, relatives[-1].kinship)
    return compared, kin
