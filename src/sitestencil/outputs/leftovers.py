"""Take out of a layout what its page's scripts and visits left: hidden fields, trackers' marks, unused filters."""

import re
from collections.abc import Sequence

import ada_url

from sitestencil.outputs.tree import Element, PageTree, elements
from sitestencil.urls import UNKNOWN_ADDRESS

_TRACKS = re.compile(
    r"data-(?:[\w-]+-)?(?:ga4?|gtm|gtag|track\w*|analytics|pixel|impression\w*|visit\w*|session\w*|reactid|uu?id|nonce|"
    r"timestamp|(?:page|post|user|node|entry|object)-?id)(?:-[\w-]*)?"
)
_PAGE_NUMBER = re.compile(r"(?:page|post|node|entry|parent|term|category|author)-?(?:id-?)?\d+")
_REFERENCE = re.compile(r"#([^\s\"'()]+)")
_DEFINED = frozenset("filter linearGradient radialGradient clipPath mask pattern marker".split())
_MOST_ROUNDS = 5


def remove_leftovers(page: PageTree, sheets: Sequence[str], *, are_all: bool) -> None:
    """Remove them; what a rule may name stays. A form's address keeps its path alone.

    Args:
        page: the tree to change.
        sheets: the rules of its style sheets.
        are_all: whether the page has no other rules.
    """
    css = "\n".join(sheets)
    for element in elements(page.html):
        attributes = element.attributes
        element.children = [child for child in element.children if not _is_hidden_field(child)]
        for name in [name for name in attributes if _TRACKS.fullmatch(name) and name not in css]:
            del attributes[name]
        if are_all and "class" in attributes and _PAGE_NUMBER.search(attributes["class"]):
            names = attributes["class"].split()
            attributes["class"] = " ".join(
                name for name in names if f".{name}" in css or not _PAGE_NUMBER.fullmatch(name)
            )
        if element.name == "form" and "action" in attributes:
            path = ada_url.URL(attributes["action"], UNKNOWN_ADDRESS).pathname
            attributes["action"] = f"/{path.lstrip('/')}"
    if are_all:
        for _ in range(_MOST_ROUNDS):
            if not _remove_definitions(page, set(_REFERENCE.findall(css))):
                break


def _is_hidden_field(node: Element | str) -> bool:
    kind = node.attributes.get("type", "") if isinstance(node, Element) and node.name == "input" else ""
    return kind.strip().lower() == "hidden"


def _remove_definitions(page: PageTree, named: set[str]) -> bool:
    """Remove what SVG defines and nothing names; return whether there was any."""
    drawn = [element for element in elements(page.body) if element.namespace == "svg"]
    if not drawn:
        return False
    for element in elements(page.html):
        for value in element.attributes.values():
            if "#" in value:
                named.update(_REFERENCE.findall(value))
    is_changed = False
    for element in drawn:
        kept = [child for child in element.children if not _is_unused(element, child, named)]
        is_changed = is_changed or len(kept) < len(element.children)
        element.children = kept
    return is_changed


def _is_unused(parent: Element, child: Element | str, named: set[str]) -> bool:
    if isinstance(child, str) or not (parent.name == "defs" or child.name in _DEFINED):
        return False
    return named.isdisjoint(element.attributes.get("id", "") for element in elements(child))
