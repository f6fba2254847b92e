"""PageLevel: find the template from the page alone (Chakrabarti, Kumar, Punera 2007; definitions.md, 4)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from sitestencil.detectors.detection import Detection, Later, with_containers, with_frame
from sitestencil.detectors.pagelevel.model import Model, shipped_model
from sitestencil.detectors.pagelevel.templateness import Smoothing, Templateness, templateness
from sitestencil.page.document import Document
from sitestencil.progress import Progress
from sitestencil.site.loading import PageLoader


@dataclass(frozen=True, slots=True)
class PageLevel:
    """The page-level detector; it loads nothing.

    Attributes:
        model: the classifier; by default the model in this package.
        smoothing: the penalty and the least area.
        threshold: the least templateness of a template element.
        smooth: use the smoothed values ("PageLevel Smooth") instead of the classifier's ("PageLevel Basic").
        containers: call the containers of template elements template too. In the paper a node is template only
            if all its children are. The other detectors' templates have the containers as well (definitions.md,
            choice 24).
    """

    model: Model = field(default_factory=shipped_model)
    smoothing: Smoothing = Smoothing()
    threshold: float = 0.5
    smooth: bool = True
    containers: bool = True

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the elements whose templateness reaches the threshold."""
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            return self.decide(key_page, templateness(key_page, self.model, self.smoothing))

    def later(self, key_page: Document) -> Detection:
        """Return the detection with its scores, all computed at their first use."""

        @cache
        def found() -> tuple[Detection, Sequence[float]]:
            values = templateness(key_page, self.model, self.smoothing)
            return self.decide(key_page, values), values.of_elements(values.values)

        columns = Later(lambda: found()[0].template), Later(lambda: found()[0].template_texts)
        return Detection(*columns, (), Later(lambda: found()[1]))

    def decide(self, key_page: Document, values: Templateness) -> Detection:
        """Return the detection for a page whose templateness is known."""
        of_elements = values.of_elements(values.values if self.smooth else values.scores)
        template = [value >= self.threshold for value in of_elements]
        texts = [template[run.parent] for run in key_page.texts]
        if self.containers:
            template = with_containers(key_page, template)
        return Detection(with_frame(key_page, template), texts, ())
