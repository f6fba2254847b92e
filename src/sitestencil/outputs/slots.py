"""Find the slots of a template, where content goes, and name each by its content."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice

from sitestencil.outputs.tree import Element, elements, is_content, walk

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMES = {
    **dict.fromkeys(_HEADINGS, "heading"),
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), "list"),
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(("tr", "tbody", "thead", "tfoot"), "rows"),
    **dict.fromkeys(("td", "th"), "cell"),
    **dict.fromkeys(("img", "picture", "figure", "svg", "canvas"), "picture"),
    **dict.fromkeys(("video", "audio", "iframe"), "media"),
    **dict.fromkeys(("pre", "code"), "code"),
    **dict.fromkeys(("select", "input", "textarea", "option", "datalist", "label"), "field"),
    **dict.fromkeys("main article section aside nav header footer form table button details title".split()),
    "p": "text",
    "a": "link",
    "time": "date",
    "blockquote": "quote",
    "address": "contact",
    "figcaption": "caption",
    "caption": "caption",
    "head": "head",
}
_WORTH_OF_A_PICTURE = 100


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A run of content between nodes of the template.

    Attributes:
        name: letters and underscores, unique on the page.
        parent: the template element around it.
        start, end: its range among the parent's children.
    """

    name: str
    parent: Element
    start: int
    end: int

    @property
    def nodes(self) -> "Sequence[Element | str]":
        """The slot's own nodes on the page."""
        return self.parent.children[self.start : self.end]

    @property
    def is_alone(self) -> bool:
        """Whether the slot has no template node beside it."""
        children = self.parent.children
        beside = chain(islice(children, self.start), islice(children, self.end, None))
        return all(isinstance(node, str) and node.isspace() for node in beside)


def fill(html: Element, filling: "Callable[[Slot], Sequence[Element | str]]") -> None:
    """Replace the nodes of each slot of a page's tree, from the last slot to the first."""
    for parent, slots in groupby(reversed(slots_of(html)), key=lambda slot: slot.parent):
        pieces: list[Sequence[Element | str]] = []
        end = len(parent.children)
        for slot in slots:
            nodes = filling(slot)
            pieces += parent.children[slot.end : end], nodes
            end = slot.start
        parent.children[end:] = chain.from_iterable(reversed(pieces))


def slots_of(html: Element) -> list[Slot]:
    """Return the slots of a page's tree in document order; the largest in the body is ``main``."""
    runs = [(parent, start, end) for parent in _template_elements(html) for start, end in _runs(parent.children)]
    weights = [0 if _is_of_head(parent) else _weight(parent.children[start:end]) for parent, start, end in runs]
    largest = weights.index(max(weights)) if any(weights) else -1
    taken: Counter[str] = Counter()
    slots = []
    for number, (parent, start, end) in enumerate(runs):
        name = "main" if number == largest else _name(parent, parent.children[start:end])
        name = "section" if name == "main" and number != largest else name
        taken[name] += 1
        slots.append(Slot(name if taken[name] == 1 else f"{name}_{taken[name]}", parent, start, end))
    return slots


def _template_elements(html: Element) -> Iterator[Element]:
    inside = 0
    for node, is_end in walk(html):
        if isinstance(node, Element):
            if is_end:
                inside -= node.is_content
            else:
                inside += node.is_content
                if not inside:
                    yield node


def _runs(children: "Sequence[Element | str]") -> Iterator[tuple[int, int]]:
    """Yield the ranges of adjacent content, with the white space between its nodes."""
    start = end = -1
    for number, child in enumerate(children):
        if is_content(child):
            start, end = (number if start < 0 else start), number + 1
        elif start >= 0 and not (isinstance(child, str) and child.isspace()):
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _is_of_head(parent: Element) -> bool:
    return parent.name in {"head", "title"}


def _weight(nodes: "Sequence[Element | str]") -> int:
    """Return the amount of visible content: its characters, and a fixed number for each picture."""
    weight = 1
    for node, is_end in walk(*nodes):
        if isinstance(node, str):
            weight += len(node.strip())
        elif not is_end and node.name == "img":
            weight += _WORTH_OF_A_PICTURE
    return weight


def _name(parent: Element, nodes: "Sequence[Element | str]") -> str:
    roots = [node for node in nodes if isinstance(node, Element)]
    if parent.name in {"head", "title", "select", "ul", "ol", "table", "tbody", "tr", "dl"}:
        return _own_name(parent) or "text"
    if not roots:
        return _own_name(parent) or "text"
    names = {_root_name(root) for root in roots} - {None}
    if len(names) == 1:
        return names.pop() or "section"
    return "section" if "heading" in names or len(roots) > 1 else "text"


def _root_name(root: Element) -> str | None:
    """Return the name of an element, or of the only element that it wraps."""
    while _own_name(root) is None:
        inside = [child for child in root.children if isinstance(child, Element)]
        if len(inside) != 1:
            has_heading = any(below.name in _HEADINGS for below in elements(root))
            return "section" if has_heading else ("text" if not inside else None)
        (root,) = inside
    return _own_name(root)


def _own_name(element: Element) -> str | None:
    if element.name not in _NAMES:
        return None
    return _NAMES[element.name] or element.name
