"""Find the container of the main content: an element of the frame, the same on the pages of a kind."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from sitestencil.content.main_content import MainContent
from sitestencil.content.page_measures import add_up
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.tree import Element
from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.rebuild.nodes import HOLE, Node, Pool, Run
from sitestencil.rebuild.patterns import Path
from sitestencil.selectors.element_selectors import lasting

# Of .85, .9 and .95 of the main content's characters, with .6 and .8 of a kind's pages, these two were the best on
# twelve sites: purity .90, recall .98.
_HELD, _LEAST_PAGES = 0.9, 0.8
_LEAST_SIZE = 0.1  # of the page, for an element that is found by its key alone
# A list or a table is content, and so is a paragraph.
_NO_CONTAINERS = frozenset(
    "p ul ol dl li table tbody tr pre blockquote h1 h2 h3 h4 h5 h6 span a form fieldset".split()
)

Key = tuple[str, ...]  # an element's path: of each element its tag with an id that lasts


class Container(NamedTuple):
    """An element that holds nearly all main content of a page.

    Attributes:
        key: tells the same element of other pages.
        path: leads to it from the page's node.
        purity: the share of its text that is main content, or the title.
    """

    key: Key
    path: Path
    purity: float


def containers(document: Document, main: MainContent, detection: Detection, html: Element) -> list[Container]:
    """Return the elements of a page that hold nearly all of its main content without the title, outer ones first.

    The body is none, as a page's frame would be part of its content, and neither is an element of the content.
    """
    mains, pure, alls = ([0] * len(document) for _ in range(3))
    for number, run in enumerate(document.texts):
        if document.tags[run.parent] in NO_PAGE_TEXT:
            continue
        size, is_title = len(run.text.strip()), main.parts[run.parent] == "title"
        alls[run.parent] += size
        pure[run.parent] += size if main.texts[number] or is_title else 0
        mains[run.parent] += size if main.texts[number] and not is_title else 0
    for column in (mains, pure, alls):
        add_up(column, document.parents)
    body = document.body or 0
    path, element = list[int](), _holding(document, body, mains, _HELD * mains[body])
    while element is not None and detection.template[element] and document.tags[element] not in _NO_CONTAINERS:
        path.append(element)
        element = _holding(document, element, mains, _HELD * mains[body])
    found = dict(_places(html, path))
    return [Container(*found[one], pure[one] / max(1, alls[one])) for one in path if one in found]


def _holding(document: Document, element: int, mains: Sequence[int], least: float) -> int | None:
    return next((child for child in document.children[element] if mains[child] and mains[child] >= least), None)


def _places(html: Element, numbers: Collection[int]) -> Iterator[tuple[int, tuple[Key, Path]]]:
    """Yield key and path of the elements of a page's tree that have these numbers in the document."""
    wanted = set(numbers)
    todo: list[tuple[Element, Key, Path]] = [(html, (), (0, 0))]
    while todo and wanted:
        element, above, path = todo.pop()
        key = (*above, step(element))
        if element.number in wanted:
            wanted.discard(element.number)
            yield element.number, (key, path)
        for at, child in enumerate(element.children):
            if isinstance(child, Element):
                todo.append((child, key, (*path, at)))


def step(element: Element | Node) -> str:
    """Return an element's tag with its id, if that is likely to last; the body's is often the page's own."""
    name = dict(element.attributes).get("id", "")
    return f"{element.name}#{name}" if lasting(name) and element.name not in {"html", "body"} else element.name


def container_key(pages: Sequence[Sequence[Container]]) -> Key | None:
    """Return the key of the deepest container that most pages of a kind have; None without one."""
    having = [page for page in pages if page]
    counts = Counter(one.key for page in having for one in page)
    known = [key for key, count in counts.items() if count >= _LEAST_PAGES * len(having)]
    return max(known, key=lambda key: (len(key), counts[key], key), default=None)


def path_to(root: Node, key: Key) -> Path | None:
    """Return the path from a page's node to the largest element of a key; None without one, or if it is small."""
    found = list[tuple[int, Path]]()
    todo: list[tuple[Node, int, Path]] = [(root, -1, (0,))]
    while todo:
        node, depth, path = todo.pop()
        if depth >= 0 and step(node) != key[depth]:
            continue
        if depth == len(key) - 1:
            found.append((node.size, path))
            continue
        children = ((at, child) for at, child in enumerate(node.children) if isinstance(child, Node))
        todo += ((child, depth + 1, (*path, at)) for at, child in children)
    size, path = max(found, default=(0, ()), key=lambda one: one[0])
    return path if size >= _LEAST_SIZE * root.size and path else None


def emptied(pool: Pool, root: Node, path: Path) -> tuple[Node, Run]:
    """Return a page's node with a hole in place of what the element at a path holds, and what it held."""
    nodes = [root]
    for at in path[1:]:
        child = nodes[-1].children[at]
        assert isinstance(child, Node)
        nodes.append(child)
    held = nodes[-1]
    made = pool.node(held.name, held.namespace, held.attributes, (HOLE,))
    for above, at in zip(reversed(nodes[:-1]), reversed(path[1:]), strict=True):
        beside = (*above.children[:at], made, *above.children[at + 1 :])
        made = pool.node(above.name, above.namespace, above.attributes, beside)
    return made, held.children
