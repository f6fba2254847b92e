"""Stencil, the project's own detector: trained trees weigh evidence from pages like the key page."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from sitestencil.detectors.detection import Detection, Doubt
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil.comparison import (
    BUDGET,
    ENOUGH_SIMILAR,
    Budget,
    Comparison,
    StoppingRule,
    compare_pages,
)
from sitestencil.detectors.stencil.doubts import (
    OF_PAGE_ALONE,
    doubt_of,
    expected_f1,
    is_held_back,
    most_expected_f1,
)
from sitestencil.detectors.stencil.evidence import (
    ANOTHER_TEXT,
    THRESHOLD,
    Evidence,
    Reasons,
    collect_evidence,
)
from sitestencil.detectors.stencil.poor_pages import ServedPage
from sitestencil.detectors.stencil.similarity import ComparedPage, ComparedPages, KeyPage
from sitestencil.detectors.stencil.texts import judge_texts, keep_lines_whole, text_shares
from sitestencil.detectors.stencil.tree_model import StencilModel, shipped_stencil_model
from sitestencil.detectors.stored_sketch import RememberedPage
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.key_sketch import KeySketch
from sitestencil.progress import Progress
from sitestencil.site.loading import PageLoader, passing_over

NAME = "stencil"
Early = Callable[[Detection], None]
_THREEFOLD = 3


class Judgement(NamedTuple):
    """The judgement of the key page, with its evidence."""

    evidence: Evidence
    scores: list[float]
    template: list[bool]


Judge = Callable[[KeyPage, ComparedPages], Judgement]


@dataclass(frozen=True, slots=True)
class Stencil:
    """The detector.

    Attributes:
        model: the classifier; by default the model in this package.
        budget: the bounds on the pages to compare.
        threshold: the least score of a template element.
    """

    model: StencilModel = field(default_factory=shipped_stencil_model)
    budget: Budget = BUDGET
    threshold: float = THRESHOLD

    def with_more_pages(self) -> "Stencil":
        """Return the detector with three times the budget, for answers with too little confidence."""
        pages, loads = _THREEFOLD * self.budget.pages, _THREEFOLD * self.budget.loads
        return replace(self, budget=replace(self.budget, pages=pages, loads=loads))

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the elements whose score reaches the threshold, with all scores; there is always an answer.

        If no page of the site can be compared, the key page alone decides (PageLevel).
        """
        return (await self._detect(key_page, loader))[1]

    async def detect_in_rounds(self, key_page: Document, loader: PageLoader, early: Early) -> Detection:
        """Return the same as `detect`; `early` gets the detection of each round that does not settle the answer."""
        return (await self._detect(key_page, loader, early))[1]

    async def learn(self, key_page: Document, loader: PageLoader) -> LearnedTemplate:
        """Return the key page's detection as a template for pages like the key page; see `detect`."""
        sketch, detection = await self._detect(key_page, loader)
        return LearnedTemplate.of(NAME, sketch, detection)

    async def _detect(
        self, key_page: Document, loader: PageLoader, early: Early | None = None
    ) -> tuple[KeySketch, Detection]:
        stopping_rule = StoppingRule()
        # The answer is compared with the one before it, so two judgements are kept.
        judge = lru_cache(maxsize=2)(self._judge)

        def is_settled(prepared: KeyPage, compared: ComparedPages, similar: int) -> bool:
            if not compared.is_near:
                served.ask()
            return stopping_rule.is_settled(similar, lambda: judge(prepared, compared).template)

        def answer(comparison: Comparison, doubt: Doubt | None = None) -> tuple[KeySketch, Detection]:
            with loader.stopwatch.phase("mapping"), collector_paused():
                return self._answer(comparison, judge, stopping_rule, doubt, loader.key_status)

        def answer_early(comparison: Comparison) -> None:
            if early is None or not comparison.compared.is_near:
                return
            with passing_over(key_page.url):
                _, detection = answer(comparison)
                if detection.doubt is None:
                    early(detection)

        between_rounds = answer_early if early is not None else None
        served = ServedPage(loader)
        try:
            comparison = await compare_pages(
                key_page, loader, is_settled, self.budget, between_rounds=between_rounds
            )
            doubt = None if comparison.compared.is_near else await served.doubt(comparison.key_page)
        finally:
            await served.close()
        loader.report(Progress("mapping", loader.pages_received))
        sketch, detection = answer(comparison, doubt)
        if is_held_back(detection.doubt, loader):
            detection = replace(detection, doubt=Doubt.LINKS_MAY_ACT)
        sketches = [page.sketch for page in comparison.compared.pages]
        loader.known.compared = [sketch, *sketches]
        if detection.doubt is None and detection.candidates:
            new = [one for one in sketches if not isinstance(one, RememberedPage)]
            loader.known.seen = [sketch, *new]
            if not new:  # enough known pages are near
                detection = replace(detection, more_pages=0)
        return sketch, detection

    def _answer(
        self, comparison: Comparison, judge: Judge, stopping_rule: StoppingRule, served: Doubt | None, status: int
    ) -> tuple[KeySketch, Detection]:
        prepared, compared = comparison.key_page, comparison.compared
        detection = None
        with passing_over(" and ".join(page.sketch.url for page in compared.pages)):
            detection = self._detection_by(prepared, compared, judge, stopping_rule)
        if detection is None:
            compared = self._without_faulty(prepared, compared)
            detection = self._detection_by(prepared, compared, judge, stopping_rule)
        doubt = doubt_of(comparison._replace(compared=compared), detection, served, status)
        return prepared.sketch, replace(detection, doubt=doubt)

    def _detection_by(
        self, prepared: KeyPage, compared: ComparedPages, judge: Judge, stopping_rule: StoppingRule
    ) -> Detection:
        if not compared.pages:
            return from_page_alone(prepared.sketch.document)
        return self._detection(prepared, compared, judge(prepared, compared), stopping_rule)

    def _without_faulty(self, prepared: KeyPage, compared: ComparedPages) -> ComparedPages:
        """Return the compared pages that can be judged alone."""
        sound: list[ComparedPage] = []
        for page in compared.pages:
            with passing_over(page.sketch.url):
                self.decide(prepared, ComparedPages.of([page]))
                sound.append(page)
        return ComparedPages.of(sound)

    def decide(self, prepared: KeyPage, compared: ComparedPages) -> Detection:
        """Return the detection from pages already compared; there is at least one."""
        with collector_paused():
            judgement = self._judge(prepared, compared)
            return self._detection(prepared, compared, judgement, StoppingRule())

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
        template, scores = list(template), list(scores)
        keep_lines_whole(prepared.sketch.document, template, texts, scores, text_scores)
        candidates = tuple(page.sketch.url for page in compared.pages)
        reasons = Reasons(prepared.sketch, evidence, scores, compared)
        more_pages = stopping_rule.wanted(compared.similar_count)
        other_texts = evidence.rules.count(ANOTHER_TEXT) / len(evidence.judged.judged_as)
        confidence = min(expected_f1(scores, template, other_texts), most_expected_f1(compared))
        return Detection(
            template, texts, candidates, scores, text_scores, reasons, more_pages, confidence=confidence
        )


def from_page_alone(key_page: Document) -> Detection:
    """Return PageLevel's detection, with its score per element; it is computed at its first use."""
    from sitestencil.detectors.pagelevel.detector import PageLevel

    return replace(PageLevel().later(key_page), more_pages=ENOUGH_SIMILAR, confidence=OF_PAGE_ALONE)
