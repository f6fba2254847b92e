"""What a learned template says of a mixed element's children, and by what these are told apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from sitestencil.page.sketch import Identity


class Verdict(IntEnum):
    """What is done with an element of a page."""

    PASS_OVER = 0  # template throughout
    TAKE = 1  # content throughout
    GO_INTO = 2  # mixed


@dataclass(frozen=True, slots=True)
class ChildRule:
    """What is known of one child of a mixed element.

    Attributes:
        element: its number in the learned sketch.
        verdict: what is done with it.
        path: a number for the kinds on the path to it.
        size: how many elements the subtree has.
    """

    element: int
    verdict: Verdict
    path: int
    size: int


@dataclass(frozen=True, slots=True)
class Rule:
    """What is done with the children of a mixed element.

    Attributes:
        is_template: whether the element itself is.
        children: the known children in order; the columns `identities`, `shapes`, `kinds` and `tags` name them.
        likes: for a child that is not known, what its kind is elsewhere below the same path.
        texts: of the element's own texts in order, whether they are template.
    """

    is_template: bool
    children: Sequence[ChildRule]
    identities: Sequence[Identity | None]
    shapes: Sequence[tuple[str, ...]]
    kinds: Sequence[str]
    tags: Sequence[str]
    likes: Mapping[str, ChildRule]
    texts: Sequence[bool]


# How many children's kinds tell bare elements apart.
SHAPE = 8
# A subtree that is template throughout is looked into where it has so many times as many elements, and more.
MOST_TIMES, MOST_MORE = 1.5, 8
