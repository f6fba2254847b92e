"""Trees whose equal parts are one object: pages of a site share most of theirs, and compare by identity."""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from sitestencil.outputs.safe_writing import nodes_text
from sitestencil.outputs.tree import Element, walk
from sitestencil.page.parser_rules import Namespace

# No page has these: the writer of safe HTML removes surrogates.
ROOT, OPEN, CLOSE = "\ud800", "\ud801", "\ud802"
HOLE = "\ud803"  # stands for the main content
PAGE = "#page"  # the node around ``html``; its attribute is the document type
_SPACE = re.compile(r"[ \t\n\f\r]+")
_AS_TYPED = frozenset({"pre", "textarea", "style", "listing"})


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """An element; equal ones of a pool are the same object.

    Attributes:
        name: its name.
        namespace: its namespace.
        attributes: names and values, in their order.
        children: elements and texts.
        size: the characters of its HTML, roughly.
        has_hole: whether the main content stands in it.
        link: where the first link in it leads; empty without one.
    """

    name: str
    namespace: Namespace
    attributes: tuple[tuple[str, str], ...]
    children: "tuple[Node | str, ...]"
    size: int
    has_hole: bool
    link: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Its name, id and class, which tell it from its siblings."""
        values = dict(self.attributes)
        return self.name, values.get("id", ""), values.get("class", "")


Run = tuple[Node | str, ...]


class Pool:
    """Makes nodes, each once."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[object, ...], Node] = {}

    def node(self, name: str, namespace: Namespace, attributes: tuple[tuple[str, str], ...], children: Run) -> Node:
        """Return the node of these values."""
        key = name, namespace, attributes, children
        if key not in self._nodes:
            size = 2 * len(name) + 5 + sum(len(one) + len(value) + 4 for one, value in attributes)
            has_hole = HOLE in children or any(isinstance(child, Node) and child.has_hole for child in children)
            link = dict(attributes).get("href", "") if name == "a" else ""
            link = link or next((child.link for child in children if isinstance(child, Node) and child.link), "")
            self._nodes[key] = Node(
                name, namespace, attributes, children, size + run_size(children), has_hole, link
            )
        return self._nodes[key]

    def of(self, root: Element) -> Node:
        """Return an element's node.

        White space is one space or one line break, as no browser shows more, but where it may show.
        """
        made: list[list[Node | str]] = [[]]
        typed = 0
        for node, is_end in walk(root):
            if isinstance(node, str):
                made[-1].append(str(node) if typed else _SPACE.sub(_one, node))
            elif not is_end:
                typed += node.name in _AS_TYPED
                made.append([])
            else:
                typed -= node.name in _AS_TYPED
                inside = tuple(made.pop())
                made[-1].append(self.node(node.name, node.namespace, tuple(_written(node)), inside))
        result = made[0][0]
        assert isinstance(result, Node)
        return result


def _one(space: re.Match[str]) -> str:
    return "\n" if "\n" in space[0] else " "


def _written(element: Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attributes.items():
        yield name, " ".join(value.split()) if name == "class" else value


def run_size(run: Run) -> int:
    """Return the characters of some nodes, roughly."""
    return sum(len(node) if isinstance(node, str) else node.size for node in run)


def run_has_hole(run: Run) -> bool:
    """Return whether the main content stands in some nodes."""
    return any(node == HOLE if isinstance(node, str) else node.has_hole for node in run)


def paths_in(run: Run, start: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    """Yield the elements in some nodes in document order, each with the numbers of the children that lead to it."""
    todo: list[tuple[tuple[int, ...], Node | str]] = [((*start, at), node) for at, node in enumerate(run)][::-1]
    while todo:
        path, node = todo.pop()
        if isinstance(node, Node):
            yield path, node
            todo += [((*path, at), child) for at, child in enumerate(node.children)][::-1]


def elements_of(run: Run) -> list[Element | str]:
    """Return nodes as a tree to write; no levels of calls, as pages may nest deeply."""
    top = Element("")
    todo: list[tuple[Element, Run]] = [(top, run)]
    while todo:
        parent, nodes = todo.pop()
        for node in nodes:
            if isinstance(node, str):
                parent.add(node)
            else:
                made = Element(node.name, node.namespace, dict(node.attributes))
                parent.children.append(made)
                todo.append((made, node.children))
    return top.children


def html_of(run: Run) -> str:
    """Return nodes as HTML."""
    return nodes_text(elements_of(run))


def text_of(run: Run, without: Container[str] = ()) -> str:
    """Return the text in some nodes, with spaces between elements; that of elements with some names is left out."""
    parts, todo = list[str](), [*reversed(run)]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node.name not in without:
            todo += reversed(node.children)
    return " ".join(parts)
