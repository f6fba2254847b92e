"""Fill the slots of a template: with nothing, with named boxes, or with meaningless words.

If a slot fills its whole element, that element is marked itself. Otherwise the first element of the content stays,
empty: the site's rules for its name and class keep the layout in place.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sitestencil.outputs.allowed_markup import VOID, is_custom_element
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.lorem import lorem
from sitestencil.outputs.slots import Slot, fill
from sitestencil.outputs.tree import Element, PageTree, walk
from sitestencil.page.document import Box

MARK = "data-slot"
HOLDS = "data-slot-holds"  # tells our slots from a page's own data-slot
_SPACE = "data-slot-space"
STYLE_ID = "data-slots"
STYLE = """
/* The boxes of empty slots: they go as you fill them. */
[data-slot-holds]:empty { outline: 1px dashed #8a94a0; outline-offset: -1px; min-width: 2em; min-height: 1.5em }
span[data-slot-holds]:empty { display: inline-block }
[data-slot-holds]:empty::before {
  content: attr(data-slot); color: #66707c; font: 12px/1.5 sans-serif; padding: 0 4px
}
:is([data-slot="main"], [data-slot^="section"])[data-slot-holds]:empty::before {
  content: attr(data-slot) ": " attr(data-slot-holds)
}
"""
SIZES = """
/* Empty slots are as large as the content was. */
"""
# Attributes that an element in the place of content keeps: none holds a word of the page.
_KEPT = frozenset({"class", "id", "dir", "colspan", "rowspan"})
_NUMBERED = re.compile(r"\d{3}")
_INLINE = frozenset(
    "a abbr b bdi bdo big button cite code em font i img input ins kbd label mark output q s samp select small "
    "span strike strong sub sup time tt u var svg".split()
)
_HOLDS_LINES = _INLINE | frozenset("p h1 h2 h3 h4 h5 h6 pre dt legend summary caption figcaption".split())
_CHILD_OF = {"ul": "li", "ol": "li", "menu": "li", "dl": "dd", "table": "tbody", "tr": "td"}
_CHILD_OF |= dict.fromkeys(("tbody", "thead", "tfoot"), "tr")
_HOLDS_TEXT_ALONE = frozenset("select optgroup datalist option textarea title colgroup".split())
_WIDTH_OF_A_CHARACTER = 0.45  # of the font size, in common fonts
_AS_HIGH_AS_SAID = frozenset({"td", "th", "tr", "tbody"})
_NO_SHELL = VOID | frozenset(
    "a table colgroup select datalist option optgroup iframe video audio canvas picture details template".split()
)


def fill_slots(page: PageTree, choices: Choices, boxes: "Sequence[Box] | None") -> Sequence[Slot]:
    """Fill the slots of a page; return them.

    Args:
        page: the tree to change.
        choices: the filling and its height.
        boxes: the position of each element; None where slots collapse.
    """
    filling = _Filling(choices, boxes)

    def fill_one(slot: Slot) -> Sequence[Element | str]:
        return [] if slot.parent is page.head else filling.fill(slot)

    fill(page.html, fill_one)
    rules = filling.rules()
    if rules:
        for home in _style_homes(page, filling.marked):
            home.children.append(Element("style", attributes={"id": STYLE_ID}, children=[rules]))
    return filling.slots


class _Filling:
    """Fill the slots of one page, and collect the rules that draw them.

    Attributes:
        slots: the filled slots.
        marked: the element that stands for each.
    """

    def __init__(self, choices: Choices, boxes: "Sequence[Box] | None") -> None:
        self.slots: list[Slot] = []
        self.marked: list[Element] = []
        self._choices = choices
        self._boxes = boxes
        self._sizes: list[str] = []
        self._spaces = 0

    def fill(self, slot: Slot) -> "Sequence[Element | str]":
        """Mark the element that stands for a slot; return the nodes that fill it."""
        self.slots.append(slot)
        if self._choices.content == "lorem":
            nodes: Sequence[Element | str] = lorem(slot.nodes)
            first = next((node for node in nodes if isinstance(node, Element)), slot.parent)
            mark = slot.parent if slot.is_alone else first
        else:
            mark, nodes = self._emptied(slot)
        mark.attributes[MARK] = slot.name
        mark.attributes[HOLDS] = " ".join(slot.holds)
        self.marked.append(mark)
        return nodes

    def rules(self) -> str:
        """Return the style of the marked elements; a rule for an empty element ends with its first content."""
        boxes = STYLE if self.marked and self._choices.content == "boxes" else ""
        sizes = "".join(self._sizes)
        return f"{boxes}{SIZES}{sizes}" if sizes else boxes

    def _emptied(self, slot: Slot) -> "tuple[Element, Sequence[Element | str]]":
        """Return the element to mark, and the nodes that keep the place of a slot."""
        parent, nodes = slot.parent, slot.nodes
        if parent.name in _HOLDS_TEXT_ALONE or (slot.is_alone and parent.name not in {"body", "template"}):
            if slot.is_alone:
                parent.children.clear()  # the white space beside it, too
            self._give_size(_slot_selector(slot), parent, [parent])
            return parent, []
        roots = [node for node in nodes if isinstance(node, Element)]
        groups = self._columns(roots)
        if not groups:
            mark = _place(parent, nodes)
            if self._boxes and mark.name == "span" and not roots:
                self._give_width(slot)
            else:
                self._give_size(_slot_selector(slot), mark, roots)
            return mark, [mark]
        shells = [_shell(parent, group[0]) for group in groups]
        self._give_size(_slot_selector(slot), shells[0], groups[0])
        for shell, group in zip(shells[1:], groups[1:], strict=True):
            self._spaces += 1
            shell.attributes[_SPACE] = str(self._spaces)
            self._give_size(f'[{_SPACE}="{self._spaces}"]:empty', shell, group)
        return shells[0], shells

    def _columns(self, roots: "Sequence[Element]") -> "list[Sequence[Element]]":
        """Return groups of content, each of which takes one shell, its first element's."""
        standing = _standing_for(roots)
        if self._boxes is None:
            return [standing] if standing else []
        shown = [root for root in roots if root.number >= 0 and self._boxes[root.number].height >= 1]
        places = [self._boxes[root.number] for root in shown]
        if any(below.y < above.y + above.height / 2 for above, below in pairwise(places)):
            return [[root] for root in roots]  # they stand beside each other
        return [[*standing, *roots]] if standing else []

    def _give_size(self, selector: str, mark: Element, sources: "Sequence[Element]") -> None:
        """Give an element the size that elements of the page had."""
        boxes = self._boxes
        if boxes is None or mark.namespace != "html":
            return
        known = [boxes[source.number] for source in sources if source.number >= 0]
        known = [box for box in known if box.height >= 1]
        if not known:
            return
        height = max(box.y + box.height for box in known) - min(box.y for box in known)
        measure = "height" if mark.name in _AS_HIGH_AS_SAID else "min-height"
        size = f"{measure}: {height:.0f}px"
        if mark not in sources:
            size += f"; min-width: min(100%, {max(box.width for box in known):.0f}px)"
        self._sizes.append(f"{selector} {{ {size}; box-sizing: border-box }}\n")

    def _give_width(self, slot: Slot) -> None:
        """Give an inline slot about the width of its texts."""
        characters = sum(len(text.strip()) for text in slot.nodes if isinstance(text, str))
        width = f"min-width: min(100%, {characters * _WIDTH_OF_A_CHARACTER:.1f}em)"
        self._sizes.append(f"{_slot_selector(slot)} {{ display: inline-block; {width} }}\n")


def _slot_selector(slot: Slot) -> str:
    return f'[{MARK}="{slot.name}"][{HOLDS}]:empty'


def _standing_for(roots: "Sequence[Element]") -> "Sequence[Element]":
    """Return the element that stands for all: the first of one kind, else the first container."""
    if len({root.name for root in roots}) == 1:
        return roots[:1]
    return [root for root in roots if root.name not in _HOLDS_LINES and root.name not in VOID][:1]


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
    return Element("span" if in_line or parent.name in _HOLDS_LINES else "div")


def _style_homes(page: PageTree, marked: "Sequence[Element]") -> Iterator[Element]:
    """Yield the elements where a style reaches marked elements: the head, and shadow roots."""
    chosen = set(map(id, marked))
    yield page.head
    reached = [False]  # whether each open shadow root has a marked element, innermost last
    for node, is_end in walk(page.body):
        if not isinstance(node, Element):
            continue
        if node.name == "template" and not is_end:
            reached.append(False)
        reached[-1] = reached[-1] or id(node) in chosen
        if node.name == "template" and is_end:
            has_marked = reached.pop()
            reached[-1] = reached[-1] or has_marked
            if has_marked:
                yield node
