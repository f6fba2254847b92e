"""Apply a compiled template to the parser's tree: write the content's text and number the template.

First measure how well each template of the site fits; then write the content by the best one. Template subtrees are
counted but not read, so most time goes to the content.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import CompiledTemplate
from sitestencil.crawl.node_text import SILENT, take_text, text_instead
from sitestencil.crawl.page_nodes import OTHER, ChildNodes, PageNodes, count_elements
from sitestencil.crawl.rules import ElementRule, Verdict
from sitestencil.outputs.formulas import formula_texts
from sitestencil.outputs.plain_text import Lines
from sitestencil.page.document import Document
from sitestencil.page.hidden import MOST_HIDDEN, hides_text
from sitestencil.page.html_names import BLOCKS
from sitestencil.page.native import NATIVE
from sitestencil.page.parsing import columns
from sitestencil.page.ranges import Range

if TYPE_CHECKING or NATIVE:
    from sitestencil.crawl.native_children import NativeNodes
    from sitestencil.crawl.native_walking import NativeEntered, NativeMeasuring, NativeWriting


class Fit(NamedTuple):
    """How well a template fits a page.

    Attributes:
        share: 0 to 1: the mean of three shares: of the template's paths and the content's paths that the page has,
            and of the visited elements that are known.
        paths: the number of the template's and the content's paths that the page has.
    """

    share: float
    paths: int


class Entered(NamedTuple):
    """An element that the walk entered.

    Attributes:
        tag: its tag.
        rule: the rule for its children.
        children: its children.
        steps: for each compared child, its entry or the action for it.
    """

    tag: str
    rule: ElementRule
    children: ChildNodes
    steps: "Sequence[Entered | Verdict]"


class Measured(NamedTuple):
    """The measurement of a template on a page.

    Attributes:
        fit: how well the template fits.
        entered: the root's entry; None if the template is empty.
    """

    fit: Fit
    entered: "Entered | NativeEntered | None"


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of a compiled template for a page.

    Attributes:
        fit: how well the template fits.
        template: the numbers of the template's elements, as ranges.
        elements: the number of the page's elements.
        text: the content's text, one line for each block.
        links: the number of the content's links.
    """

    fit: Fit
    template: tuple[Range, ...]
    elements: int
    text: str
    links: int


def walk(root: LexborNode, compiled: CompiledTemplate, *, plain: bool = False) -> Walked:
    """Apply a template's rules to a page.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
        compiled: the rules.
        plain: as in `page_nodes`.
    """
    nodes = page_nodes(root, plain=plain)
    return written(nodes, measure(nodes, compiled))


def page_nodes(root: LexborNode, *, plain: bool = False) -> "PageNodes | NativeNodes":
    """Return the nodes of a page for templates to read.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
        plain: use plain Python, even if the compiled modules are there.
    """
    nodes = NativeNodes(root) if NATIVE and not plain else PageNodes(root)
    if nodes.may_have_formulas():
        tags, parents, attributes, texts = columns(root, plain=plain)
        nodes.formulas = formula_texts(Document("", "", tags, parents, attributes, texts))
    return nodes


def measure(page: "PageNodes | NativeNodes", compiled: CompiledTemplate) -> Measured:
    """Measure how well a template fits a page.

    Raises:
        NotReadable: only plain Python can read the page.
    """
    if not len(compiled.learned.sketch):
        return Measured(_fit(compiled, set(), 0, 0), None)
    if not isinstance(page, PageNodes):
        found = NativeMeasuring(page, compiled.pairings)
        return Measured(_fit(compiled, found.paths, found.known, found.looked_at), found.entered)
    measuring = _Measuring(page, compiled)
    entered = measuring.enter(page.root, "html", 0)
    return Measured(_fit(compiled, measuring.paths, measuring.known, measuring.looked_at), entered)


def written(page: "PageNodes | NativeNodes", measured: Measured) -> Walked:
    """Apply a template to a page that it was measured on.

    Raises:
        NotReadable: only plain Python can read the page.
    """
    entered = measured.entered
    if not isinstance(page, PageNodes):
        assert not isinstance(entered, Entered)
        done = NativeWriting(page, entered)
        return Walked(measured.fit, done.ranges(), done.elements, done.text(), done.links)
    writing = _Writing(page)
    if entered is None:
        writing.take(page.root)
    else:
        assert isinstance(entered, Entered)
        writing.enter(entered, page.root)
    template = tuple((first, last) for first, last in writing.ranges)
    return Walked(measured.fit, template, writing.number, writing.lines.text(), writing.lines.links)


