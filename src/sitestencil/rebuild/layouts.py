"""Write layouts: what pages share as HTML, with the slots in a generator's own syntax."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from sitestencil.outputs.safe_writing import EATS_NEWLINE, nodes_text
from sitestencil.outputs.tree import Element, Verbatim
from sitestencil.rebuild.model import Model
from sitestencil.rebuild.nodes import CLOSE, HOLE, OPEN, PAGE, ROOT, Node, elements_of
from sitestencil.rebuild.patterns import Items, Option, Part, Slot, Tag, parts_in, slots_in

_REGIONS = {"header": "header", "nav": "menu", "aside": "sidebar", "footer": "footer"}
_LEAST_REGION = 10  # elements and texts
_NEEDED = {"a": "href", "link": "href", "img": "src", "meta": "content"}  # without it an element is nothing
_WRAPPERS = frozenset("a b dd div dt em h1 h2 h3 h4 h5 h6 i li p small span strong".split())
_MOST_LEVELS = 120
_ATTRIBUTE = re.compile(rf' ([^\s="<>]+)="{OPEN}([^{CLOSE}]*){CLOSE}"')


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a generator writes what is no text; NAME is that of a slot, or of a file: letters, digits, underscores.

    Attributes:
        escape: returns a piece of HTML that the generator writes unchanged.
        root: the way to the site's root.
        main: the main content.
        html: a slot's value.
        attribute: the attribute ATTRIBUTE with a space before it, or nothing.
        option: INSIDE, on the pages that have it.
        each: INSIDE for each item of a menu or a list.
        between: INSIDE for each item but the first.
        block: INSIDE, where no layout of a kind fills the region.
        filled: a region in the layout of a kind, with INSIDE.
        include: a region that is a file of its own.
        of: what has the values: in its place stands OF.
        item: what has those of an item.
    """

    escape: Callable[[str], str]
    root: str
    main: str
    html: str
    attribute: str
    option: str
    each: str
    between: str
    block: str
    filled: str
    include: str
    of: str = "s"
    item: str = "item"


@dataclass(frozen=True, slots=True)
class Layouts:
    """A site's layouts as texts.

    Attributes:
        base: the whole page.
        partials: the regions of the frame that are files of their own: header, menu, sidebar and footer.
        kinds: what each kind has in the regions of the base.
    """

    base: str
    partials: dict[str, str]
    kinds: dict[str, list[str]]


def layouts_of(model: Model, syntax: Syntax) -> Layouts:
    """Return a site's layouts in a generator's syntax."""
    writer = _Writer(syntax, _may_be_empty(model))
    kinds = {
        kind: [
            syntax.filled.replace("NAME", slot.name).replace("INSIDE", writer.text(slot.kinds[kind]))
            for slot in slots_in(model.base)
            if kind in slot.kinds
        ]
        for kind in model.rules
    }
    return Layouts(writer.text(model.base, is_base=True), writer.partials, kinds)


def _may_be_empty(model: Model) -> dict[Slot, bool]:
    """Return the slots that are empty at most on new pages, each with whether the fields of these may tell it."""
    return {
        slot: slot.name in model.rules[kind].patterns
        for kind, of in model.slots.items()
        for slot in of
        if not (slot.kinds or slot.items or slot.form == "present" or model.rules[kind].defaults[slot.name])
        and all(slot.values.values())
    }


def with_conditions(parts: Sequence[Part], empty: Mapping[Slot, bool], level: int = 0) -> list[Part]:
    """Return parts in which elements are options that would be empty without a slot's value, or lead nowhere."""
    return [_with_condition(part, empty, level) for part in parts]


def _with_condition(part: Part, empty: Mapping[Slot, bool], level: int) -> Part:
    if isinstance(part, Option):
        return Option(part.slot, _with_condition(part.part, empty, level))
    if not isinstance(part, Tag) or level > _MOST_LEVELS:
        return part
    made: Part = Tag(part.name, part.namespace, part.attributes, with_conditions(part.children, empty, level + 1))
    assert isinstance(made, Tag)
    inside = [child for child in made.children if not isinstance(child, str) or child.strip()]
    only = inside[0] if len(inside) == 1 and part.name in _WRAPPERS else None
    needed = only.slot if isinstance(only, Option) else only
    address = dict(part.attributes).get(_NEEDED.get(part.name, ""))
    says = any(slot.form == "html" and empty.get(slot, True) for slot in slots_in(made.children))
    for slot in dict.fromkeys((needed, None if says else address)):
        if isinstance(slot, Slot) and slot in empty:
            made = Option(slot, made)
    return made


