"""Find the hole of a kind's layout: its main container, without what stands in it before and behind the content."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import NamedTuple

from sitestencil.content.container import HELD, MOST_MAIN, MainContainers
from sitestencil.outputs.tree import Element
from sitestencil.rebuild.nodes import HOLE, Node, Pool, Run
from sitestencil.rebuild.patterns import Path
from sitestencil.selectors.element_selectors import lasting

_NUMBER = re.compile(r"-\d")
_LEAST_PAGES = 0.8  # of a kind, that have its container
_LEAST_SIZE = 0.1  # of the page, for an element that is found by its key alone
_LEAST_BESIDE = 0.6  # of a kind's pages, that have what stands beside the main content: as for a node of its layout

# An element's path: of each element its tag with an id that lasts. One that its own page calls content must have an
# id or classes, by which other pages say that it is frame.
Key = tuple[str, ...]
Beside = frozenset[str]  # the marks of elements


class Child(NamedTuple):
    """An element in a container: its mark, and the characters of main content and of other text in it."""

    mark: str
    main: int
    other: int


class Container(NamedTuple):
    """An element that holds most main content of a page.

    Attributes:
        key: tells the same element of other pages.
        path: leads to it from the page's node.
        held: the share of the main content's characters in it.
        children: the elements in it.
    """

    key: Key
    path: Path
    held: float = 1.0
    children: Sequence[Child] = ()


def containers(places: MainContainers, template: Sequence[bool], html: Element) -> list[Container]:
    """Return the elements of a page's tree that hold most of its main content, outer ones first.

    Args:
        places: where the main content stands in the document.
        template: per element of the document, whether it is template.
        html: the page's tree.
    """
    found = dict(_places(html, places, template))
    known = takewhile(lambda one: one is not None, (found.get(number) for number in places.chain))
    return [one for one in known if one is not None]


def _places(html: Element, places: MainContainers, template: Sequence[bool]) -> Iterator[tuple[int, Container]]:
    wanted, most = set(places.chain), max(1, *places.mains)
    todo: list[tuple[Element, Key, Path]] = [(html, (), (0, 0))]
    while todo and wanted:
        element, above, path = todo.pop()
        said = step(element)
        number = places.chain[0] if said == "body" else element.number
        if number in wanted and not template[number] and said != "body":
            said = mark(element)
            if said == element.name:
                continue
        key = (*above, said)
        if number in wanted:
            wanted.discard(number)
            inner = (child for child in element.children if isinstance(child, Element) and child.number >= 0)
            sizes = [
                Child(mark(one), places.mains[one.number], places.titles[one.number] + places.others[one.number])
                for one in inner
            ]
            yield number, Container(key, path, places.mains[number] / most, sizes)
        for at, child in enumerate(element.children):
            if isinstance(child, Element):
                todo.append((child, key, (*path, at)))


def step(element: Element | Node) -> str:
    """Return an element's tag with its id, if that is likely to last; the body's is often the page's own."""
    name = dict(element.attributes).get("id", "")
    return f"{element.name}#{name}" if _is_lasting(name) and element.name not in {"html", "body"} else element.name


def mark(element: Element | Node) -> str:
    """Return what tells an element from its siblings: its tag with the id and the first class that may last."""
    classes = filter(_is_lasting, dict(element.attributes).get("class", "").split())
    return ".".join([step(element), *islice(classes, 1)])


def _is_lasting(name: str) -> bool:
    """Return whether a name may be the same on all pages: the number of a page is short on small sites."""
    return lasting(name) and not _NUMBER.search(name)


def container_key(pages: Sequence[Sequence[Container]]) -> Key | None:
    """Return the key of the deepest container that most pages of a kind have; None without one."""
    having = [page for page in pages if page]
    held = defaultdict[Key, list[float]](list)
    for one in chain(*having):
        held[one.key].append(one.held)
    known = [key for key, of in held.items() if len(of) >= _LEAST_PAGES * len(having) and sum(of) >= HELD * len(of)]
    return max(known, key=lambda key: (len(key), len(held[key]), key), default=None)


def beside_content(pages: Sequence[Sequence[Child]]) -> Beside:
    """Return the marks of what stands in a kind's container beside the main content: breadcrumb, byline, comments.

    Args:
        pages: what the container holds on each page.
    """
    mains, others, having = Counter[str](), Counter[str](), Counter[str]()
    for children in pages:
        having.update({child.mark for child in children})
        for child in children:
            mains[child.mark] += child.main
            others[child.mark] += child.other
    return frozenset(
        name
        for name, count in having.items()
        if others[name]
        and mains[name] <= MOST_MAIN * (mains[name] + others[name])
        and count >= _LEAST_BESIDE * len(pages)
    )


def _ends(children: Run, beside: Beside) -> tuple[int, int]:
    """Return the range of the main content among a container's nodes."""
    first, last = 0, len(children)
    for at, child in enumerate(children):
        if isinstance(child, Node) and mark(child) in beside:
            first = at + 1
        elif _has_text(child):
            break
    for at in range(len(children) - 1, first - 1, -1):
        child = children[at]
        if isinstance(child, Node) and mark(child) in beside:
            last = at
        elif _has_text(child):
            break
    return first, last


def _has_text(node: Node | str) -> bool:
    todo = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, Node):
            todo += one.children
        elif one.strip():
            return True
    return False


def path_to(root: Node, key: Key) -> Path | None:
    """Return the path from a page's node to the largest element of a key; None without one, or if it is small."""
    found = list[tuple[int, Path]]()
    todo: list[tuple[Node, int, Path]] = [(root, -1, (0,))]
    while todo:
        node, depth, path = todo.pop()
        if depth >= 0 and key[depth] not in {step(node), mark(node)}:
            continue
        if depth == len(key) - 1:
            found.append((node.size, path))
            continue
        children = ((at, child) for at, child in enumerate(node.children) if isinstance(child, Node))
        todo += ((child, depth + 1, (*path, at)) for at, child in children)
    size, path = max(found, default=(0, ()), key=lambda one: one[0])
    return path if size >= _LEAST_SIZE * root.size and path else None


def emptied(pool: Pool, root: Node, path: Path, beside: Beside) -> tuple[Node, Run]:
    """Return a page's node with a hole for the main content in the element at a path, and what stood there."""
    nodes = [root]
    for at in path[1:]:
        child = nodes[-1].children[at]
        assert isinstance(child, Node)
        nodes.append(child)
    held = nodes[-1]
    first, last = _ends(held.children, beside)
    inside = (*held.children[:first], HOLE, *held.children[last:])
    made = pool.node(held.name, held.namespace, held.attributes, inside)
    for above, at in zip(reversed(nodes[:-1]), reversed(path[1:]), strict=True):
        around = (*above.children[:at], made, *above.children[at + 1 :])
        made = pool.node(above.name, above.namespace, above.attributes, around)
    return made, held.children[first:last]
