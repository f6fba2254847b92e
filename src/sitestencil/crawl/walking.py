"""Carrying out a compiled template on a page as the parser has it: the content's text, and what is template.

Subtrees that are template throughout are counted and not looked into, so the time goes with the content.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitestencil.crawl.compiled_template import SHAPE, ChildRule, CompiledTemplate, Rule, Verdict, identity_of
from sitestencil.crawl.lines import BLOCKS, CELLS, NO_TEXT, Lines
from sitestencil.detectors.tolerant_mapping import ordered_pairs
from sitestencil.outputs.allowed_markup import DROPPED
from sitestencil.page.parsing import element_name
from sitestencil.page.ranges import Range
from sitestencil.page.sketch import NOT_COMPARED, kind_of

# What a template holds is read of shadow trees alone.
_SILENT = (NO_TEXT | DROPPED | {"head", "svg", "math"}) - {"template"}
BREAKS = BLOCKS | {"br"}
# A subtree that is template throughout is looked into where it has so many times as many elements, and more.
_MOST_TIMES, _MOST_MORE = 1.5, 8


class Fit(NamedTuple):
    """How far a page is of a template's kind.

    Attributes:
        share: 0 to 1: the mean of the shares of the template's paths and of the content's that the page has, and of
            the elements looked at that are known.
        paths: how many of the template's and the content's paths the page has.
    """

    share: float
    paths: int


@dataclass(frozen=True, slots=True)
class Walked:
    """What a compiled template tells of a page.

    Attributes:
        fit: how far the page is of the template's kind.
        template: the numbers of the elements that are template, as ranges.
        elements: how many elements the page has.
        text: of the content, a line for each block.
    """

    fit: Fit
    template: tuple[Range, ...]
    elements: int
    text: str


class _Child(NamedTuple):
    node: LexborNode
    tag: str


def walk(root: LexborNode, compiled: CompiledTemplate) -> Walked:
    """Carry out a template's rules on a page.

    Args:
        root: the page's root element, as `page.parsing.lexbor_root` returns it.
        compiled: the rules.
    """
    walker = _Walker(compiled, measured_only=False)
    walker.go(root)
    return Walked(walker.fit(), tuple((first, last) for first, last in walker.ranges), walker.number, walker.text())


def measure(root: LexborNode, compiled: CompiledTemplate) -> Fit:
    """Return how well a template fits a page; what the content is, takes as long again."""
    walker = _Walker(compiled, measured_only=True)
    walker.go(root)
    return walker.fit()


class _Walker:
    """Goes through a page once.

    Attributes:
        number: of the next element.
        ranges: of the template's elements so far.
    """

    def __init__(self, compiled: CompiledTemplate, *, measured_only: bool) -> None:
        self.number = 0
        self.ranges: list[list[int]] = []
        self._compiled = compiled
        self._measured_only = measured_only
        self._lines = Lines()
        self._found: set[int] = set()
        self._looked_at = self._known = 0
        self._names: dict[int, str | None] = {}

    def fit(self) -> Fit:
        compiled, found = self._compiled, self._found
        template, content = len(compiled.template_paths & found), len(compiled.content_paths & found)
        shares = (
            template / len(compiled.template_paths) if compiled.template_paths else 1.0,
            content / len(compiled.content_paths) if compiled.content_paths else 1.0,
            self._known / max(1, self._looked_at),
        )
        return Fit(sum(shares) / 3, template + content)

    def text(self) -> str:
        return self._lines.text()

    def go(self, root: LexborNode) -> None:
        """Go into mixed elements, one in the other, as deep as the template is; it is no deeper than browsers."""
        rules = self._compiled.rules
        if not len(self._compiled.learned.sketch):
            self._take(root)
            return
        self._enter(root, "html", rules[0])

    def _enter(self, node: LexborNode, tag: str, rule: Rule) -> None:
        lines, is_block = self._lines, tag in BLOCKS
        self._count(1, template=rule.is_template)
        if is_block:
            lines.end()
        children, texts = self._children(node)
        rules = self._paired([child for child in children if child is not None], rule)
        known_texts, text_number, paired = rule.texts, 0, iter(rules)
        text_values = iter(texts)
        for child in children:
            if child is None:
                text = next(text_values)
                if not text.isspace():
                    is_template = rule.is_template
                    if is_template and text_number < len(known_texts):
                        is_template = known_texts[text_number]
                    text_number += 1
                    if not is_template and tag not in _SILENT:
                        lines.add(text, in_pre=tag == "pre")
                elif not is_block:
                    lines.add(" ")
                continue
            self._follow(child, next(paired), rule)
        if is_block:
            lines.end()
        elif tag in CELLS:
            lines.end_cell()

    def _follow(self, child: _Child, child_rule: ChildRule | None, around: Rule) -> None:
        verdict = Verdict.TAKE if child_rule is None else child_rule.verdict
        if child.tag in NOT_COMPARED:
            self._pass_over(child.node, template=around.is_template)
        elif child_rule is None or verdict is Verdict.TAKE:
            self._take(child.node)
        elif verdict is Verdict.GO_INTO:
            self._enter(child.node, child.tag, self._compiled.rules[child_rule.element])
        else:
            elements = _count_elements(child.node)
            if elements > _MOST_TIMES * child_rule.size + _MOST_MORE:
                # Far more than the page learned from had there: it may be content that that page had none of.
                self._enter(child.node, child.tag, self._compiled.rules[child_rule.element])
                return
            self._count(elements, template=True)
            if child.tag in BLOCKS:
                self._lines.end()

    def _children(self, node: LexborNode) -> tuple[list[_Child | None], list[str]]:
        """Return the element children, None for a text; and the texts."""
        names, children, texts = self._names, list[_Child | None](), list[str]()
        for child in node.iter(include_text=True):
            name = child.tag_id
            try:
                tag = names[name]
            except KeyError:
                tag = names[name] = element_name(child)
            if tag is not None:
                children.append(_Child(child, tag))
            elif child.is_text_node:
                children.append(None)
                texts.append(child.text_content or "")
        return children, texts

    def _paired(self, children: Sequence[_Child], rule: Rule) -> list[ChildRule | None]:
        """Return for each child the rule of its partner, or of its like where the element around is template."""
        compared = [number for number, child in enumerate(children) if child.tag not in NOT_COMPARED]
        seen = [children[number] for number in compared]
        kinds = [kind_of(child.tag, child.node.attributes) for child in seen]
        partners = self._partners(seen, kinds, rule)
        rules: list[ChildRule | None] = [None] * len(children)
        for number, kind, partner in zip(compared, kinds, partners, strict=True):
            self._looked_at += 1
            if partner is not None:
                child_rule = rules[number] = rule.children[partner]
                if kind == rule.kinds[partner]:
                    self._found.add(child_rule.path)
                self._known += 1
            elif rule.is_template:
                like = rules[number] = rule.likes.get(kind)
                self._known += like is not None
        return rules

    def _partners(self, children: Sequence[_Child], kinds: Sequence[str], rule: Rule) -> list[int | None]:
        """Pair children in order: by id, by the kinds of their own children, by kind, by tag."""
        if kinds == rule.kinds and len(set(kinds)) == len(kinds):
            return list(range(len(kinds)))
        partners: list[int | None] = [None] * len(children)
        identities = [identity_of(child.tag, child.node.id) for child in children]
        levels: tuple[tuple[Sequence[Hashable], Sequence[Hashable]], ...] = (
            (rule.identities, identities),
            (rule.shapes, _Shapes(children, kinds)),
            (rule.kinds, kinds),
            (rule.tags, [child.tag for child in children]),
        )
        gaps = [(0, len(rule.children), 0, len(children))]
        for ours, theirs in levels:
            narrower = []
            for first, last, other_first, other_last in gaps:
                if first >= last or other_first >= other_last:
                    continue
                if last - first == other_last - other_first == 1:
                    if rule.tags[first] == children[other_first].tag:
                        partners[other_first] = first
                    continue
                after, other_after = first, other_first
                names = ours[first:last]
                if any(name is not None for name in names):
                    for a, b in ordered_pairs(names, theirs[other_first:other_last]):
                        partners[other_first + b] = first + a
                        narrower.append((after, first + a, other_after, other_first + b))
                        after, other_after = first + a + 1, other_first + b + 1
                narrower.append((after, last, other_after, other_last))
            gaps = narrower
            if not gaps:
                break
        return partners

    def _count(self, elements: int, *, template: bool) -> None:
        start = self.number
        self.number = end = start + elements
        if template:
            if self.ranges and self.ranges[-1][1] == start:
                self.ranges[-1][1] = end
            else:
                self.ranges.append([start, end])

    def _pass_over(self, node: LexborNode, *, template: bool) -> None:
        if not self._measured_only:
            self._count(_count_elements(node), template=template)

    def _take(self, node: LexborNode) -> None:
        """Take all text of a content element."""
        if not self._measured_only:
            self._count(take_text(node, self._lines, self._names), template=False)


class _Shapes(Sequence[tuple[str, ...]]):
    """The kinds of children with those of their first children, read where they are asked for."""

    def __init__(self, children: Sequence[_Child], kinds: Sequence[str]) -> None:
        self._children = children
        self._kinds = kinds

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, part: int | slice) -> "tuple[str, ...] | list[tuple[str, ...]]":  # type: ignore[override]
        if isinstance(part, slice):
            return [self._shape(number) for number in range(*part.indices(len(self)))]
        return self._shape(part)

    def _shape(self, number: int) -> tuple[str, ...]:
        return (self._kinds[number], *_first_kinds(self._children[number].node.iter()))


def _first_kinds(nodes: Iterable[LexborNode]) -> list[str]:
    kinds: list[str] = []
    for node in nodes:
        tag = node.tag
        if tag and tag[0] != "-" and tag not in NOT_COMPARED:
            kinds.append(kind_of(tag, node.attributes))
            if len(kinds) == SHAPE:
                break
    return kinds


def _count_elements(node: LexborNode) -> int:
    """Return how many elements a subtree has; comments are none."""
    return sum(each.is_element_node for each in node.traverse())


def take_text(node: LexborNode, lines: Lines, names: dict[int, str | None]) -> int:  # noqa: PLR0912 - no calls
    """Add all text below an element to the lines; return how many elements there are, itself included.

    Args:
        node: the element.
        lines: where the text goes.
        names: the tags of the parser's tag numbers, as far as they are known; None for what is no element.
    """
    tag = node.tag or ""
    if tag in _SILENT:
        return _count_elements(node)
    # Asked for once per node, calls are most of the time: a line is ended where it has parts only.
    elements, parts = 1, lines.parts
    steps: list[tuple[Iterator[LexborNode], str, bool]] = []
    in_pre = tag == "pre"
    if parts and tag in BLOCKS:
        lines.end()
    children = node.iter(include_text=True)
    while True:
        for child in children:
            name = child.tag_id
            try:
                child_tag = names[name]
            except KeyError:
                child_tag = names[name] = element_name(child)
            if child_tag is None:
                if child.is_text_node:
                    if in_pre:
                        lines.add(child.text_content or "", in_pre=True)
                    else:
                        parts.append(child.text_content or "")
                continue
            if child_tag in _SILENT:
                elements += _count_elements(child)
                continue
            elements += 1
            if child_tag in BREAKS:
                if parts:
                    lines.end()
                if child_tag == "br":
                    continue
            if child.first_child is None:
                continue
            steps.append((children, tag, in_pre))
            children, tag = child.iter(include_text=True), child_tag
            in_pre = in_pre or tag == "pre"
            break
        else:
            if tag in BLOCKS:
                if parts:
                    lines.end()
            elif tag in CELLS:
                lines.end_cell()
            if not steps:
                return elements
            children, tag, in_pre = steps.pop()
