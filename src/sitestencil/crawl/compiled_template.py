"""Compile a learned template to rules for the few elements that hold both template and content, and apply it.

Most subtrees of a page are all template or all content, and need no comparison. The crawl skips the first and takes
the text of the second. A small tree of mixed elements remains, and each has a rule for its children. `measure`
tells which template of a site fits a page best, and `walked` applies it. `LearnedTemplate.apply` is the reference;
it compares every element and takes two to three times as long.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple
from weakref import WeakMethod

from sitestencil.crawl.native_walking import NativeEntered, NativeMeasuring, NativeNodes, NativeWalk
from sitestencil.crawl.pairing import SHAPE, ChildRule, ElementRule, Pairing, Verdict
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.page.document import Document
from sitestencil.page.sketch import NONE


class CompiledTemplate:
    """The rules of a learned template.

    Attributes:
        learned: the template that the rules come from.
        pairings: a pairing for each mixed element, by its number in the learned sketch. The first lookup builds it.
        template_paths: the paths of template elements that pages of the kind should have.
        content_paths: the same for content elements.
    """

    def __init__(self, learned: LearnedTemplate) -> None:
        self.learned = learned
        self._sketch = sketch = learned.sketch
        self._is_template = [
            learned.columns.answer.template[element] for element in learned.columns.document_elements
        ]
        if self._is_template:
            self._is_template[0] = True
        self._text_before = [0, *accumulate(learned.columns.text_bytes)]
        self._verdicts = self._all_verdicts()
        self._likes: dict[int, dict[str, ChildRule]] = {}
        self.pairings = _Pairings(self._rule)
        mixed = [element for element, verdict in enumerate(self._verdicts) if verdict is Verdict.GO_INTO]
        known = {child for element in mixed for child in sketch.children[element]}
        paths = sketch.class_paths
        self.template_paths = frozenset(paths[element] for element in known if self._is_template[element])
        self.content_paths = frozenset(paths[element] for element in known) - self.template_paths

    def _all_verdicts(self) -> list[Verdict]:
        """Return each element's verdict, which depends on its whole subtree."""
        sketch = self._sketch
        has_template, has_content = list(self._is_template), [not template for template in self._is_template]
        for element, texts in enumerate(sketch.text_marks):
            if texts and self._is_template[element] and not all(sketch.own_text_answers(element)):
                has_content[element] = True
        for element in range(len(sketch) - 1, 0, -1):
            parent = sketch.parents[element]
            has_template[parent] |= has_template[element]
            has_content[parent] |= has_content[element]
        verdicts = [
            Verdict.GO_INTO if template and content else Verdict.TAKE if content else Verdict.PASS_OVER
            for template, content in zip(has_template, has_content, strict=True)
        ]
        # Always enter the root and the body: a page may have more below them than the learned one.
        for element, parent in enumerate(sketch.parents):
            if parent == NONE or (parent == 0 and sketch.tags[element] in {"body", "frameset"}):
                verdicts[element] = Verdict.GO_INTO
        return verdicts

    def _rule(self, element: int) -> ElementRule:
        sketch = self._sketch
        children = sketch.children[element]
        return ElementRule(
            is_template=self._is_template[element],
            children=[self._child_rule(child) for child in children],
            identities=[sketch.identity(child) for child in children],
            shapes=[(sketch.kinds[child], *self._first_kinds(child)) for child in children],
            kinds=[sketch.kinds[child] for child in children],
            tags=[sketch.tags[child] for child in children],
            likes=self._likes_below(sketch.class_paths[element]) if self._is_template[element] else {},
            texts=sketch.own_text_answers(element),
        )

    def _child_rule(self, child: int) -> ChildRule:
        sketch = self._sketch
        end = sketch.ends[child]
        text_bytes = self._text_before[end] - self._text_before[child]
        return ChildRule(child, self._verdicts[child], sketch.class_paths[child], end - child, text_bytes)

    def _first_kinds(self, element: int) -> list[str]:
        return [self._sketch.kinds[child] for child in self._sketch.children[element][:SHAPE]]

    def _likes_below(self, path: int) -> dict[str, ChildRule]:
        """Return the usual rule for an unknown child of an element with this path, by the child's kind."""
        likes = self._likes.get(path)
        if likes is None:
            likes = self._likes[path] = {}
            for kind, elements in self._sketch.elements_by_path.get(path, {}).items():
                of_verdict: dict[Verdict, list[int]] = {}
                for element in elements:
                    of_verdict.setdefault(self._verdicts[element], []).append(element)
                likes[kind] = self._child_rule(max(of_verdict.values(), key=len)[0])
        return likes


class _Pairings(dict[int, Pairing]):
    """Build each pairing at its first lookup."""

    def __init__(self, rule: Callable[[int], ElementRule]) -> None:
        # A strong reference back would be a cycle, and keep the rules of finished sites in memory.
        self._rule = WeakMethod(rule)

    def __missing__(self, element: int) -> Pairing:
        rule = self._rule()
        if rule is None:
            raise KeyError(element)
        pairing = self[element] = Pairing(rule(element))
        return pairing


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
        template_texts: per text, whether it is template.
        entered: the number of each element with template and content, and of the learned element that it is like.
        passed: the same numbers for the other children of these elements.
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
