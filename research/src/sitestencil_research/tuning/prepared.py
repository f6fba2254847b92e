"""Prepare a labelled site for evaluation under many parameters: compute all that the parameters do not change."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sitestencil.detectors.detection import with_frame
from sitestencil.detectors.temex.mapping import MappingParameters
from sitestencil.detectors.temex.subdigraph import find_complete_subdigraphs
from sitestencil.site.loading import PageLoader
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labelled_key_page
from sitestencil_research.scoring import Score
from sitestencil_research.tuning.bitmapping import BitMapper
from sitestencil_research.tuning.numbered import Numbering


class PreparedSite:
    """A site's parsed and numbered pages, its complete subdigraph per n, and its labels as bit sets.

    Args:
        folder: the folder of the stored, labelled site.
        sizes: all values of n to evaluate.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """

    def __init__(self, folder: Path, sizes: Sequence[int]) -> None:
        site = read_labelled_key_page(folder)
        self.name = site.id
        key_page, labels = site.page.document, site.page.labels
        loader = PageLoader(key_page, site.source, seconds=float("inf"))
        subdigraphs = asyncio.run(find_complete_subdigraphs(loader, sizes))
        self._document = key_page
        self._template = _bits(labels, TEMPLATE)
        self._content = _bits(labels, CONTENT)
        by_id = {id(page): page for subdigraph in subdigraphs.values() for page in subdigraph.pages}
        pages = list(by_id.values())
        numbers = {id(page): number for number, page in enumerate(pages)}
        self._members = {
            n: [numbers[id(page)] for page in subdigraph.pages] for n, subdigraph in subdigraphs.items()
        }
        self.pages_loaded = {n: subdigraph.loads for n, subdigraph in subdigraphs.items()}
        self._numbering = Numbering()
        self._key_page = self._numbering.page(key_page)
        self._pages = [self._numbering.page(page.document()) for page in pages]
        self._below_body = key_page.ends[key_page.body] - key_page.body if key_page.body is not None else 0
        self._head = (1 << (key_page.body if key_page.body is not None else len(key_page))) - 1

    def evaluate(
        self, mapping: MappingParameters, points: Sequence[tuple[int, int]], *, raise_votes_for_twins: bool = False
    ) -> list[Score]:
        """Return TemEx's score on this site under mapping parameters, for each n and t."""
        mapper = BitMapper(self._numbering, mapping)
        mapped = [mapper.map(self._key_page, page) for page in self._pages]
        return [
            self._score([mapped[page] for page in self._members[n]], t, raise_votes_for_twins) for n, t in points
        ]

    def _score(self, mapped: Sequence[int], votes: int, raise_votes_for_twins: bool) -> Score:
        if not mapped:
            return Score(0, 0, self._template.bit_count())
        needed = min(votes, len(mapped))
        if raise_votes_for_twins:
            twins = sum(elements.bit_count() >= self._below_body for elements in mapped)
            needed = min(needed + twins, len(mapped))
        template = self._with_frame(voted(mapped, needed))
        right = (template & self._template).bit_count()
        return Score(right, (template & self._content).bit_count(), self._template.bit_count() - right)

    def _with_frame(self, template: int) -> int:
        if not self._document.embedded:
            return template | self._head
        whole = with_frame(self._document, [bool(template >> e & 1) for e in range(len(self._document))])
        return sum(1 << e for e, is_template in enumerate(whole) if is_template)


def voted(mapped: Sequence[int], needed: int) -> int:
    """Return the bits that are set in at least `needed` of the bit sets."""
    at_least = [0] * needed
    for elements in mapped:
        for k in range(needed - 1, 0, -1):
            at_least[k] |= at_least[k - 1] & elements
        at_least[0] |= elements
    return at_least[-1]


def _bits(labels: str, letter: str) -> int:
    return int("".join("1" if label == letter else "0" for label in reversed(labels)), 2)
