"""Find a document's SVG and MathML elements: the HTML parser's rules, applied to a finished tree.

See HTML Standard, 13.2.6.5 ("in foreign content") and 13.2.4.2 (integration points).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

Namespace = Literal["html", "svg", "math", "other"]

_HTML_WITHIN_SVG = frozenset({"foreignObject", "desc", "title"})
_TEXT_WITHIN_MATH = frozenset({"mi", "mo", "mn", "ms", "mtext"})
_MATH_WITHIN_TEXT = frozenset({"mglyph", "malignmark"})
_HTML_ENCODINGS = frozenset({"text/html", "application/xhtml+xml"})


def foreign_elements(
    tags: Sequence[str], parents: Sequence[int], attributes: Sequence[Mapping[str, str]]
) -> dict[int, Namespace]:
    """Return the namespace of each element that is not HTML, by the parser's rules.

    Args:
        tags: local names in the parser's spelling (``foreignObject``, not ``foreignobject``).
        parents: the index of the parent element; -1 for a root.
        attributes: attribute names and values.
    """
    found: dict[int, Namespace] = {}
    if "svg" not in tags and "math" not in tags:
        return found
    for element, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        outer = found.get(parent, "html")
        namespace = _within(outer, tags[parent], attributes[parent], tag) if outer != "html" else _of_root(tag)
        if namespace != "html":
            found[element] = namespace
    return found


def _of_root(tag: str) -> Namespace:
    if tag == "svg":
        return "svg"
    return "math" if tag == "math" else "html"


def _within(outer: Namespace, parent: str, of_parent: Mapping[str, str], tag: str) -> Namespace:
    """Return the namespace of an element whose parent is SVG or MathML."""
    if outer == "svg":
        return _of_root(tag) if parent in _HTML_WITHIN_SVG else "svg"
    if parent in _TEXT_WITHIN_MATH:
        return "math" if tag in _MATH_WITHIN_TEXT else _of_root(tag)
    if parent == "annotation-xml":
        if of_parent.get("encoding", "").lower() in _HTML_ENCODINGS:
            return _of_root(tag)
        return "svg" if tag == "svg" else "math"
    return "math"
