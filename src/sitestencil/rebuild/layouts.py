"""Write layouts: what pages share as HTML, with the slots in a generator's own syntax."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Protocol

from sitestencil.outputs.safe_writing import EATS_NEWLINE, nodes_text, page_text
from sitestencil.outputs.tree import Element, Verbatim
from sitestencil.rebuild.nodes import CLOSE, HOLE, OPEN, PAGE, ROOT, Node, elements_of
from sitestencil.rebuild.patterns import Option, Part, Slot, Tag, slots_in

_REGIONS = {"header": "header", "nav": "menu", "aside": "sidebar", "footer": "footer"}
_LEAST_REGION = 10  # elements and texts
_ATTRIBUTE = re.compile(rf' ([^\s="<>]+)="{OPEN}([^{CLOSE}]*){CLOSE}"')


class Syntax(Protocol):
    """How a generator writes what is no text. The names are letters, digits and underscores."""

    root: str
    main: str
    end: str

    def escape(self, text: str) -> str:
        """Return a piece of HTML that the generator writes unchanged."""

    def html(self, name: str) -> str:
        """Return what writes a slot's value."""

    def attribute(self, attribute: str, name: str) -> str:
        """Return what writes an attribute, with a space before it, or nothing."""

    def begin(self, name: str) -> str:
        """Return what begins an element that only some pages have."""

    def block(self, name: str, inside: str) -> str:
        """Return a region that layouts of kinds fill."""

    def include(self, name: str) -> str:
        """Return what writes a region that is a file of its own."""


class Partials:
    """The regions of the frame that have files of their own: header, menu, sidebar and footer.

    Attributes:
        parts: each region by its name.
    """

    def __init__(self) -> None:
        self.parts: dict[str, Tag | Node] = {}

    def take(self, part: Tag | Node) -> str | None:
        """Return the name of a region's file; None if it is no region, or layouts of kinds fill a part of it."""
        name = _REGIONS.get(part.name)
        if name is None or _size(part) < _LEAST_REGION or any(slot.kinds for slot in slots_in([part])):
            return None
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        free = next(one for one in names if one not in self.parts)
        self.parts[free] = part
        return free


def _size(part: Part) -> int:
    """Return the number of elements and texts in a part; 0 if the main content stands in it."""
    todo, size = [part], 0
    while todo:
        one = todo.pop()
        if one == HOLE:
            return 0
        size += 1
        todo += [one.part] if isinstance(one, Option) else one.children if isinstance(one, Tag | Node) else []
    return size


def layout_text(
    parts: Sequence[Part], syntax: Syntax, *, is_base: bool = False, partials: Partials | None = None
) -> str:
    """Return parts as a layout; regions in `partials` become files of their own."""
    top = Element("", children=[*_elements(parts, "", syntax, is_base=is_base, partials=partials)])
    text = nodes_text_escaped(top, syntax)
    return _ATTRIBUTE.sub(lambda found: syntax.attribute(found[1], found[2]), text).replace(ROOT, syntax.root)


def nodes_text_escaped(top: Element, syntax: Syntax) -> str:
    """Return an element's children as HTML with a generator's escapes."""
    return "".join(
        page_text(child, "quirks", escape=syntax.escape)
        if isinstance(child, Element)
        else child
        if isinstance(child, Verbatim)
        else syntax.escape(nodes_text([child]))
        for child in top.children
    )


def _elements(
    parts: Sequence[Part], around: str, syntax: Syntax, *, is_base: bool, partials: Partials | None
) -> Iterator[Element | str]:
    if around in EATS_NEWLINE and parts and not isinstance(parts[0], str):
        yield Verbatim("\n")
    for part in parts:
        if partials is not None and isinstance(part, Tag | Node) and (name := partials.take(part)) is not None:
            yield Verbatim(syntax.include(name))
            continue
        match part:
            case str():
                yield Verbatim(syntax.main) if part == HOLE else part
            case Node(name=name) if name == PAGE:
                yield Verbatim(f"{dict(part.attributes)['doctype']}\n")
                yield from _elements(part.children, around, syntax, is_base=is_base, partials=partials)
            case Node(has_hole=False):
                yield from elements_of((part,))
            case Slot(form="html"):
                written = syntax.html(part.name)
                yield Verbatim(syntax.block(part.name, written) if is_base and part.kinds else written)
            case Option():
                yield Verbatim(syntax.begin(part.slot.name))
                yield from _elements([part.part], around, syntax, is_base=is_base, partials=partials)
                yield Verbatim(syntax.end)
            case Tag(name=name) if name == PAGE:
                (_, doctype), *_ = part.attributes
                yield Verbatim(f"{syntax.html(doctype.name) if isinstance(doctype, Slot) else doctype}\n")
                yield from _elements(part.children, around, syntax, is_base=is_base, partials=partials)
            case Node() | Tag():
                made = Element(part.name, part.namespace)
                made.attributes = {
                    name: f"{OPEN}{value.name}{CLOSE}" if isinstance(value, Slot) else value
                    for name, value in part.attributes
                }
                made.children = [*_elements(part.children, part.name, syntax, is_base=is_base, partials=partials)]
                yield made
            case Slot():
                raise AssertionError(part.form)  # attributes and options are written with their elements
