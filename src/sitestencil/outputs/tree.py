"""The tree that is written: elements, texts, and what of both is content."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sitestencil.page.namespaces import Namespace

WHITE_SPACE = " \t\n\f\r"


class ContentText(str):
    """A text of the content, which stays apart from texts of the template beside it."""

    __slots__ = ()


class Verbatim(str):
    """A piece of the file that is no text of the page, written as it is."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Element:
    """An element to write: its children are elements and texts.

    Attributes:
        number: the document's number of it; -1 for what the document has not.
        is_content: whether it is content with all that is in it.
    """

    name: str
    namespace: Namespace = "html"
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)
    number: int = -1
    is_content: bool = False

    def add(self, child: "Element | str") -> None:
        """Append a child; texts that touch are one, as they are when the page is read again."""
        last = self.children[-1] if self.children else None
        if isinstance(child, str) and isinstance(last, str) and type(child) is type(last):
            self.children[-1] = type(child)(last + child)
        elif child != "":
            self.children.append(child)

    def set_children(self, children: "Iterable[Element | str]") -> None:
        """Have these children in place of the present ones."""
        self.children = []
        for child in children:
            self.add(child)


@dataclass(slots=True)
class Page:
    """One document to write: the page itself, or that of a frame.

    Attributes:
        html: the ``html`` element, which holds ``head`` and ``body``.
        frames: the elements of frames whose documents are there too, with the number of their root.
    """

    html: Element
    head: Element
    body: Element
    frames: list[tuple[Element, int]]


def is_content(node: Element | str) -> bool:
    """Return whether a node is content, and so is all that is in it."""
    return node.is_content if isinstance(node, Element) else isinstance(node, ContentText)


def walk(*roots: Element | str) -> Iterator[tuple[Element | str, bool]]:
    """Yield each element where it starts and where it ends (True), and each text, in document order."""
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
    """Yield elements and all that are in them, in document order."""
    for node, is_end in walk(*roots):
        if isinstance(node, Element) and not is_end:
            yield node
