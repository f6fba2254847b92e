"""Make training examples: the evidence about the pages of labelled sites, with their labels."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from sitestencil.detectors.stencil.comparison import BUDGET, Budget, StoppingRule, compare_pages
from sitestencil.detectors.stencil.evidence import BY_MARKUP, Evidence, collect_evidence
from sitestencil.detectors.stencil.similarity import MOST_PAGES, NEAR, ComparedPages, KeyPage
from sitestencil.page.key_sketch import KeySketch
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import host
from sitestencil_research.labels import CONTENT, TEMPLATE, LabelledPage, read_labelled_key_page
from sitestencil_research.scoring import Score, score
from sitestencil_research.training.label_transfer import sibling_pages

# F1 differs by .005 between draws (research/docs/errors.md), so training and figures use several draws.
DRAWS = 6
# Each page is chosen by all pages before it, so the stages fit rounds of any size. Trees grown from the pages of
# rounds were worse (docs/errors.md). A person's memory and a crawl have more pages than the detector loads.
_MANY_PAGES = Budget(pages=MOST_PAGES, loads=4 * MOST_PAGES, rounds=(1, 1))
# The weights beside a page's stages, and the number of pages that are not near. Chosen by cross-validated F1.
_FAR_WEIGHT, _ONE_NEAR_WEIGHT, _MOST_FAR = 0.2, 0.1, 5


class EvidenceStage(NamedTuple):
    """The evidence after some pages: the number of similar pages, and the number of loads it took."""

    evidence: Evidence
    similar: int
    loads: int


@dataclass(frozen=True, slots=True, eq=False)
class PageExamples:
    """The evidence about one labelled page.

    Attributes:
        page: the page with its labels.
        sketch: the page's sketch, for comparison.
        stages: the evidence after each page within the detector's budget; empty if there was none.
        loads: the number of pages requested within the budget.
        many: the evidence of many pages; None if the stages have all.
        few: evidence with few near pages, with its weight: pages that are not near, alone and beside a near one.
    """

    page: LabelledPage
    sketch: KeySketch
    stages: tuple[EvidenceStage, ...]
    loads: int
    many: Evidence | None = None
    few: tuple[tuple[Evidence, float], ...] = ()

    def masses(self, evidence: Evidence) -> list[tuple[int, int]]:
        """Return, per judged element, the numbers of template and of content elements that its score decides.

        The page's own markup decides some alone. Trees that learned from these took more of other parts that no
        page has for template (research/docs/errors.md).
        """
        counts = {element: [0, 0] for element in evidence.judged.elements}
        for top, element in zip(evidence.judged.judged_as, self.sketch.document_elements, strict=True):
            label = self.page.labels[element]
            if label in {TEMPLATE, CONTENT}:
                counts[top][label == CONTENT] += 1
        return [
            (0, 0) if rule in BY_MARKUP else (template, content)
            for rule, (template, content) in zip(evidence.rules, counts.values(), strict=True)
        ]

    def settle(self, probabilities: Sequence[Sequence[float]]) -> tuple[Score, int]:
        """Return the score, and the number of loads, if the stages have these probabilities.

        Loading ends by the detector's own rule: when the answer is settled.
        """
        stopping_rule = StoppingRule()
        answer: list[bool] | None = None
        for stage, of_stage in zip(self.stages, probabilities, strict=True):
            _, answer = stage.evidence.judge(of_stage, self.sketch)
            if stopping_rule.is_settled(stage.similar, answer.copy):
                return score(answer, self.page.labels), stage.loads
        if answer is None:
            return Score(0, 0, self.page.labels.count(TEMPLATE)), self.loads
        return score(answer, self.page.labels), self.loads


@dataclass(frozen=True, slots=True, eq=False)
class StencilSiteExamples:
    """A labelled site's examples.

    Attributes:
        site: its name.
        organisation: the host; sites of one organisation share it.
        draws: its key page, compared with the pages of several draws (`detectors.stencil.page_choice`). The choice
            of pages is partly random, and neither training nor figures should depend on it.
        siblings: similar pages, labelled by the same selectors.
    """

    site: str
    organisation: str
    draws: tuple[PageExamples, ...]
    siblings: tuple[PageExamples, ...]


def stencil_site_examples(folder: Path, *, draws: int = DRAWS, siblings: bool = True) -> StencilSiteExamples:
    """Return the examples of a labelled site.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """
    site = read_labelled_key_page(folder)
    source = site.source
    others = sibling_pages(site) if siblings else []

    def examples(page: LabelledPage, draw: int = 0) -> PageExamples:
        return asyncio.run(_page_examples(page, source, replace(_MANY_PAGES, draw=draw)))

    of_draws = tuple(examples(site.page, draw) for draw in range(draws))
    return StencilSiteExamples(site.id, host(source.base_url), of_draws, tuple(examples(page) for page in others))


async def _page_examples(page: LabelledPage, source: StoredSite, budget: Budget) -> PageExamples:
    loader = PageLoader(page.document, source)
    stages: list[EvidenceStage] = []
    pages = 0

    def go_on(prepared: KeyPage, compared: ComparedPages, similar: int) -> bool:
        nonlocal pages
        if BUDGET.round_size(pages, loader.loads - 1) and loader.loads <= BUDGET.loads:
            stages.append(EvidenceStage(collect_evidence(prepared, compared), similar, loader.loads))
        pages += 1
        return False

    prepared, compared, *_ = await compare_pages(page.document, loader, go_on, budget)
    many = collect_evidence(prepared, compared) if pages > len(stages) else None
    loads = stages[-1].loads if stages else min(loader.loads, BUDGET.loads)
    return PageExamples(page, prepared.sketch, tuple(stages), loads, many, tuple(_few(prepared, compared)))


def _few(prepared: KeyPage, compared: ComparedPages) -> Iterator[tuple[Evidence, float]]:
    """Yield the evidence if the site had no near page, or only one."""
    near = [page for page in compared.pages if page.similarity >= NEAR]
    far = [page for page in compared.pages if page.similarity < NEAR][:_MOST_FAR]
    if len(far) > 1:
        yield collect_evidence(prepared, ComparedPages.of(far)), _FAR_WEIGHT
        if near:
            yield collect_evidence(prepared, ComparedPages.of([near[0], *far[:-1]])), _ONE_NEAR_WEIGHT
