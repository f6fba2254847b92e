"""Two rules of the HTML parser, for finished trees: the rendering mode of a doctype, the namespaces of elements.

See HTML Standard, 13.2.6.4.1 (modes), 13.2.6.5 ("in foreign content") and 13.2.4.2 (integration points).
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from sitestencil.page.lists import read_lists

Namespace = Literal["html", "svg", "math", "other"]
RenderingMode = Literal["no-quirks", "limited-quirks", "quirks"]

# A doctype for each mode: fixed texts, so that no part of a page's own doctype is written.
DOCTYPES: dict[RenderingMode, str] = {
    "no-quirks": "<!DOCTYPE html>",
    "limited-quirks": '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    "quirks": "",
}
_STRING = r"""(?:"([^">]*)"|'([^'>]*)')"""
_DOCTYPE = re.compile(
    rf"<!doctype\s+([^\s>]+)\s*(?:public\s*{_STRING}\s*{_STRING}?|system\s*{_STRING})?", re.IGNORECASE
)
_SEARCHED_CHARACTERS = 4096

_IDS = {name: tuple(ids) for name, ids in read_lists(Path(__file__).with_name("doctypes.txt")).items()}

_HTML_WITHIN_SVG = frozenset({"foreignObject", "desc", "title"})
_TEXT_WITHIN_MATH = frozenset({"mi", "mo", "mn", "ms", "mtext"})
_MATH_WITHIN_TEXT = frozenset({"mglyph", "malignmark"})
_HTML_ENCODINGS = frozenset({"text/html", "application/xhtml+xml"})


def rendering_mode(name: str | None, public: str | None = None, system: str | None = None) -> RenderingMode:
    """Return the mode for a doctype's name and ids; None marks a missing one."""
    public_id, system_id = (public or "").lower(), (system or "").lower()
    if name != "html" or public_id in _IDS["quirks"] or system_id in _IDS["quirks by system id"]:
        return "quirks"
    if public_id.startswith(_IDS["quirks by beginning"]):
        return "quirks"
    if public_id.startswith(_IDS["quirks without a system id"]):
        return "limited-quirks" if system is not None else "quirks"
    return "limited-quirks" if public_id.startswith(_IDS["limited quirks"]) else "no-quirks"


def written_mode(html: bytes | str) -> RenderingMode:
    """Return the mode of a page's source; its doctype must be one that the parser accepted."""
    start = html[:_SEARCHED_CHARACTERS]
    found = _DOCTYPE.search(start if isinstance(start, str) else start.decode("latin-1"))
    if found is None:  # far down, or in two bytes per character: nearly all pages have this mode
        return "no-quirks"
    name, *ids = found.groups()
    public = next((one for one in ids[:2] if one is not None), None)
    system = next((one for one in ids[2:] if one is not None), None)
    return rendering_mode(name.lower(), public, system)


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
    # What a table does not take, the parser puts before it, as HTML.
    last_tables = {parents[element]: element for element, tag in enumerate(tags) if tag == "table"}
    for element, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        outer = found.get(parent, "html")
        if tag in _MATH_WITHIN_TEXT and last_tables.get(parent, -1) > element and tags[parent] in _TEXT_WITHIN_MATH:
            continue
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
