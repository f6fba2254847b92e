"""Make data of menus and lists: the layout of an item once, and the values of each."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from operator import is_
from typing import NamedTuple

from sitestencil.rebuild.alignment import Alignment
from sitestencil.rebuild.nodes import HOLE, Node, Pool, Run, paths_in
from sitestencil.rebuild.pages import Page
from sitestencil.rebuild.patterns import (
    Items,
    Option,
    Part,
    Path,
    Plain,
    Slot,
    Tag,
    nodes_of,
    parts_in,
    plain,
    slots_in,
)
from sitestencil.records.names import plain_name, unique_name

_LEAST_ITEMS, _MOST_ITEMS = 3, 1_000
_MOST_VALUES, _MOST_PARTS = 10, 40  # of an item
_PRICE = 10  # of a value: data of many values read better than HTML in them
_MOST_LEVELS = 120
_SAMPLES = 3  # pages on which a menu's place is looked up
_LINK, _ACTIVE = "link", "active"  # what an item of a menu has beside its values


class _Item(NamedTuple):
    """An item of a menu: its link, its usual form, and on some pages another one."""

    link: str
    usual: Node
    active: Node | None
    pages: set[int]
    active_on: set[int]


def list_items(slot: Slot, pages: Sequence[Page]) -> Items | None:
    """Return how the items are written that a slot has on some pages; None if they have no form in common."""
    runs = {nodes_of(slot.values[page.number]) for page in pages if page.number in slot.values}
    split = _split(max(runs, key=len, default=()))
    if split is None:
        return None
    lead, between, tail = split
    around = ("", between, "") if not (lead or tail) else (lead, "", "") if not tail else ("", "", tail)
    items = {run: [node for node in run if isinstance(node, Node)] for run in runs}
    layout = _layout([*dict.fromkeys(chain(*items.values()))])
    if layout is None or any(_spaced(of, *around) != run for run, of in items.items()):
        return None
    return Items(*layout, *around)


def with_menus(parts: Sequence[Part], pages: Sequence[Page]) -> list[Part]:
    """Return parts of pages with a slot in place of each menu: links that differ at most in which are active."""
    return _Menus(pages).of(parts, 0)


class _Menus:
    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = {page.number: page for page in pages}
        self._pool = Pool()

    def of(self, parts: Sequence[Part], level: int) -> list[Part]:
        return [*parts] if level > _MOST_LEVELS else [self._part(part, level) for part in parts]

    def _part(self, part: Part, level: int) -> Part:
        if isinstance(part, Option):
            return Option(part.slot, self._part(part.part, level + 1))
        if not isinstance(part, Tag | Node):
            return part
        inside = self._menu(part.children) or self.of(part.children, level + 1)
        is_same = len(inside) == len(part.children) and all(map(is_, inside, part.children))
        return part if is_same else Tag(part.name, part.namespace, part.attributes, inside)

    def _menu(self, children: Sequence[Part]) -> list[Part] | None:
        """Return the slot of a menu, with the text around it."""
        parts = [child for child in children if isinstance(child, Tag | Node)]
        split = _split(children)
        if split is None or len(parts) < _LEAST_ITEMS or not all(map(_is_small, parts)):
            return None
        all_forms = [self._forms(part) for part in parts]
        often = Counter[object]()
        for form, numbers in chain(*(forms.items() for forms in all_forms)):
            often[_signature(form)] += len(numbers)
        items = [item for forms in all_forms if (item := _item(forms, often)) is not None]
        forms = [form for item in items for form in (item.usual, item.active) if form is not None]
        layout = _layout(forms) if len(items) == len(parts) else None
        if layout is None or any(layout[1][item.usual].get(_LINK, item.link) != item.link for item in items):
            return None
        values = dict[int, Plain]()
        for number in set[int].intersection(*(item.pages for item in items)):
            active = [item.link for item in items if number in item.active_on]
            values[number] = " ".join(active)
            if sum(item.link in " ".join(active).split(" ") for item in items) != len(active):
                return None  # an address is that of two items
        written = Items(*layout, between=split[1], menu=_data(items, layout[1]))
        links = [item.link for item in items]
        slot = Slot("menu", {**values}, where=self._where(parts, items), links=links, items=written)
        return [part for part in (split[0], slot, split[2]) if part]

    def _forms(self, part: Tag | Node) -> Mapping[Node, set[int]]:
        """Return what pages have for an item, with their numbers."""
        if isinstance(part, Node):
            return {part: {*self._pages}}
        forms = defaultdict[Node, set[int]](set)
        for number in {number for slot in slots_in([part]) for number in slot.values}:
            (node,) = self._run([part], number)
            assert isinstance(node, Node)
            forms[node].add(number)
        return forms

    def _run(self, parts: Sequence[Part], number: int) -> Run:
        """Return what a page has for some parts."""
        run = list[Node | str]()
        for part in parts:
            if isinstance(part, Slot):
                run += nodes_of(part.values[number])
            elif isinstance(part, Option):
                run += self._run([part.part], number) if part.slot.values[number] else ()
            elif isinstance(part, Tag):
                values = ((name, v.values[number] if isinstance(v, Slot) else v) for name, v in part.attributes)
                attributes = tuple((name, value) for name, value in values if isinstance(value, str))
                run.append(self._pool.node(part.name, part.namespace, attributes, self._run(part.children, number)))
            else:
                run.append(part)
        return tuple(run)

    def _where(self, parts: Sequence[Tag | Node], items: Sequence[_Item]) -> Mapping[int, Path]:
        """Return the paths of a menu's items on a few pages."""
        known = next((slot.where for slot in slots_in(parts) if slot.where), None)
        if known is not None:
            return known
        pages = [page for page in self._pages.values() if page.number in items[0].pages][:_SAMPLES]
        found = (
            (page.number, path)
            for page in pages
            for path, node in paths_in(page.root.children, (0,))
            if node is items[0].usual
        )
        return dict(found)