def _fit(compiled: CompiledTemplate, paths: set[int], known: int, looked_at: int) -> Fit:
    template, content = len(compiled.template_paths & paths), len(compiled.content_paths & paths)
    shares = (
        template / len(compiled.template_paths) if compiled.template_paths else 1.0,
        content / len(compiled.content_paths) if compiled.content_paths else 1.0,
        known / max(1, looked_at),
    )
    return Fit(sum(shares) / 3, template + content)


class _Measuring:
    """Enter the mixed elements of a page, as deep as the template goes."""

    def __init__(self, page: PageNodes, compiled: CompiledTemplate) -> None:
        self._page = page
        self._compiled = compiled
        self.paths: set[int] = set()
        self.looked_at = self.known = 0

    def enter(self, node: LexborNode, tag: str, element: int) -> Entered:
        """Enter an element.

        Args:
            node: the element.
            tag: its tag.
            element: the number of the learned element whose rule applies.
        """
        children, pairing = self._page.children(node), self._compiled.pairings[element]
        paired = pairing.of(children)
        self.looked_at += len(paired.verdicts)
        self.known += paired.known
        self.paths |= paired.paths
        steps: list[Entered | Verdict] = [*paired.verdicts]
        for number, rule in paired.mixed:
            steps[number] = self.enter(children.nodes[number], children.tags[number], rule.element)
        if paired.template:
            for number, rule in paired.template:
                # A subtree of another size than the learned one may hold content that the learned page lacked.
                if not rule.is_of_size(*children.size_of(number)):
                    steps[number] = self.enter(children.nodes[number], children.tags[number], rule.element)
        return Entered(tag, pairing.rule, children, steps)


class _Writing:
    """Write the content and number the template.

    Attributes:
        number: the number of the next element.
        ranges: the template's elements so far.
        lines: the content so far.
    """

    def __init__(self, page: PageNodes) -> None:
        self.number = 0
        self.ranges: list[list[int]] = []
        self.lines = Lines()
        self._names, self._formulas = page.names, page.formulas
        self._most_hidden = MOST_HIDDEN * count_elements(page.root)

    def enter(self, entered: Entered, node: LexborNode) -> None:
        tag, rule, children, steps = entered
        shown, first = self.lines, self.number
        is_replaced = first in self._formulas or self._hides(node)
        lines = self.lines = Lines() if is_replaced else shown
        self._count(1, template=rule.is_template)
        lines.begin(tag)
        texts, others, text_number = iter(children.texts), iter(children.others), 0
        for number in children.order:
            if number >= 0:
                step = steps[number]
                if isinstance(step, Entered):
                    self.enter(step, children.nodes[number])
                else:
                    self._follow(step, children, number)
                continue
            if number == OTHER:
                if self.number in self._formulas and not rule.is_template:
                    lines.add(self._formulas[self.number])
                self._count(count_elements(next(others)), template=rule.is_template)
                continue
            text, is_template = next(texts).text_content or "", rule.is_template
            if not text.isspace():
                if is_template and text_number < len(rule.texts):
                    is_template = rule.texts[text_number]
                text_number += 1
            if is_template or text.isspace():
                lines.add(" ")  # the words on both sides of a template's text stay apart
            elif tag not in SILENT:
                lines.add(text, in_pre=tag == "pre")
        lines.close(tag)
        self.lines = shown
        if is_replaced:
            shown.add(text_instead(self._formulas, first, self.number))

    def _hides(self, node: LexborNode) -> bool:
        """Return whether an element hides its text, as `page.hidden.without_text`."""
        is_hidden = node.tag not in {"html", "head", "body"} and hides_text(node.attributes)
        return is_hidden and count_elements(node) < self._most_hidden

    def take(self, node: LexborNode) -> None:
        """Take all text of a content element."""
        elements = take_text(node, self.lines, self._names, self._hides, self.number, self._formulas)
        self._count(elements, template=False)

    def _follow(self, verdict: Verdict, children: ChildNodes, number: int) -> None:
        if verdict is Verdict.TAKE:
            self.take(children.nodes[number])
        else:
            self._count(count_elements(children.nodes[number]), template=True)
            if children.tags[number] in BLOCKS:
                self.lines.end()
            else:
                self.lines.add(" ")

    def _count(self, elements: int, *, template: bool) -> None:
        start = self.number
        self.number = end = start + elements
        if template:
            if self.ranges and self.ranges[-1][1] == start:
                self.ranges[-1][1] = end
            else:
                self.ranges.append([start, end])
