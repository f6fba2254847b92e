"""Empty the slots of a template, and leave an element that keeps the layout in the place of each.

If a slot fills its whole element, that element is marked itself. Otherwise the first element of the content stays,
empty: the site's rules for its name and class keep the layout in place.
"""

import re
from collections.abc import Sequence

from sitestencil.content.container import NO_CONTAINERS, MainContainers
from sitestencil.outputs.allowed_markup import VOID, is_custom_element
from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import Element, PageTree
from sitestencil.saving.slots import Slot, fill

MARK = "data-slot"
HOLDS = "data-slot-holds"  # tells our slots from a page's own data-slot
# Attributes that an element in the place of content keeps: none holds a word of the page.
_KEPT = frozenset({"class", "id", "dir", "slot", "colspan", "rowspan"})
_NUMBERED = re.compile(r"\d{3}")
_INLINE = NAMES["in line"].keys()
_HOLDS_LINES = _INLINE | frozenset("p h1 h2 h3 h4 h5 h6 pre dt legend summary caption figcaption".split())
_CHILD_OF = NAMES["child of"]
_HOLDS_TEXT_ALONE = NAMES["text alone"]
_NO_SHELL = VOID.union(NAMES["no shell"])


def fill_slots(page: PageTree, places: MainContainers) -> Sequence[Slot]:
    """Mark and empty the slots of a page's tree; return them."""
    slots: list[Slot] = []

    def empty(slot: Slot) -> Sequence[Element | str]:
        if slot.parent is page.head:
            return []
        slots.append(slot)
        mark, nodes = _emptied(slot)
        mark.attributes[MARK] = slot.name
        mark.attributes[HOLDS] = " ".join(slot.holds)
        return nodes

    fill(page.html, places, empty)
    return slots


def _emptied(slot: Slot) -> "tuple[Element, Sequence[Element]]":
    """Return the element to mark, and the nodes that keep the place of a slot."""
    parent, nodes = slot.parent, slot.nodes
    if parent.name in _HOLDS_TEXT_ALONE or (slot.is_alone and parent.name not in {"body", "template"}):
        if slot.is_alone:
            parent.children.clear()  # the white space beside it, too
        return parent, []
    roots = [node for node in nodes if isinstance(node, Element)]
    if len({root.attributes.get("slot") for root in roots}) > 1:
        shells = [_shell(parent, root) for root in roots]  # a shadow tree draws them apart
        return shells[0], shells
    standing = _container(roots) if slot.name == "main" else _standing_for(roots)
    mark = _place(parent, nodes) if standing is None else _shell(parent, standing)
    return mark, [mark]


def _container(roots: "Sequence[Element]") -> Element | None:
    """Return the element that holds all; None if it is one of the content."""
    return roots[0] if len(roots) == 1 and roots[0].name not in NO_CONTAINERS else None


def _standing_for(roots: "Sequence[Element]") -> Element | None:
    """Return the element that stands for all: the first of one kind, else the first container."""
    if len({root.name for root in roots}) == 1:
        return roots[0]
    return next((root for root in roots if root.name not in _HOLDS_LINES and root.name not in VOID), None)


def _shell(parent: Element, root: Element) -> Element:
    """Return an empty element with the name, class and id of a content element."""
    kept = {name: value for name, value in root.attributes.items() if name in _KEPT}
    if _NUMBERED.search(kept.get("id", "")):
        del kept["id"]
    if root.namespace != "html":
        return Element("g", "svg") if parent.namespace == "svg" else Element("span", "html", kept)
    keeps_name = root.name not in _NO_SHELL and (root.name not in _INLINE or root.name == "span")
    if keeps_name or is_custom_element(root.name):
        return Element(root.name, "html", kept)
    return Element(_place(parent, [root]).name, "html", kept)


def _place(parent: Element, nodes: "Sequence[Element | str]") -> Element:
    """Return an empty element that is allowed inside `parent` and changes its layout least."""
    if parent.namespace != "html":
        return Element("g" if parent.namespace == "svg" else "mrow", parent.namespace)
    if parent.name in _CHILD_OF:
        return Element(_CHILD_OF[parent.name])
    in_line = all(isinstance(node, str) or node.name in _INLINE for node in nodes)
    slots = [node.attributes["slot"] for node in nodes if isinstance(node, Element) and "slot" in node.attributes]
    name = "span" if in_line or parent.name in _HOLDS_LINES else "div"
    return Element(name, attributes={"slot": slots[0]} if slots else {})
