"""ConEx alone: all but the page's main content counts as template (HybEx, section 3.1; definitions.md, 3)."""

from dataclasses import dataclass

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.hybex.conex import content_elements
from sitestencil.page.document import Document
from sitestencil.site.loading import PageLoader


@dataclass(frozen=True, slots=True)
class ConEx:
    """The page-level content extractor; it loads nothing."""

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the complement of the main content; the whole page if there is none."""
        with loader.stopwatch.phase("mapping"):
            template = [not is_content for is_content in content_elements(key_page)]
            texts = [template[run.parent] for run in key_page.texts]
        return Detection(with_frame(key_page, template), texts, ())


def published() -> ConEx:
    """Return ConEx as the HybEx 1.2 add-on runs it."""
    return ConEx()
