"""Find the slots of a template, where content goes, and name each by its content.

The slot ``main`` is what the container of the main content holds, without what stands in it before and behind the
main content.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from sitestencil.content.container import HELD, MOST_MAIN, MainContainers, main_containers
from sitestencil.content.main_content import find_main_content
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.names import NAMES
from sitestencil.outputs.tree import ContentText, Element, elements, is_content, walk

_NAMES = NAMES["slots"]
_NAMED_BY_PARENT = frozenset({"head", "title", "select", "ul", "ol", "table", "tbody", "tr", "dl"})
_WORTH_OF_A_PICTURE = 100
# The kinds of content, in the words of slots' names.
_KINDS = NAMES["kinds of content"]
_LEAST_PURE = 0.9  # of the text of the slot ``main``: a template with more frame in it keeps the frame

Run = tuple[Element, int, int]  # an element, and a range of its children


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
        """The slot's nodes on the page."""
        return self.parent.children[self.start : self.end]

    @property
    def is_alone(self) -> bool:
        """Whether the slot has no template node beside it."""
        children = self.parent.children
        beside = chain(islice(children, self.start), islice(children, self.end, None))
        return all(isinstance(node, str) and node.isspace() for node in beside)


def places_of(page: JudgedPage) -> MainContainers:
    """Return where the main content of a page stands."""
    detection = Detection(page.template, page.template_texts, (page.document.url,))
    return main_containers(page.document, find_main_content(page.document, detection))


def fill(html: Element, places: MainContainers, filling: "Callable[[Slot], Sequence[Element | str]]") -> None:
    """Replace the nodes of each slot of a page's tree."""
    slots_by_parent: dict[int, list[tuple[Slot, Sequence[Element | str]]]] = {}
    for slot in slots_of(html, places):
        slots_by_parent.setdefault(id(slot.parent), []).append((slot, filling(slot)))
    for slots in slots_by_parent.values():
        parent, start = slots[0][0].parent, 0
        pieces: list[Sequence[Element | str]] = []
        for slot, nodes in slots:
            pieces += parent.children[start : slot.start], nodes
            start = slot.end
        parent.children = list(chain(*pieces, parent.children[start:]))


def slots_of(html: Element, places: MainContainers) -> list[Slot]:
    """Return the slots of a page's tree in document order.

    Content that holds nothing, such as an element that ends a column, stays as it is.
    """
    runs = [run for run in _runs_of(html) if _is_slot(run)]
    main = _main_run(html, runs, places)
    if main is not None:
        runs = [*_around(runs, main)]
    largest = -1 if main is None else runs.index(main)
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


def _is_slot(run: Run) -> bool:
    parent, start, end = run
    return _is_of_head(parent) or any(_kinds(parent, parent.children[start:end]))


def _main_run(html: Element, runs: Sequence[Run], places: MainContainers) -> Run | None:
    """Return the run of the main content; the largest without one."""
    most = max(places.mains, default=0)
    if most:
        known = {element.number: element for element in elements(html)}
        container, least = None, HELD * most
        for number in places.chain[1:]:
            if number not in known or known[number].is_content or places.mains[number] < least:
                break
            container = known[number]
        if container is not None:
            found = _without_beside((container, 0, len(container.children)), places)
            main, other = _sizes(found, places)
            nodes = container.children[found[1] : found[2]]
            has_shadow = any(isinstance(node, Element) and node.name == "template" for node in nodes)
            is_pure = not has_shadow and main >= least and main >= _LEAST_PURE * (main + other)
            inside = _inside(found) if is_pure else set()
            if is_pure and any(_is_in(run, found, inside) for run in runs):
                return found
        best = max(runs, key=lambda run: _sizes(run, places)[0], default=None)
        if best is not None and _sizes(best, places)[0]:
            return _without_beside(best, places)
    weights = [0 if _is_of_head(parent) else _weight(parent.children[start:end]) for parent, start, end in runs]
    return runs[weights.index(max(weights))] if any(weights) else None


def _without_beside(run: Run, places: MainContainers) -> Run:
    """Return a run without what stands before and behind its main content, as far as it has text or is template."""
    parent, start, end = run
    nodes = parent.children
    mains = [at for at in range(start, end) if _is_beside(nodes[at], places) is False]
    if not mains:
        return run
    before = (at + 1 for at in range(mains[0] - 1, start - 1, -1) if _is_beside(nodes[at], places))
    behind = (at for at in range(mains[-1] + 1, end) if _is_beside(nodes[at], places))
    start, end = next(before, start), next(behind, end)
    while start < mains[0] and not is_content(nodes[start]):
        start += 1
    while end > mains[-1] + 1 and not is_content(nodes[end - 1]):
        end -= 1
    return parent, start, end


def _is_beside(node: Element | str, places: MainContainers) -> bool | None:
    """Return whether a node's text is hardly main content; None without text, and for the title."""
    main, other = _size(node, places)
    return main <= MOST_MAIN * (main + other) if main or other else None


def _sizes(run: Run, places: MainContainers) -> tuple[int, int]:
    parent, start, end = run
    sizes = [_size(node, places) for node in parent.children[start:end]]
    return sum(main for main, _ in sizes), sum(other for _, other in sizes)


def _size(node: Element | str, places: MainContainers) -> tuple[int, int]:
    """Return the characters of main content and of other text in a node."""
    if isinstance(node, Element):
        return (places.mains[node.number], places.others[node.number]) if node.number >= 0 else (0, 0)
    size = len(node.strip())
    return (size, 0) if isinstance(node, ContentText) else (0, size)


def _around(runs: Sequence[Run], main: Run) -> Iterator[Run]:
    """Yield runs with the main one among them, which takes what is in it from others."""
    parent, start, end = main
    inside, is_there = _inside(main), False
    for one, first, last in runs:
        if not _is_in((one, first, last), main, inside):
            yield one, first, last
            continue
        if one is parent and first < start and _is_slot(before := (one, first, start)):
            yield before
        if not is_there:
            yield main
            is_there = True
        if one is parent and end < last and _is_slot(after := (one, end, last)):
            yield after


def _inside(run: Run) -> set[int]:
    """Return the ids of the elements in a run."""
    parent, start, end = run
    nodes = (node for node in parent.children[start:end] if isinstance(node, Element))
    return {id(element) for element in elements(*nodes)}


def _is_in(run: Run, main: Run, inside: set[int]) -> bool:
    parent, start, end = run
    return id(parent) in inside or (parent is main[0] and start < main[2] and main[1] < end)


def _level(parent: Element, start: int, end: int) -> int:
    """Return 0 for a run with the page's heading, which has the plain name, and 1 for others."""
    inside = (node.name for node, _ in walk(*parent.children[start:end]) if isinstance(node, Element))
    return int("h1" not in (parent.name, *inside))


def _runs_of(html: Element) -> Iterator[Run]:
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
