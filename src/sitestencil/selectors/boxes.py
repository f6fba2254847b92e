"""Tell a page's kind by the boxes around its main content.

Pages of a kind hold their main content in the same boxes, such as ``["body.single", "main", "article.post"]``. A
box is a tag with ids and classes. An element fits a box if it has the tag and at least half of the names: some
classes change with the page, its pictures or its author.
"""

import re
from collections.abc import Sequence

from sitestencil.page.document import Document

_NAME = r"[.#]-?[A-Za-z_][\w-]*"
_BOX = re.compile(rf"[a-z][a-z0-9-]*(?:{_NAME})*", re.ASCII)


def is_box(text: str) -> bool:
    """Return whether a text is a tag with ids and classes."""
    return _BOX.fullmatch(text) is not None


def has_boxes(document: Document, boxes: Sequence[str]) -> bool:
    """Return whether a document has these boxes in each other, the first one below its root.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<body class='single js'><main><p>Text</main>", "https://site.example/")
        >>> has_boxes(page, ["body.single", "main"]), has_boxes(page, ["body.home", "main"])
        (True, False)
    """
    reached = [0]
    for box in boxes:
        tag, names = re.match("[^.#]*", box), re.findall(_NAME, box, re.ASCII)
        wanted = tag[0] if tag else ""
        children = (child for element in reached for child in document.children[element])
        reached = [child for child in children if _fits(document, child, wanted, names)]
    return bool(reached)


def _fits(document: Document, element: int, tag: str, names: Sequence[str]) -> bool:
    if document.tags[element].lower() != tag:
        return False
    element_names = {f".{name}" for name in document.classes[element]} | {f"#{document.id(element)}"}
    return 2 * sum(name in element_names for name in names) >= len(names)
