"""Stencil, the project's own detector: evidence from pages of the key page's kind, weighed by trained trees."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.pagelevel.detector import shipped as page_level
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.detectors.stencil.comparison import (
    BUDGET,
    ENOUGH_SIMILAR,
    Budget,
    Comparison,
    StoppingRule,
    compare_pages,
)
from sitestencil.detectors.stencil.doubts import doubt_of
from sitestencil.detectors.stencil.evidence import THRESHOLD, Evidence, collect_evidence
from sitestencil.detectors.stencil.model import StencilModel, shipped_stencil_model
from sitestencil.detectors.stencil.reasons import Reasons, presence
from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages, KeyPage
from sitestencil.detectors.stencil.texts import judge_texts, text_shares
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.progress import Progress
from sitestencil.site.loading import PageLoader
from sitestencil.site.passing_over import passing_over

NAME = "stencil"
_THREEFOLD = 3


class Judgement(NamedTuple):
    """What the compared pages say of the key page, and why."""

    evidence: Evidence
    scores: list[float]
    template: list[bool]


@dataclass(frozen=True, slots=True)
class Stencil:
    """The detector.

    Attributes:
        model: the classifier; by default the one that comes with this package.
        budget: how many pages to compare with.
        threshold: an element is template from this score on.
    """

    model: StencilModel = field(default_factory=shipped_stencil_model)
    budget: Budget = BUDGET
    threshold: float = THRESHOLD

    def with_more_pages(self) -> "Stencil":
        """Return the detector with a threefold budget, for where its answer was too unsure."""
        pages, loads = _THREEFOLD * self.budget.pages, _THREEFOLD * self.budget.loads
        return replace(self, budget=replace(self.budget, pages=pages, loads=loads))

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the elements whose score reaches the threshold, with all scores; there is always an answer.

        Where no page of the site can be compared, the key page alone decides (PageLevel).
        """
        learned, detection = await self._learn(key_page, loader)
        with loader.stopwatch.phase("mapping"):
            return replace(learned.apply(key_page), reasons=detection.reasons, doubt=detection.doubt)

    async def learn(self, key_page: Document, loader: PageLoader) -> LearnedTemplate:
        """Return what the key page and its site tell about pages of the key page's kind; see `detect`."""
        learned, _ = await self._learn(key_page, loader)
        return learned

    async def _learn(self, key_page: Document, loader: PageLoader) -> tuple[LearnedTemplate, Detection]:
        stopping_rule = StoppingRule()
        judgements: dict[ComparedPages, Judgement] = {}

        def is_settled(prepared: KeyPage, compared: ComparedPages) -> bool:
            def answer() -> list[bool]:
                judgements[compared] = self._judge(prepared, compared)
                return judgements[compared].template

            return stopping_rule.is_settled(compared.similar_count, answer)

        prepared, compared, repeated = await compare_pages(key_page, loader, is_settled, self.budget)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"), collector_paused():
            detection = None
            with passing_over(" and ".join(page.sketch.url for page in compared.pages)):
                detection = self._detection_by(prepared, compared, judgements.get(compared), stopping_rule)
            if detection is None:
                compared = self._without_faulty(prepared, compared)
                detection = self._detection_by(prepared, compared, None, stopping_rule)
            doubt = doubt_of(Comparison(prepared, compared, repeated), detection)
            return LearnedTemplate.of(NAME, prepared.sketch, detection), replace(detection, doubt=doubt)

    def _detection_by(
        self,
        prepared: KeyPage,
        compared: ComparedPages,
        judgement: Judgement | None,
        stopping_rule: StoppingRule,
    ) -> Detection:
        if not compared.pages:
            return self._from_page_alone(prepared.sketch.document)
        return self._detection(prepared, compared, judgement or self._judge(prepared, compared), stopping_rule)

    def _without_faulty(self, prepared: KeyPage, compared: ComparedPages) -> ComparedPages:
        """Return the compared pages that can be judged by each alone."""
        sound: list[ComparedPage] = []
        for page in compared.pages:
            with passing_over(page.sketch.url):
                self.decide(prepared, ComparedPages.of([page]))
                sound.append(page)
        return ComparedPages.of(sound)

    def decide(self, prepared: KeyPage, compared: ComparedPages) -> Detection:
        """Return what pages that have been compared already say of the key page; at least one."""
        with collector_paused():
            return self._detection(prepared, compared, self._judge(prepared, compared), StoppingRule())

    def _judge(self, prepared: KeyPage, compared: ComparedPages) -> Judgement:
        evidence = collect_evidence(prepared, compared)
        probabilities = self.model.probabilities(evidence.columns)
        return Judgement(evidence, *evidence.judge(probabilities, prepared.sketch, self.threshold))

    def _detection(
        self, prepared: KeyPage, compared: ComparedPages, judgement: Judgement, stopping_rule: StoppingRule
    ) -> Detection:
        evidence, scores, template = judgement
        shares = text_shares(prepared.sketch, compared)
        texts, text_scores = judge_texts(prepared.sketch, shares, template, scores)
        candidates = tuple(page.sketch.url for page in compared.pages)
        reasons = Reasons(prepared.sketch, evidence, scores, presence(compared))
        more_pages = stopping_rule.wanted(compared.similar_count)
        return Detection(template, texts, candidates, scores, text_scores, reasons, more_pages)

    def _from_page_alone(self, key_page: Document) -> Detection:
        detector = page_level()
        values = templateness(key_page, detector.model, detector.smoothing)
        alone = detector.decide(key_page, values)
        scores = values.of_elements(values.values)
        return Detection(alone.template, alone.template_texts, (), scores, more_pages=ENOUGH_SIMILAR)


def shipped() -> Stencil:
    """Return the detector with the model that comes with this package."""
    return Stencil()
