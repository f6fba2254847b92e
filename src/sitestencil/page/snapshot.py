"""Convert a browser's snapshot of a live page to a document.

The protocol's section "The snapshot" describes the fields: the element tree in columns. A live DOM serialized as
HTML may parse to another tree, so the browser sends the tree itself.
"""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from sitestencil.errors import MalformedSnapshot
from sitestencil.page.document import NO_ATTRIBUTES, Box, Document, Range, TextRun, misplaced_element
from sitestencil.page.parser_rules import Namespace, RenderingMode, rendering_mode
from sitestencil.urls import base_address, page_address, without_user

# No browser lays out a page beyond 34 million pixels, and sums of larger numbers overflow.
_FARTHEST = 1e9


class Snapshot(msgspec.Struct, frozen=True):
    """An element tree as a browser sends it; the protocol explains the fields."""

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
    namespaces: list[tuple[int, int, Namespace]] | None = None
    lines: list[Range] | None = None
    json_ld: tuple[str, ...] = ()
    compat_mode: str | None = None
    public_id: str | None = None
    system_id: str | None = None
    status: Annotated[int, msgspec.Meta(ge=0, le=599)] = 0


def read_snapshot(fields: Any) -> Snapshot:  # noqa: ANN401 - this function checks decoded JSON of any shape
    """Check decoded JSON and return it as a snapshot.

    Raises:
        MalformedSnapshot: a field is missing or has the wrong type.
    """
    try:
        return msgspec.convert(fields, Snapshot)
    except msgspec.ValidationError as error:
        raise MalformedSnapshot(f"The page's snapshot is malformed: {error}.") from None


def document_from_snapshot(snapshot: Snapshot) -> Document:
    """Return the snapshot's tree as a document.

    Raises:
        InvalidAddress: the page's address is not an http or https URL.
        MalformedSnapshot: the columns differ in length, a box lies outside any page, or the parents do not form a
            tree in document order.
    """
    url = page_address(snapshot.url)
    _check(snapshot)
    names = snapshot.names
    return Document(
        url=url,
        base=base_address(without_user(snapshot.base), url),
        tags=[names[tag] for tag in snapshot.tags],
        parents=snapshot.parents,
        attributes=[
            dict(zip(flat[::2], flat[1::2], strict=True)) if flat else NO_ATTRIBUTES for flat in snapshot.attributes
        ],
        texts=[TextRun(*text) for text in snapshot.texts],
        scripting=snapshot.scripting,
        doctype=snapshot.doctype,
        boxes=[Box(*box) for box in snapshot.boxes] if snapshot.boxes is not None else None,
        mode=_mode(snapshot),
        known_namespaces=_namespaces(snapshot),
        known_lines=None if snapshot.lines is None else mask(snapshot.lines, len(snapshot.tags)),
        json_ld=snapshot.json_ld,
    )


def mask(ranges: Iterable[Range], length: int) -> list[bool]:
    """Return per element or text whether it lies in one of the ranges.

    Raises:
        MalformedSnapshot: a range lies outside the tree, or before the end of another.
    """
    inside, free = [False] * length, 0
    for start, end in ranges:
        if not free <= start <= end <= length:
            raise MalformedSnapshot("The page's snapshot is malformed: a range lies outside the tree.")
        inside[start:end] = [True] * (end - start)
        free = end
    return inside


def _mode(snapshot: Snapshot) -> RenderingMode | None:
    """Return the rendering mode; None if the snapshot does not give it."""
    if snapshot.compat_mode is None:
        return None
    if snapshot.compat_mode == "BackCompat":
        return "quirks"
    asked = rendering_mode("html", snapshot.public_id, snapshot.system_id)
    return "limited-quirks" if asked == "limited-quirks" else "no-quirks"


def _namespaces(snapshot: Snapshot) -> dict[int, Namespace] | None:
    if snapshot.namespaces is None:
        return None
    count = len(snapshot.tags)
    found: dict[int, Namespace] = {}
    next_free = 0
    for start, end, namespace in snapshot.namespaces:
        if not next_free <= start <= end <= count:
            raise MalformedSnapshot("The page's snapshot is malformed: a namespace's elements are not in the tree.")
        found.update(dict.fromkeys(range(start, end), namespace))
        next_free = end
    return found


def _check(snapshot: Snapshot) -> None:
    count, parents, boxes = len(snapshot.tags), snapshot.parents, snapshot.boxes
    size, lists = len(parents), len(snapshot.attributes)
    faults = {
        "it holds no element": not count,
        f"{count} tags, {size} parents and {lists} attribute lists": not count == size == lists,
        "there are not as many boxes as tags": boxes is not None and len(boxes) != count,
        "a box lies outside any page": not all(
            -_FARTHEST <= side <= _FARTHEST for box in boxes or () for side in box
        ),
        "a tag's name is missing": not all(0 <= tag < len(snapshot.names) for tag in snapshot.tags),
        "an attribute has no value": any(len(flat) % 2 for flat in snapshot.attributes),
        "a text lies outside the tree, or after no sibling": not all(
            0 <= parent < size and (after == -1 or (0 <= after < size and parents[after] == parent))
            for parent, after, _ in snapshot.texts
        ),
    }
    for fault, is_found in faults.items():
        if is_found:
            raise MalformedSnapshot(f"The page's snapshot is malformed: {fault}.")
    if (element := misplaced_element(parents)) is not None:
        parent = parents[element]
        raise MalformedSnapshot(f"The page's snapshot is not a tree: parent {parent} of element {element}.")
