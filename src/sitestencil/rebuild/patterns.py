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


def set_links(parts: "Sequence[Part]") -> None:
    """Tell each slot in some parts where the item of a menu around it leads."""
    todo: list[tuple[Part, str]] = [(part, "") for part in parts]
    while todo:
        part, link = todo.pop()
        if isinstance(part, Slot):
            part.link = link
        elif isinstance(part, Option):
            part.slot.link = link
            todo.append((part.part, link))
        elif isinstance(part, Tag):
            link = (_link_in(part) if part.name in _ITEMS else "") or link
            for value in (value for _, value in part.attributes if isinstance(value, Slot)):
                value.link = link
            todo += ((child, link) for child in part.children)


def _link_in(part: Tag | Node) -> str:
    """Return the address of the first link in an item; empty if it differs from page to page."""
    todo: list[Part] = [part]
    while todo:
        one = todo.pop()
        if isinstance(one, Option):
            todo.append(one.part)
        elif isinstance(one, Tag | Node):
            address = dict(one.attributes).get("href") if one.name == "a" else None
            if address is not None:
                return address if isinstance(address, str) else ""
            todo += reversed(one.children)
    return ""
