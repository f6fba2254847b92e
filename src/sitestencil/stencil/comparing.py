"""Loading the pages to compare with: those that the choice promises most of, until there are enough."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitestencil.document import Document
from sitestencil.garbage import collector_paused
from sitestencil.loading import Site
from sitestencil.sources import Response
from sitestencil.stencil.choice import Choice
from sitestencil.stencil.kinship import NEAR_FROM, Key, Kin, Relative
from sitestencil.stencil.sketch import CandidateSketch, Sketch


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages to compare with, and how many loads that may take, unavailable pages included.

    Attributes:
        pages: wanted; every two loads in vain lower the demand by one.
        loads: the most.
        near_pages: so many near ones are enough, whatever else was loaded: a further one would tell the same.
    """

    pages: int = 5
    loads: int = 10
    near_pages: int = 4

    def is_spent(self, kinships: Sequence[float], loads: int) -> bool:
        """Return whether the pages compared, by their kinship, are enough after so many loads."""
        in_vain = loads - len(kinships)
        if len(kinships) >= self.pages - in_vain // 2:
            return True
        nearest = max(kinships, default=0.0)
        return sum(kinship >= NEAR_FROM * nearest for kinship in kinships) >= self.near_pages


BUDGET = Budget()


Reader = Callable[[Response], Sketch]


async def load_kin(
    key: Document, site: Site, budget: Budget = BUDGET, *, read: Reader | None = None
) -> tuple[Key, Kin]:
    """Compare the key page with pages of its site, chosen one after the other.

    Args:
        key: the key page.
        site: loads the pages.
        budget: how many.
        read: makes the sketch of a page that came; one may remember those it made.

    A page whose texts are those of the key page, or of one seen before, is passed over: it is the same page at
    another address, or printed, or an error page, and says nothing new.
    """
    with site.stopwatch.phase("candidates"), collector_paused():
        compared = Key(key)
        choice = Choice(key)
    relatives: list[Relative] = []
    seen = {hash(tuple(compared.sketch.own))}
    async for page in site.load(choice, lambda: 1, budget.loads):
        with site.stopwatch.phase("parse"), collector_paused():
            sketch = read(page.response) if read else CandidateSketch(page.response, scripting=key.scripting)
        with site.stopwatch.phase("mapping"), collector_paused():
            texts = hash(tuple(sketch.own))
            if texts in seen or not len(sketch):
                continue
            seen.add(texts)
            relatives.append(compared.compare(sketch))
        if budget.is_spent([relative.kinship for relative in relatives], site.pages_loaded):
            break
        with site.stopwatch.phase("candidates"):
            choice.learn(sketch, relatives[-1].kinship)
    return compared, Kin.of(relatives)
