"""Trees with slots: the parts that pages have in common."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sitestencil.page.parser_rules import Namespace
from sitestencil.rebuild.nodes import Node, Run, html_of

_ITEMS = frozenset({"li", "a", "dd", "td", "option"})
Plain = str | bool | None  # a value as data: HTML or text, whether an element is there, None without one
Value = Run | str | bool | None  # nodes; an attribute's value, None without one; whether an element is there
Path = tuple[int, ...]  # numbers of children, from the page's node down


@dataclass(slots=True, eq=False)
class Slot:
    """A place whose value differs from page to page.

    Attributes:
        form: ``html`` for nodes, ``attribute``, ``present``, or ``menu`` for the links of active items.
        values: the value of each page that has the place, by its number.
        around: the name of the element around it, or its own.
        attribute: the attribute's name.
        where: the path of the element on a few pages, for its name.
        name: set later; unique in the site.
        links: set later; where a menu's items lead, or the item or link around it, if that is the same everywhere.
        kinds: what the value is like on the pages of a kind, if there the slot is a region with slots of its own.
        items: set later; how the items are written that the value, or a menu, has.
    """

    form: Literal["html", "attribute", "present", "menu"]
    values: dict[int, Value]
    around: str = ""
    attribute: str = ""
    where: Mapping[int, Path] = field(default_factory=dict)
    name: str = ""
    links: Sequence[str] = ()
    kinds: "dict[str, Sequence[Part]]" = field(default_factory=dict)
    items: "Items | None" = None


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


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items of a menu or a list.

    Attributes:
        parts: the layout of an item, whose slots are the names of its values.
        values: the values of each item.
        before, between, behind: the text around items.
        menu: of a menu, what its items have in common, and each item, as the project has them.
    """

    parts: Sequence[Part]
    values: Mapping[Node, Mapping[str, Plain]]
    before: str = ""
    between: str = ""
    behind: str = ""
    menu: Mapping[str, object] = field(default_factory=dict)


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


def plain(slot: Slot, value: Value) -> Plain:
    """Return a slot's value as data: that of a list as JSON, as rules compare texts."""
    if not isinstance(value, tuple):
        return value
    if slot.items:
        items = [slot.items.values[node] for node in value if isinstance(node, Node)]
        return json.dumps(items, ensure_ascii=False)
    if slot.around == "style":
        return "".join(node for node in value if isinstance(node, str))
    return html_of(value)


def set_links(parts: "Sequence[Part]") -> None:
    """Tell each slot in some parts where the item of a menu around it leads: of nested ones the inner."""
    for item in parts_in(parts):
        if isinstance(item, Tag) and item.name in _ITEMS and (link := _link_in(item)):
            for slot in (slot for slot in slots_in([item]) if slot.form != "menu"):
                slot.links = [link]


def _link_in(item: Tag) -> str:
    """Return the address of the first link in an item; empty if it differs from page to page."""
    links = (part for part in parts_in([item]) if isinstance(part, Tag | Node) and part.name == "a")
    addresses = (address for link in links if (address := dict(link.attributes).get("href")) is not None)
    return address if isinstance(address := next(addresses, ""), str) else ""
