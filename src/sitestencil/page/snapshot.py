"""From a browser's snapshot of a live page to a document.

The fields are those of the protocol's "The snapshot" section: the element tree in columns. A live DOM written
as HTML may parse back to another tree, so the tree itself is sent.
"""

from typing import Any

import msgspec

from sitestencil.errors import SnapshotError
from sitestencil.page.document import NO_ATTRIBUTES, Box, Document, TextRun
from sitestencil.urls import without_user


class Snapshot(msgspec.Struct, frozen=True):
    """An element tree as a browser sends it; the fields are explained in the protocol."""

    url: str
    base: str
    names: list[str]
    tags: list[int]
    parents: list[int]
    attributes: list[list[str]]
    texts: list[tuple[int, int, str]]
    scripting: bool = True
    doctype: str | None = None
    boxes: list[tuple[float, float, float, float]] | None = None


def read_snapshot(fields: Any) -> Snapshot:  # noqa: ANN401 - decoded JSON of any shape is what is checked here
    """Check decoded JSON and return it as a snapshot.

    Raises:
        SnapshotError: a field is missing or has the wrong type.
    """
    try:
        return msgspec.convert(fields, Snapshot)
    except msgspec.ValidationError as error:
        raise SnapshotError(f"The page's snapshot is malformed: {error}.") from None


def document_from_snapshot(snapshot: Snapshot) -> Document:
    """Return the snapshot's tree as a document.

    Raises:
        SnapshotError: the columns differ in length, or the parents make no tree in document order.
    """
    _check_columns(snapshot)
    _check_tree(snapshot.parents)
    _check_texts(snapshot)
    names = snapshot.names
    return Document(
        url=without_user(snapshot.url),
        base=without_user(snapshot.base),
        tags=[names[tag] for tag in snapshot.tags],
        parents=snapshot.parents,
        attributes=[
            dict(zip(flat[::2], flat[1::2], strict=True)) if flat else NO_ATTRIBUTES for flat in snapshot.attributes
        ],
        texts=[TextRun(*text) for text in snapshot.texts],
        scripting=snapshot.scripting,
        doctype=snapshot.doctype,
        boxes=[Box(*box) for box in snapshot.boxes] if snapshot.boxes is not None else None,
    )


def _check_columns(snapshot: Snapshot) -> None:
    count = len(snapshot.tags)
    if not count:
        raise SnapshotError("The page's snapshot holds no element.")
    if len(snapshot.parents) != count or len(snapshot.attributes) != count:
        raise SnapshotError(
            f"The page's snapshot is malformed: {count} tags, {len(snapshot.parents)} parents and "
            f"{len(snapshot.attributes)} attribute lists."
        )
    if snapshot.boxes is not None and len(snapshot.boxes) != count:
        raise SnapshotError(f"The page's snapshot is malformed: {count} tags and {len(snapshot.boxes)} boxes.")
    if any(not 0 <= tag < len(snapshot.names) for tag in snapshot.tags):
        raise SnapshotError("The page's snapshot is malformed: a tag's name is missing.")
    if any(len(flat) % 2 for flat in snapshot.attributes):
        raise SnapshotError("The page's snapshot is malformed: an attribute has no value.")


def _check_tree(parents: list[int]) -> None:
    """Check that the parents make a tree in document order: each is on the path to the element before."""
    path = [0]
    for element, parent in enumerate(parents):
        if element == 0:
            if parent != -1:
                raise SnapshotError("The page's snapshot is no tree: its first element has a parent.")
            continue
        while path and path[-1] != parent:
            path.pop()
        if not path:
            raise SnapshotError(f"The page's snapshot is no tree: parent {parent} of element {element}.")
        path.append(element)


def _check_texts(snapshot: Snapshot) -> None:
    count = len(snapshot.parents)
    for parent, after, _ in snapshot.texts:
        if not 0 <= parent < count or not -1 <= after < count:
            raise SnapshotError("The page's snapshot is malformed: a text lies outside the tree.")
        if after != -1 and snapshot.parents[after] != parent:
            raise SnapshotError("The page's snapshot is malformed: a text stands after no sibling.")
