"""Trees with slots: the parts that pages have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sitestencil.page.parser_rules import Namespace
from sitestencil.rebuild.nodes import Node, Run

Value = Run | str | bool | None  # nodes; an attribute's value, None without one; whether an element is there
Path = tuple[int, ...]  # numbers of children, from the page's node down


@dataclass(slots=True, eq=False)
class Slot:
    """A place whose value differs from page to page.

    Attributes:
        form: ``html`` for nodes, ``attribute``, or ``present``.
        values: the value of each page that has the place, by its number.
        around: the name of the element around it, or its own.
        attribute: the attribute's name.
        where: the path of the element on a few pages, for its name.
        name: set later; unique in the site.
        kinds: what the value is like on the pages of a kind, if there the slot is a region with slots of its own.
    """

    form: Literal["html", "attribute", "present"]
    values: dict[int, Value]
    around: str = ""
    attribute: str = ""
    where: Mapping[int, Path] = field(default_factory=dict)
    name: str = ""
    kinds: "dict[str, Sequence[Part]]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Tag:
    """An element that pages share, with slots in it."""

    name: str
    namespace: Namespace
    attributes: Sequence[tuple[str, str | Slot]]
    children: "Sequence[Part]"


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """An element that some pages have."""

    slot: Slot
    part: "Part"


Part = Node | str | Tag | Option | Slot


def slots_in(parts: "Sequence[Part]") -> Iterator[Slot]:
    """Yield the slots in some parts, in document order."""
    todo: list[Part] = [*reversed(parts)]
    while todo:
        part = todo.pop()
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Option):
            yield part.slot
            todo.append(part.part)
        elif isinstance(part, Tag):
            yield from (value for _, value in part.attributes if isinstance(value, Slot))
            todo += reversed(part.children)
