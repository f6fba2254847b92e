"""Tell the elements that read as lists, tables and headings by their roles (WAI-ARIA 1.2)."""

from collections.abc import Mapping

from sitestencil.page.document import Document

_NAMES = {
    "list": "ul",
    "listitem": "li",
    "table": "table",
    "grid": "table",
    "rowgroup": "tbody",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
    "tab": "h4",  # its panel follows, or those of all tabs
}
_ROLES = {*_NAMES, "heading"}
_AROUND = {"li": {"ul", "ol"}, "tbody": {"table"}, "tr": {"table"}, "td": {"tr"}, "th": {"tr"}}
_PLAIN = frozenset({"a", "article", "button", "div", "h5", "h6", "label", "p", "section", "span"})
_TAB_TAGS, _TABS = frozenset({"a", "button"}), frozenset({"tab", "pill"})
_TOGGLES = frozenset({"data-toggle", "data-bs-toggle"})
_LEVELS, _DEFAULT_LEVEL = frozenset("123456"), "2"


def role_names(document: Document) -> Mapping[int, str]:
    """Return the names to read elements by that have a role and no tag of their own for it.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<div role=list><div role=listitem>Hemp", "https://site.example/")
        >>> list(role_names(page).values())
        ['ul', 'li']
    """
    roles = (document.attributes[element]["role"] for element in document.having("role"))
    if not document.having(*_TOGGLES) and _ROLES.isdisjoint(roles):
        return {}
    found: dict[int, str] = {}
    ends: dict[str, int] = {}  # where the last element of each name ends
    for element, attributes in enumerate(document.attributes):
        tag = document.tags[element]
        role = attributes.get("role", "") if attributes else ""
        if attributes and tag in _TAB_TAGS and _TABS.intersection(map(attributes.get, _TOGGLES)):
            found[element] = _NAMES["tab"]
        name = _NAMES.get(role, "") if role != "heading" else f"h{_level(attributes)}"
        if tag in {"table", "tr", "ul", "ol"} and role not in {"presentation", "none"}:
            ends[tag] = document.ends[element]
        elif name and (tag in _PLAIN or "-" in tag) and not (role == "tab" and tag == "a"):
            if name in _AROUND and not any(ends.get(around, 0) > element for around in _AROUND[name]):
                continue
            found[element], ends[name] = name, document.ends[element]
    return found


def _level(attributes: Mapping[str, str]) -> str:
    level = attributes.get("aria-level", "")
    return level if level in _LEVELS else _DEFAULT_LEVEL
