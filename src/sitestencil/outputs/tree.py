"""The tree to write: elements and texts, each marked as template or content."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sitestencil.page.document import Document
from sitestencil.page.parser_rules import Namespace

WHITE_SPACE = " \t\n\f\r"


class ContentText(str):
    """A text of the content; it stays separate from adjacent template texts."""

    __slots__ = ()


class Verbatim(str):
    """A piece of the output that is no text of the page, and is written unchanged."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Element:
    """An element to write: its children are elements and texts.

    Attributes:
        number: its number in the document; -1 for a new element.
        is_content: whether its whole subtree is content.
    """

    name: str
    namespace: Namespace = "html"
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)
    number: int = -1
    is_content: bool = False

    def add(self, child: "Element | str") -> None:
        """Append a child; join adjacent texts, as a parser would."""
        last = self.children[-1] if self.children else None
        if isinstance(child, str) and isinstance(last, str) and type(child) is type(last):
            self.children[-1] = type(child)(last + child)
        elif child != "":
            self.children.append(child)

    def set_children(self, children: "Iterable[Element | str]") -> None:
        """Replace all children."""
        self.children = []
        for child in children:
            self.add(child)


@dataclass(slots=True)
class PageTree:
    """One document to write: the page itself, or a frame's document.

    Attributes:
        html: the ``html`` element, which holds ``head`` and ``body``.
        frames: the elements of frames with a document, each with the number of its root.
        has_uses: whether it had elements ``use`` of SVG when it was built.
    """

    html: Element
    head: Element
    body: Element
    frames: list[tuple[Element, int]]
    has_uses: bool = False


def is_content(node: Element | str) -> bool:
    """Return whether a node's whole subtree is content."""
    return node.is_content if isinstance(node, Element) else isinstance(node, ContentText)


def walk(*roots: Element | str) -> Iterator[tuple[Element | str, bool]]:
    """Yield each element at its start and at its end (True), and each text, in document order."""
    steps: list[tuple[Iterator[Element | str], Element | None]] = [(iter(roots), None)]
    while steps:
        children, element = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            if element is not None:
                yield element, True
        else:
            yield child, False
            if isinstance(child, Element):
                steps.append((iter(child.children), child))


def elements(*roots: Element) -> Iterator[Element]:
    """Yield elements and their descendants in document order."""
    for node, is_end in walk(*roots):
        if isinstance(node, Element) and not is_end:
            yield node


def paths(root: Element) -> Iterator[list[Element]]:
    """Yield the path from a root to each element below it, itself included; the list changes with the next step."""
    path: list[Element] = []
    for node, is_end in walk(root):
        if not isinstance(node, Element):
            continue
        if is_end:
            path.pop()
        else:
            path.append(node)
            yield path


def texts_by_place(document: Document, root: int = 0) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return the numbers of texts: by the element whose start tag they follow, and by the one whose end tag."""
    first: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    end = document.ends[root]
    for number, run in enumerate(document.texts):
        if root <= run.parent < end:
            (first.setdefault(run.parent, []) if run.after < 0 else after.setdefault(run.after, [])).append(number)
    return first, after
