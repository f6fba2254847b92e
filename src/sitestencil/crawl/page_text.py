"""Apply a compiled template to a page: measure how well each template of the site fits, then apply the best one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.native_walking import NativeEntered, NativeMeasuring, NativeNodes, NativeWalk
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.page.document import Document


class Fit(NamedTuple):
    """How well a template fits a page.

    Attributes:
        share: 0 to 1: the mean of three shares: of the template's paths and the content's paths that the page has,
            and of the visited elements that are known.
        paths: the number of the template's and the content's paths that the page has.
    """

    share: float
    paths: int


class Measured(NamedTuple):
    """The measurement of a template on a page.

    Attributes:
        fit: how well the template fits.
        entered: the root's entry; None if the template is empty.
    """

    fit: Fit
    entered: NativeEntered | None


# Of a page whose tree cannot be read in place.
NOT_MEASURED = Measured(Fit(0.0, 0), None)


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of a compiled template for a page.

    Attributes:
        fit: how well the template fits.
        template: per element, whether it is template.
        template_texts: the same per text.
        entered: the number of each element with template and content, and of the learned element that it is like.
        passed: the same of the other elements right below these.
    """

    fit: Fit
    template: Sequence[bool]
    template_texts: Sequence[bool]
    entered: Sequence[tuple[int, int]]
    passed: Sequence[tuple[int, int]]

    def detection(self, document: Document, learned: LearnedTemplate) -> Detection:
        """Return the answer of the learned template for the page.

        Args:
            document: the page that was walked.
            learned: the template that the rules come from.
        """
        if document.url == learned.url or not self.entered or len(self.template) != len(document):
            return learned.apply(document)
        template, body = list(self.template), document.body or 0
        template[:body] = [True] * body
        scores = [0.0] * len(document)
        for element, known in self.passed:
            size = document.ends[element] - element
            scores[element : element + size] = learned.subtree_scores(known, size)
        for element, known in self.entered:
            scores[element] = learned.subtree_scores(known, 1)[0]
        fit, confidence = self.fit.share, learned.columns.confidence
        return Detection(template, self.template_texts, learned.candidates, scores, fit=fit, confidence=confidence)


def measure(page: NativeNodes, compiled: CompiledTemplate) -> Measured:
    """Measure how well a template fits a page.

    Raises:
        NotReadable: the parser's tree cannot be read in place.
    """
    if not len(compiled.learned.sketch):
        return Measured(_fit(compiled, set(), 0, 0), None)
    found = NativeMeasuring(page, compiled.pairings)
    return Measured(_fit(compiled, found.paths, found.known, found.looked_at), found.entered)


def walked(page: NativeNodes, measured: Measured) -> Walked:
    """Apply a template to a page that it was measured on.

    Raises:
        NotReadable: the parser's tree cannot be read in place.
    """
    found = NativeWalk(page, measured.entered)
    return Walked(measured.fit, found.template, found.template_texts, found.entered, found.passed)


def _fit(compiled: CompiledTemplate, paths: set[int], known: int, looked_at: int) -> Fit:
    template, content = len(compiled.template_paths & paths), len(compiled.content_paths & paths)
    shares = (
        template / len(compiled.template_paths) if compiled.template_paths else 1.0,
        content / len(compiled.content_paths) if compiled.content_paths else 1.0,
        known / max(1, looked_at),
    )
    return Fit(sum(shares) / 3, template + content)