def _is_small(part: Part) -> bool:
    return next(islice(parts_in([part]), _MOST_PARTS, None), None) is None


def _signature(item: Node) -> object:
    """Return an item's elements with what they have but links."""
    nodes = (node for _, node in paths_in((item,)))
    return tuple((node.name, *(one for one in node.attributes if one[0] != "href")) for node in nodes)


def _item(forms: Mapping[Node, set[int]], often: Mapping[object, int]) -> _Item | None:
    """Return an item with one link; None for one that has none, more, or more than two forms."""
    usual = max(forms, key=lambda node: (often[_signature(node)], len(forms[node])))
    links = [dict(node.attributes).get("href") for _, node in paths_in((usual,)) if node.name == "a"]
    if len(links) != 1 or not links[0] or len(forms) > 2 or any(node.has_hole for node in forms):
        return None
    active = next((node for node in forms if node is not usual), None)
    return _Item(links[0], usual, active, set(chain(*forms.values())), forms[active] if active else set())


def _split(parts: Sequence[Part]) -> tuple[str, str, str] | None:
    """Return the text before, between and behind two or more elements of one name; None for other parts."""
    texts, names = [""], set[str]()
    for part in parts:
        if isinstance(part, str):
            texts[-1] += part
        elif isinstance(part, Tag | Node):
            names.add(part.name)
            texts.append("")
        else:
            return None
    if HOLE in texts:
        return None
    lead, *between, tail = [*texts, ""] if len(texts) == 1 else texts
    return (lead, between[0], tail) if len(names) == len({*between}) == 1 else None


def _spaced(nodes: Sequence[Node], before: str, between: str, behind: str) -> Run:
    run = list[Node | str]()
    for at, node in enumerate(nodes):
        run += (between if at else "", before, node, behind)
    return tuple(one for one in run if one)


def _layout(nodes: Sequence[Node]) -> tuple[Sequence[Part], dict[Node, Mapping[str, Plain]]] | None:
    """Return the layout that items share, and the values of each; None if they share none."""
    if not _LEAST_ITEMS <= len(nodes) <= _MOST_ITEMS:
        return None
    parts = Alignment(holds_hole=False, price=_PRICE).of({at: (node,) for at, node in enumerate(nodes)})
    slots, names = [*slots_in(parts)], {_ACTIVE}
    if not isinstance(parts[0], Tag) or len(slots) > _MOST_VALUES:
        return None
    for slot in slots:
        text = {"href": _LINK}.get(slot.attribute) or slot.attribute or {"html": "text"}.get(slot.form, "has")
        slot.name = unique_name(plain_name(text), names)
    return parts, {
        node: {slot.name: plain(slot, slot.values[at]) for slot in slots if at in slot.values}
        for at, node in enumerate(nodes)
    }


def _data(items: Sequence[_Item], values: Mapping[Node, Mapping[str, Plain]]) -> Mapping[str, object]:
    """Return what a menu's items have in common, also those that are active, and what each has of its own."""
    usual = [values[item.usual] for item in items]
    changed = [_without(values[item.active or item.usual], values[item.usual]) for item in items]
    common, active = _common(usual), _common([change for change in changed if change])
    written = list[Mapping[str, object]]()
    for item, of, change in zip(items, usual, changed, strict=True):
        own = _without(change, active)
        written.append({_LINK: item.link, **_without(of, common), **({_ACTIVE: own} if own else {})})
    return {"each": common, _ACTIVE: active, "items": written}


def _without(values: Mapping[str, Plain], known: Mapping[str, Plain]) -> dict[str, Plain]:
    return {name: value for name, value in values.items() if name not in known or known[name] != value}


def _common(all_values: Sequence[Mapping[str, Plain]]) -> dict[str, Plain]:
    first, *others = all_values or [{}]
    return {name: value for name, value in first.items() if all(of.get(name, 0) == value for of in others)}
