"""Convert a document to an editable tree and back; each element remembers its original number."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sitestencil.page.document import Document, TextRun

INSERTED = -1


@dataclass(slots=True, eq=False)
class EditableElement:
    """An element with its children.

    Attributes:
        tag: the tag name.
        attributes: the attributes.
        children: the child elements and texts, in order.
        origin: the element's number in the original document; `INSERTED` for a new element.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: "list[EditableElement | str]" = field(default_factory=list)
    origin: int = INSERTED


@dataclass(frozen=True, slots=True, eq=False)
class EditedDocument:
    """A document after an edit.

    Attributes:
        document: the edited page.
        origins: per element, its number before the edit; `INSERTED` for a new element.
    """

    document: Document
    origins: Sequence[int]

    @classmethod
    def unchanged(cls, document: Document) -> "EditedDocument":
        """Return an unedited document: all elements keep their order."""
        return cls(document, range(len(document)))

    def labels(self, labels: str, inserted: str) -> str:
        """Return the labels of the edited page: old elements keep their letters, new ones get `inserted`."""
        return "".join(inserted if origin == INSERTED else labels[origin] for origin in self.origins)


def edit_body(document: Document, edit: Callable[[EditableElement], None]) -> EditedDocument:
    """Return the document with its body edited in place; a document without a body stays as it is."""
    return edit_element(document, document.body, edit)


def edit_element(
    document: Document, element: int | None, edit: Callable[[EditableElement], None]
) -> EditedDocument:
    """Return the document with one element edited in place; with None it stays as it is."""
    if element is None:
        return EditedDocument.unchanged(document)
    elements = _editable_elements(document)
    edit(elements[element])
    return _edited_document(document, elements[0])


def _editable_elements(document: Document) -> list[EditableElement]:
    """Return all elements of a document, each linked to its children."""
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
    """Return a tree as a document, with all other properties of the original."""
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
