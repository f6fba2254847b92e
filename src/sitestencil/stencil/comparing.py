"""Loading the pages to compare with: those that the choice promises most of, until there are enough."""

from collections.abc import Callable
from dataclasses import dataclass

from sitestencil.document import Document
from sitestencil.garbage import collector_paused
from sitestencil.loading import Site
from sitestencil.sources import Response
from sitestencil.stencil.candidate_sketch import CandidateSketch
from sitestencil.stencil.choice import Choice
from sitestencil.stencil.kinship import Key, Kin, Relative
from sitestencil.stencil.sketch import Sketch


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
