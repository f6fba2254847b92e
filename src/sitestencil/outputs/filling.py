"""Fill the slots of a template: with nothing, with named boxes, or with meaningless words.

If a slot fills its whole element, that element is marked itself. Otherwise the first element of the content stays,
empty: the site's rules for its name and class keep the layout in place.
"""

import re
from collections.abc import Iterator, Sequence

from sitestencil.outputs.allowed_markup import VOID, is_custom_element
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.lorem import lorem
from sitestencil.outputs.slots import Slot, fill, says_more
from sitestencil.outputs.tree import Element, PageTree, walk
from sitestencil.page.document import Box

MARK = "data-slot"
HOLDS = "data-slot-holds"
_SPACE = "data-slot-space"
STYLE = """
[data-slot] { outline: 1px dashed #8a94a0; outline-offset: -1px; min-width: 2em; min-height: 1.5em }
span[data-slot] { display: inline-block }
[data-slot]:empty::before { content: attr(data-slot); color: #66707c; font: 12px/1.5 sans-serif; padding: 0 4px }
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
    marked: list[Element] = []
    filled: list[Slot] = []

    def filling(slot: Slot) -> Sequence[Element | str]:
        if slot.parent is page.head:
            return []
        filled.append(slot)
        mark, nodes = _filling(slot, choices, boxes)
        marked.append(mark)
        mark.attributes[MARK] = slot.name
        if says_more(slot):
            mark.attributes[HOLDS] = " ".join(slot.holds)
        return nodes

    fill(page.html, filling)
    if marked and choices.content == "boxes":
        for home in _style_homes(page, marked):
            home.children.append(Element("style", children=[STYLE]))
    return filled


def _filling(
    slot: Slot, choices: Choices, boxes: "Sequence[Box] | None"
) -> "tuple[Element, Sequence[Element | str]]":
    """Return the element to mark, and the nodes that fill a slot."""
    parent, nodes = slot.parent, slot.nodes
    if choices.content == "lorem":
        words = lorem(nodes)
        first = next((node for node in words if isinstance(node, Element)), parent)
        return (parent if slot.is_alone else first), words
    if parent.name in _HOLDS_TEXT_ALONE or (slot.is_alone and parent.name not in {"body", "template"}):
        if slot.is_alone:
            parent.children.clear()  # the white space beside it, too
        _give_height(parent, [parent], boxes)
        return parent, []
    roots = [node for node in nodes if isinstance(node, Element)]
    shells = [_shell(parent, root) for root in (roots if boxes else _standing_for(roots))]
    marked, *others = shells or [_place(parent, nodes)]
    if shells:
        for shell, root in zip(shells, roots, strict=False):
            _give_height(shell, [root], boxes)
    elif boxes and marked.name == "span":
        _give_width(marked, nodes)
    for shell in others:
        shell.attributes[_SPACE] = ""
    return marked, [marked, *others]


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


def _give_height(marked: Element, sources: "Sequence[Element]", boxes: "Sequence[Box] | None") -> None:
    """Give an element the size that elements of the page had."""
    if boxes is None or marked.namespace != "html":
        return
    known = [boxes[source.number] for source in sources if source.number >= 0]
    height = max((box.y + box.height for box in known), default=0.0) - min((box.y for box in known), default=0.0)
    width = max((box.width for box in known), default=0.0)
    if height < 1:
        return
    measure = "height" if marked.name in _AS_HIGH_AS_SAID else "min-height"
    room = f"{measure}: {height:.0f}px; box-sizing: border-box"
    if marked not in sources:
        room += f"; min-width: min(100%, {width:.0f}px)"
    own = marked.attributes.get("style", "").rstrip("; ")
    marked.attributes["style"] = f"{own}; {room}" if own else room


def _give_width(marked: Element, texts: "Sequence[Element | str]") -> None:
    """Give an inline element about the width of these texts."""
    characters = sum(len(text.strip()) for text in texts if isinstance(text, str))
    width = f"min-width: min(100%, {characters * _WIDTH_OF_A_CHARACTER:.1f}em)"
    marked.attributes["style"] = f"display: inline-block; {width}"


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
