"""Choose the rule for each child of a mixed element.

A site's frame repeats the same children on every page, so each pairing stays in a cache.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from sitestencil.detectors.tolerant_mapping import ordered_pairs
from sitestencil.page.sketch import Identity


class Verdict(IntEnum):
    """The action for an element."""

    PASS_OVER = 0  # all template
    TAKE = 1  # all content
    GO_INTO = 2  # mixed


@dataclass(frozen=True, slots=True)
class ChildRule:
    """The rule for one child of a mixed element.

    Attributes:
        element: its number in the learned sketch.
        verdict: the action for it.
        path: a number for the kinds on its path.
        size: the number of elements in its subtree.
        text_bytes: the size of its subtree's texts, as `sketch.text_bytes` counts them; -1 if unknown.
    """

    element: int
    verdict: Verdict
    path: int
    size: int
    text_bytes: int


@dataclass(frozen=True, slots=True)
class ElementRule:
    """The rules for the children of a mixed element.

    Attributes:
        is_template: whether the element itself is template.
        children: the known children in order; the columns `identities`, `shapes`, `kinds` and `tags` belong to
            them.
        likes: the rule for an unknown child of template, by its kind, taken from other elements with the same path.
        texts: for each of the element's own texts, whether it is template.
    """

    is_template: bool
    children: Sequence[ChildRule]
    identities: Sequence[Identity | None]
    shapes: Sequence[tuple[str, ...]]
    kinds: Sequence[str]
    tags: Sequence[str]
    likes: Mapping[str, ChildRule]
    texts: Sequence[bool]


# The number of children whose kinds tell bare elements apart.
SHAPE = 8


_MOST_KEPT = 64  # cached pairings for each rule

_Gap = tuple[int, int, int, int]


class Children(Protocol):
    """The compared children of an element: a column for each of their properties, in order.

    Attributes:
        tags: their tags.
        kinds: their kinds.
        identities: their identities.
        shapes: their kinds, each with the kinds of its own first children.
    """

    tags: Sequence[str]
    kinds: tuple[str, ...]
    identities: tuple[Identity | None, ...]
    shapes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Paired:
    """The rules for the children of a mixed element.

    Attributes:
        rules: the rule for each compared child: its partner's, or inside the template that of similar children.
            None for the rest, which is content.
        mixed: the children to enter, each with its rule.
        template: the children to skip, each with its rule.
        paths: the paths of partners that have the child's own kind.
        known: the number of children with a rule.
    """

    rules: Sequence[ChildRule | None]
    mixed: Sequence[tuple[int, ChildRule]]
    template: Sequence[tuple[int, ChildRule]]
    paths: frozenset[int]
    known: int


class Pairing:
    """Pair the children of elements with those of one rule.

    Args:
        rule: the rule.

    Attributes:
        rule: the rule.
    """

    __slots__ = ("_in_order", "_kept", "_kinds", "rule")

    def __init__(self, rule: ElementRule) -> None:
        self.rule = rule
        self._kinds = kinds = tuple(rule.kinds)
        self._kept: dict[Hashable, Paired | None] = {}
        # If no kind repeats and the order is the same, the kinds alone decide.
        only_one_way = len(set(kinds)) == len(kinds)
        self._in_order = self._paired(kinds, list(range(len(kinds)))) if only_one_way else None

    def of(self, children: Children) -> Paired:
        """Return the rules for an element's children."""
        if self._in_order is not None and children.kinds == self._kinds:
            return self._in_order
        key = children.kinds, children.identities
        if key not in self._kept:
            self._keep(key, self._partners(children, None), children)
        paired = self._kept[key]
        if paired is not None:
            return paired
        shaped = *key, children.shapes
        if shaped not in self._kept:
            self._keep(shaped, self._partners(children, children.shapes), children)
        paired = self._kept[shaped]
        assert paired is not None
        return paired

    def _keep(self, key: Hashable, partners: Sequence[int | None] | None, children: Children) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[key] = None if partners is None else self._paired(children.kinds, partners)

    def _paired(self, kinds: Sequence[str], partners: Sequence[int | None]) -> Paired:
        rule, paths = self.rule, set[int]()
        rules: list[ChildRule | None] = []
        for kind, partner in zip(kinds, partners, strict=True):
            child_rule: ChildRule | None = None
            if partner is not None:
                child_rule = rule.children[partner]
                if kind == rule.kinds[partner]:
                    paths.add(child_rule.path)
            elif rule.is_template:
                child_rule = rule.likes.get(kind)
            rules.append(child_rule)
        known = [(number, child_rule) for number, child_rule in enumerate(rules) if child_rule is not None]
        return Paired(
            rules=rules,
            mixed=[one for one in known if one[1].verdict is Verdict.GO_INTO],
            template=[one for one in known if one[1].verdict is Verdict.PASS_OVER],
            paths=frozenset(paths),
            known=len(known),
        )

    def _partners(self, children: Children, shapes: Sequence[tuple[str, ...]] | None) -> list[int | None] | None:
        """Pair children in order: by id, by the kinds of their own children, by kind, then by tag.

        Return each child's partner; None if the shapes are needed but missing.
        """
        rule, tags = self.rule, children.tags
        partners: list[int | None] = [None] * len(tags)
        levels: tuple[tuple[Sequence[Hashable], Sequence[Hashable] | None], ...] = (
            (rule.identities, children.identities),
            (rule.shapes, shapes),
            (rule.kinds, children.kinds),
            (rule.tags, tags),
        )
        gaps: list[_Gap] = [(0, len(rule.children), 0, len(tags))]
        for ours, theirs in levels:
            narrower: list[_Gap] = []
            for first, last, other_first, other_last in gaps:
                if first >= last or other_first >= other_last:
                    continue
                if last - first == other_last - other_first == 1:
                    if rule.tags[first] == tags[other_first]:
                        partners[other_first] = first
                    continue
                after, other_after = first, other_first
                names = ours[first:last]
                if names.count(None) < len(names):
                    if theirs is None:
                        return None
                    for a, b in ordered_pairs(names, theirs[other_first:other_last]):
                        partners[other_first + b] = first + a
                        narrower.append((after, first + a, other_after, other_first + b))
                        after, other_after = first + a + 1, other_first + b + 1
                narrower.append((after, last, other_after, other_last))
            gaps = narrower
            if not gaps:
                break
        return partners
