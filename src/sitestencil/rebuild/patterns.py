"""Trees with slots: the parts that pages have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sitestencil.page.parser_rules import Namespace
from sitestencil.rebuild.nodes import Node, Run

_ITEMS = frozenset({"li", "a", "dd", "td", "option"})
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
        link: set later; where the list item or link around it leads, if that is the same on all pages.
        kinds: what the value is like on the pages of a kind, if there the slot is a region with slots of its own.
    """

    form: Literal["html", "attribute", "present"]
    values: dict[int, Value]
    around: str = ""
    attribute: str = ""
    where: Mapping[int, Path] = field(default_factory=dict)
    name: str = ""
    link: str = ""
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


def parts_in(parts: "Sequence[Part]") -> Iterator[Part]:
    """Yield all parts, in document order."""
    todo: list[Part] = [*reversed(parts)]
    while todo:
        part = todo.pop()
        yield part
        if isinstance(part, Option):
            todo.append(part.part)
        elif isinstance(part, Tag | Node):
            todo += reversed(part.children)


def slots_in(parts: "Sequence[Part]") -> Iterator[Slot]:
    """Yield the slots in some parts, in document order."""
    for part in parts_in(parts):
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Option):
            yield part.slot
        elif isinstance(part, Tag):
            yield from (value for _, value in part.attributes if isinstance(value, Slot))


def nodes_of(value: Value) -> Run:
    """Return the value of a slot for nodes."""
    assert isinstance(value, tuple)
    return value


def set_links(parts: "Sequence[Part]") -> None:
    """Tell each slot in some parts where the item of a menu around it leads: of nested ones the inner."""
    for item in parts_in(parts):
        if isinstance(item, Tag) and item.name in _ITEMS and (link := _link_in(item)):
            for slot in slots_in([item]):
                slot.link = link


def _link_in(item: Tag) -> str:
    """Return the address of the first link in an item; empty if it differs from page to page."""
    links = (part for part in parts_in([item]) if isinstance(part, Tag | Node) and part.name == "a")
    addresses = (address for link in links if (address := dict(link.attributes).get("href")) is not None)
    return address if isinstance(address := next(addresses, ""), str) else ""
