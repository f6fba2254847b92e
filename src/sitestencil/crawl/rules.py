"""The rules of a compiled template for the children of mixed elements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

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
