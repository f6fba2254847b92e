"""Alignment: the tokens that half of t pages share in one order (Geraci and Maggini; definitions.md, 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.alignment.distillation import distill, page_profile
from sitestencil.detectors.alignment.tokens import Tokens, Vocabulary
from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.page.document import Document
from sitestencil.progress import Progress
from sitestencil.site.frontier import crawl
from sitestencil.site.loading import PageLoader, nothing_to_compare, passing_over

PAGES = 16
LOADS_PER_PAGE = 4


@dataclass(frozen=True, slots=True)
class Alignment:
    """The multi-sequence alignment detector, by default as the paper recommends: t = 16.

    Attributes:
        pages: t, the number of pages to align, with the key page: a power of two, at least 2. If the site gives
            fewer, the largest power of two available.
        seed: the seed for the choice of pages and their pairs.

    Raises:
        ValueError: ``pages`` is not a power of two, or is less than 2.
    """

    pages: int = PAGES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.pages < 2 or self.pages & (self.pages - 1):
            raise ValueError(f"t = {self.pages}: give a power of two, at least 2")

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the elements of the key page whose start tags are among the tokens shared by half of the pages.

        Raises:
            NoCandidates: the key page links to no other page of its site.
            NothingLoaded: none of the linked pages could be loaded.
            TimeOut: the time ran out before the first page arrived.
        """
        vocabulary = Vocabulary()
        key_tokens = vocabulary.tokens(key_page)
        others: list[list[int]] = []
        addresses: list[str] = []
        async for page in crawl(loader, self.pages - 1, LOADS_PER_PAGE * self.pages, self.seed):
            with passing_over(page.url), loader.stopwatch.phase("mapping"):
                others.append(vocabulary.tokens(loader.read(page)).numbers)
                addresses.append(page.url)
        if not others:
            raise nothing_to_compare(loader)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            compared = _power_of_two(1 + len(others)) - 1
            survivors = _survivors(key_tokens, others[:compared], self.seed)
            template = [position in survivors for position in key_tokens.start_tags]
            texts = [
                position in survivors and template[run.parent]
                for position, run in zip(key_tokens.texts, key_page.texts, strict=True)
            ]
        return Detection(with_frame(key_page, template), texts, tuple(addresses[:compared]))


def _survivors(key_tokens: Tokens, others: Sequence[list[int]], seed: int) -> set[int]:
    """Return the positions of the key page's tokens that are left at the root."""
    profiles = [page_profile(key_tokens.numbers, is_key=True), *(page_profile(tokens) for tokens in others)]
    return {position for position in distill(profiles, seed).positions if position >= 0}


def _power_of_two(count: int) -> int:
    """Return the largest power of two that is not above a count."""
    return 1 << (count.bit_length() - 1)
