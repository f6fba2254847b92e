"""The segments of a labelled page (PageLevel, section 6.1)."""

from sitestencil.page.document import Document
from sitestencil_research.labels import CONTENT, TEMPLATE


def labelled_segments(document: Document, labels: str) -> dict[int, int]:
    """Return, for each scored leaf of a labelled page, the topmost element of its segment.

    As the paper's authors did, a segment is the largest part that is all template or all content. Only its scored
    leaves decide, since a container's label says nothing about its content.
    """
    body = document.body or 0
    leaves = [
        element
        for element in range(body, len(document))
        if document.ends[element] == element + 1 and labels[element] in {TEMPLATE, CONTENT}
    ]
    kinds: list[set[str]] = [set() for _ in labels]
    for leaf in leaves:
        kinds[leaf].add(labels[leaf])
    for element in range(len(labels) - 1, body, -1):
        kinds[document.parents[element]] |= kinds[element]
    segments: list[int] = []
    for element, parent in enumerate(document.parents):
        pure = parent >= 0 and len(kinds[parent]) <= 1 and element > body
        segments.append(segments[parent] if pure else element)
    return {leaf: segments[leaf] for leaf in leaves}
