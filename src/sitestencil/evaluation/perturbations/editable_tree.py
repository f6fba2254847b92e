"""A document as a tree of nodes that can be edited, and back; each element remembers which one it was."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sitestencil.page.document import Document, TextRun

INSERTED = -1


@dataclass(slots=True, eq=False)
class EditableElement:
    """An element with its children.

    Attributes:
        tag: its name.
        attributes: its attributes.
        children: its elements and texts, in order.
        origin: its number in the document that the tree was made from; `INSERTED` for one that was not there.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: "list[EditableElement | str]" = field(default_factory=list)
    origin: int = INSERTED


@dataclass(frozen=True, slots=True, eq=False)
class EditedDocument:
    """A document after an edit.

    Attributes:
        document: the page as it is now.
        origins: per element the number that it had before; `INSERTED` for one that was not there.
    """

    document: Document
    origins: Sequence[int]

    @classmethod
    def unchanged(cls, document: Document) -> "EditedDocument":
        """Return a document whose elements are the ones that were there, in their order."""
        return cls(document, range(len(document)))

    def labels(self, labels: str, inserted: str) -> str:
        """Return the labels of the edited page: each element keeps its letter, and those inserted get one."""
        return "".join(inserted if origin == INSERTED else labels[origin] for origin in self.origins)


def edit_body(document: Document, edit: Callable[[EditableElement], None]) -> EditedDocument:
    """Return a document whose body was edited in place; one without a body stays as it is."""
    return edit_element(document, document.body, edit)


def edit_element(
    document: Document, element: int | None, edit: Callable[[EditableElement], None]
) -> EditedDocument:
    """Return a document one of whose elements was edited in place; with None it stays as it is."""
    if element is None:
        return EditedDocument.unchanged(document)
    elements = _editable_elements(document)
    edit(elements[element])
    return _edited_document(document, elements[0])


def _editable_elements(document: Document) -> list[EditableElement]:
    """Return all elements of a document, each linked with its children."""
    texts: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for parent, after, text in document.texts:
        texts[parent, after].append(text)
    elements: list[EditableElement] = []
    columns = zip(document.tags, document.parents, document.attributes, strict=True)
    for number, (tag, parent, attributes) in enumerate(columns):
        element = EditableElement(tag, attributes, list(texts.get((number, -1), ())), number)
        elements.append(element)
        if parent >= 0:
            elements[parent].children += [element, *texts.get((parent, number), ())]
    return elements


def _edited_document(document: Document, root: EditableElement) -> EditedDocument:
    """Return a tree as a document with the other properties of the one that it was made from."""
    elements: list[EditableElement] = []
    parents: list[int] = []
    texts: list[TextRun] = []
    last_child: list[int] = []
    to_come: list[tuple[EditableElement | str, int]] = [(root, -1)]
    while to_come:
        node, parent = to_come.pop()
        if isinstance(node, str):
            texts.append(TextRun(parent, last_child[parent], node))
            continue
        number = len(elements)
        if parent >= 0:
            last_child[parent] = number
        elements.append(node)
        parents.append(parent)
        last_child.append(-1)
        to_come += [(child, number) for child in reversed(node.children)]
    edited = replace(
        document,
        tags=[element.tag for element in elements],
        parents=parents,
        attributes=[element.attributes for element in elements],
        texts=texts,
    )
    return EditedDocument(edited, [element.origin for element in elements])
