"""HybEx: ConEx before TemEx (Alarte and Silva, WWW 2022; definitions.md, 3), and ConEx alone (section 3.1)."""

from dataclasses import dataclass

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.hybex.conex import content_elements
from sitestencil.detectors.temex.detector import HYBEX_ADDON, TemEx, TemExParameters
from sitestencil.page.document import Document
from sitestencil.site.loading import PageLoader


@dataclass(frozen=True, slots=True)
class ConEx:
    """The page-level content extractor, as the HybEx 1.2 add-on runs it; it loads nothing."""

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the complement of the main content; the whole page if there is none."""
        with loader.stopwatch.phase("mapping"):
            template = [not is_content for is_content in content_elements(key_page)]
            texts = [template[run.parent] for run in key_page.texts]
        return Detection(with_frame(key_page, template), texts, ())


@dataclass(frozen=True, slots=True)
class HybEx:
    """The hybrid of a content extractor and a template extractor, by default as the HybEx 1.2 add-on runs it.

    Attributes:
        parameters: TemEx's parameters.
    """

    parameters: TemExParameters = HYBEX_ADDON

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return TemEx's answer without the main content that ConEx finds.

        Raises:
            NothingToCompare: the key page has no links, or no linked page came in time.
        """
        with loader.stopwatch.phase("mapping"):
            is_content = content_elements(key_page)
        detection = await TemEx(self.parameters).detect(key_page, loader)
        template = [kept and not content for kept, content in zip(detection.template, is_content, strict=True)]
        texts = [
            kept and not is_content[run.parent]
            for kept, run in zip(detection.template_texts, key_page.texts, strict=True)
        ]
        return Detection(with_frame(key_page, template), texts, detection.candidates)