class _Writer:
    def __init__(self, syntax: Syntax, empty: Mapping[Slot, bool] = {}) -> None:
        self._syntax, self._empty = syntax, empty
        self.partials: dict[str, str] = {}

    def text(self, parts: Sequence[Part], *, is_base: bool = False) -> str:
        """Return parts as a layout."""
        parts = with_conditions(parts, self._empty)
        text = nodes_text([*self._elements(parts, "", is_base=is_base)], self._syntax.escape)
        return _ATTRIBUTE.sub(self._attribute, text).replace(ROOT, self._syntax.root)

    def _attribute(self, found: re.Match[str]) -> str:
        return self._of(self._syntax.attribute, found[2]).replace("ATTRIBUTE", found[1])

    def _of(self, text: str, name: str) -> str:
        return text.replace("OF", self._syntax.of).replace("NAME", name)

    def _html(self, slot: Slot) -> str:
        return self._items(slot, slot.items) if slot.items else self._of(self._syntax.html, slot.name)

    def _items(self, slot: Slot, items: Items) -> str:
        writer = _Writer(replace(self._syntax, of=self._syntax.item))
        before, between, item, behind = (
            writer.text([part]) for part in (items.before, items.between, *items.parts, items.behind)
        )
        between = between and self._syntax.between.replace("INSIDE", between)
        return self._of(self._syntax.each, slot.name).replace("INSIDE", f"{between}{before}{item}{behind}")

    def _elements(self, parts: Sequence[Part], around: str, *, is_base: bool) -> Iterator[Element | str]:
        if around in EATS_NEWLINE and parts and not isinstance(parts[0], str):
            yield Verbatim("\n")
        for part in parts:
            match part:
                case str():
                    yield Verbatim(self._syntax.main) if part == HOLE else part
                case Slot():
                    block = self._syntax.block if is_base and part.kinds else "INSIDE"
                    yield Verbatim(block.replace("NAME", part.name).replace("INSIDE", self._html(part)))
                case Option():
                    begin, end = self._of(self._syntax.option, part.slot.name).split("INSIDE")
                    yield Verbatim(begin)
                    yield from self._elements([part.part], around, is_base=is_base)
                    yield Verbatim(end)
                case Node() | Tag() if part.name == PAGE:
                    (_, doctype), *_ = part.attributes
                    yield Verbatim(f"{self._html(doctype) if isinstance(doctype, Slot) else doctype}\n")
                    yield from self._elements(part.children, around, is_base=is_base)
                case Node() | Tag() if is_base and self._is_partial(part):
                    names = chain([_REGIONS[part.name]], (f"{_REGIONS[part.name]}-{at}" for at in count(2)))
                    name = next(name for name in names if name not in self.partials)
                    self.partials[name] = self.text([part])
                    yield Verbatim(self._syntax.include.replace("NAME", name))
                case Node(has_hole=False):
                    yield from elements_of((part,))
                case Node() | Tag():
                    made = Element(part.name, part.namespace)
                    made.attributes = {
                        name: f"{OPEN}{value.name}{CLOSE}" if isinstance(value, Slot) else value
                        for name, value in part.attributes
                    }
                    made.children = [*self._elements(part.children, part.name, is_base=is_base)]
                    yield made

    def _is_partial(self, part: Tag | Node) -> bool:
        """Return whether a part is a large region without the main content that no layout of a kind fills."""
        if part.name not in _REGIONS or any(slot.kinds for slot in slots_in([part])):
            return False
        inside = [*parts_in([part])]
        has_items = any(slot.items for slot in slots_in([part]))
        return (has_items or len(inside) >= _LEAST_REGION) and HOLE not in inside
