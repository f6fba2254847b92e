"""Stencil, the project's own detector: evidence from pages of the key page's kind, weighed by trained trees."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sitestencil.detectors.detection import Detection
from sitestencil.detectors.pagelevel.detector import shipped as page_level
from sitestencil.detectors.pagelevel.templateness import templateness
from sitestencil.detectors.stencil.comparison import BUDGET, ENOUGH_NEAR, Budget, Settling, load_kin
from sitestencil.detectors.stencil.evidence import THRESHOLD, Evidence, collect_evidence
from sitestencil.detectors.stencil.model import StencilModel, shipped_stencil_model
from sitestencil.detectors.stencil.reasons import Reasons
from sitestencil.detectors.stencil.similarity import Key, Kin
from sitestencil.detectors.stencil.texts import judge_texts
from sitestencil.page.document import Document
from sitestencil.page.gc_pause import collector_paused
from sitestencil.progress import Progress
from sitestencil.site.loading import Site


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

    async def detect(self, key: Document, site: Site) -> Detection:
        """Return the elements whose score reaches the threshold, with all scores; there is always an answer.

        Where no page of the site can be compared, the key page alone decides (PageLevel).
        """
        settling = Settling()
        judged: dict[Kin, Judgement] = {}

        def settled(compared: Key, kin: Kin) -> bool:
            def answer() -> list[bool]:
                judged[kin] = self._judge(compared, kin)
                return judged[kin].template

            return settling.is_settled(sum(kin.near), answer)

        compared, kin = await load_kin(key, site, settled, self.budget)
        site.report(Progress("mapping", site.pages_loaded))
        with site.stopwatch.phase("mapping"), collector_paused():
            if not kin.relatives:
                return self._from_page_alone(key)
            judgement = judged.get(kin) or self._judge(compared, kin)
            return self._detection(compared, kin, judgement, settling.wanted(sum(kin.near)))

    def decide(self, compared: Key, kin: Kin) -> Detection:
        """Return what pages that have been compared already say of the key page; at least one."""
        with collector_paused():
            return self._detection(compared, kin, self._judge(compared, kin), Settling().wanted(sum(kin.near)))

    def _judge(self, compared: Key, kin: Kin) -> Judgement:
        evidence = collect_evidence(compared, kin)
        probabilities = self.model.probabilities(evidence.columns)
        return Judgement(evidence, *evidence.judge(probabilities, compared.sketch, self.threshold))

    def _detection(self, compared: Key, kin: Kin, judgement: Judgement, more_pages: int) -> Detection:
        evidence, scores, template = judgement
        texts, text_scores = judge_texts(compared.sketch, kin, template, scores)
        candidates = tuple(relative.sketch.url for relative in kin.relatives)
        reasons = Reasons(compared.sketch, evidence, scores)
        return Detection(template, texts, candidates, scores, text_scores, reasons, more_pages)

    def _from_page_alone(self, key: Document) -> Detection:
        detector = page_level()
        found = templateness(key, detector.model, detector.smoothing)
        alone = detector.decide(key, found)
        scores = found.of_elements(found.values)
        return Detection(alone.template, alone.template_texts, (), scores, more_pages=ENOUGH_NEAR)


def shipped() -> Stencil:
    """Return the detector with the model that comes with this package."""
    return Stencil()
