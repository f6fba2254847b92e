"""Find the slots of a template, where content goes, and name each by its content."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import Element, is_content, walk

_NAMES = NAMES["slots"]
_NAMED_BY_PARENT = frozenset({"head", "title", "select", "ul", "ol", "table", "tbody", "tr", "dl"})
_WORTH_OF_A_PICTURE = 100
# The kinds of content, in the words of slots' names.
_KINDS = NAMES["kinds of content"]


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A run of content between nodes of the template.

    Attributes:
        name: letters and underscores, unique on the page.
        parent: the template element around it.
        start, end: its range among the parent's children.
        holds: the kinds of content in it, in their order.
    """

    name: str
    parent: Element
    start: int
    end: int
    holds: tuple[str, ...]

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
    """Replace the nodes of each slot of a page's tree."""
    slots_by_parent: dict[int, list[tuple[Slot, Sequence[Element | str]]]] = {}
    for slot in slots_of(html):
        slots_by_parent.setdefault(id(slot.parent), []).append((slot, filling(slot)))
    for slots in slots_by_parent.values():
        parent, start = slots[0][0].parent, 0
        pieces: list[Sequence[Element | str]] = []
        for slot, nodes in slots:
            pieces += parent.children[start : slot.start], nodes
            start = slot.end
        parent.children = list(chain(*pieces, parent.children[start:]))


def slots_of(html: Element) -> list[Slot]:
    """Return the slots of a page's tree in document order; the largest in the body is ``main``.

    Content that holds nothing, such as an element that ends a column, stays as it is.
    """
    runs = [
        run
        for run in _runs_of(html)
        if _is_of_head(run[0]) or any(_kinds(run[0], run[0].children[run[1] : run[2]]))
    ]
    weights = [0 if _is_of_head(parent) else _weight(parent.children[start:end]) for parent, start, end in runs]
    largest = weights.index(max(weights)) if any(weights) else -1
    taken: Counter[str] = Counter()
    slots: dict[int, Slot] = {}
    for number in sorted(range(len(runs)), key=lambda number: _level(*runs[number])):
        parent, start, end = runs[number]
        nodes = parent.children[start:end]
        kinds = tuple(_kinds(parent, nodes))
        name = "main" if number == largest else _name(parent, nodes, kinds)
        name = "section" if name == "main" and number != largest else name
        taken[name] += 1
        unique = name if taken[name] == 1 else f"{name}_{taken[name]}"
        slots[number] = Slot(unique, parent, start, end, kinds)
    return [slots[number] for number in range(len(runs))]


def _level(parent: Element, start: int, end: int) -> int:
    """Return 0 for a run with the page's heading, which has the plain name, and 1 for others."""
    inside = (node.name for node, _ in walk(*parent.children[start:end]) if isinstance(node, Element))
    return int("h1" not in (parent.name, *inside))


def _runs_of(html: Element) -> Iterator[tuple[Element, int, int]]:
    """Yield each run of content that holds anything: the template element around it, its range in the children."""
    open_elements = [(html, enumerate(html.children), dict(_runs(html.children)))]
    while open_elements:
        parent, children, ends = open_elements[-1]
        number, child = next(children, (-1, None))
        if child is None:
            open_elements.pop()
        elif number in ends:
            if _is_of_head(parent) or any(_kinds(parent, parent.children[number : ends[number]])):
                yield parent, number, ends[number]
        elif isinstance(child, Element) and not child.is_content:
            open_elements.append((child, enumerate(child.children), dict(_runs(child.children))))


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


def _kinds(parent: Element, nodes: "Sequence[Element | str]") -> Iterator[str]:
    """Yield the kinds of content in some nodes, each once; a list in a table counts as the table."""
    if _is_of_head(parent):
        return
    seen: set[str] = set()
    inside = 0
    for node, is_end in walk(*nodes):
        kind = _KINDS.get(parent.name if isinstance(node, str) else node.name)
        if isinstance(node, str):
            kind = None if inside or not node.strip() else "heading" if kind == "heading" else "text"
        elif kind is not None:
            inside += -1 if is_end else 1
            kind = kind if inside == 1 and not is_end else None
        if kind is not None and kind not in seen:
            seen.add(kind)
            yield kind


def _name(parent: Element, nodes: "Sequence[Element | str]", kinds: "Sequence[str]") -> str:
    """Name a run by its only element or its only kind of content."""
    roots = [node for node in nodes if isinstance(node, Element)]
    if parent.name in _NAMED_BY_PARENT or not roots:
        return _own_name(parent) or "text"
    names = {_root_name(root) for root in roots}
    name = names.pop() if len(names) == 1 else None
    if name is not None and name != "text":  # a paragraph may hold pictures alone
        return name
    if len(kinds) == 1:
        return kinds[0]
    return "section"


def _root_name(root: Element) -> str | None:
    """Return the name of an element, or of the only element that it wraps."""
    while _own_name(root) is None:
        match [child for child in root.children if not (isinstance(child, str) and child.isspace())]:
            case [Element() as root]:
                continue
            case _:
                return None
    return _own_name(root)


def _own_name(element: Element) -> str | None:
    if element.name not in _NAMES:
        return None
    return _NAMES[element.name] or element.name
