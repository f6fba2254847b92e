"""Find a page's footnotes: short links to list items further down, which mostly link back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sitestencil.outputs.tree import Element, paths, walk

_LABEL = re.compile(
    r"\s*[\[(]?\s*(?:note\s+)?(?:\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})\s*[\])]?\s*",
    re.IGNORECASE,
)
_LONGEST_LABEL = 20
_NOTES = frozenset({"li", "p", "div", "aside", "dd"})
_NOTE_CLASS = re.compile(r"\b(?:foot|end|side)note", re.IGNORECASE)
# A reference and a link back are named by themselves or by one of these elements around them.
_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a tree, by the identities of elements.

    Attributes:
        references: the number of the note that a link refers to.
        notes: the number of the note that an element holds.
        links_back: links of notes to their references.
    """

    references: Mapping[int, int] = field(default_factory=dict)
    notes: Mapping[int, int] = field(default_factory=dict)
    links_back: frozenset[int] = frozenset()


def footnotes(body: Element) -> Footnotes:
    """Return the footnotes below an element, numbered in the order of the references."""
    holders: dict[str, Element] = {}
    links: list[tuple[Element, str, list[Element], list[Element]]] = []
    for around in paths(body):
        node = around[-1]
        name = node.attributes.get("id", "")
        if name and _may_hold_note(node):
            holders.setdefault(name, node)
        target = node.attributes.get("href", "")
        if node.name == "a" and target.startswith("#") and len(target) > 1:
            inside = [one for one in around[-50:] if one.name in _NOTES and one.attributes.get("id")]
            links.append((node, target[1:], around[-_LEVELS:], inside))
    return _matched(holders, links)


def _matched(
    holders: Mapping[str, Element], links: list[tuple[Element, str, list[Element], list[Element]]]
) -> Footnotes:
    references: dict[int, int] = {}
    notes: dict[int, int] = {}
    named: set[str] = set()
    for link, target, around, inside in links:
        note = holders.get(target)
        if note is None or any(one is note for one in inside) or not _is_label(link):
            continue
        references[id(link)] = notes.setdefault(id(note), len(notes) + 1)
        named.update(name for one in around if (name := one.attributes.get("id", "")))
    back = frozenset(
        id(link)
        for link, target, _, inside in links
        if target in named and any(id(one) in notes for one in inside) and id(link) not in references
    )
    return Footnotes(references, notes, back)


def _may_hold_note(element: Element) -> bool:
    if element.name == "li":
        return True
    own = element.attributes
    named = f"{own.get('class', '')} {own.get('role', '')} {own.get('id', '')}"
    return element.name in _NOTES and _NOTE_CLASS.search(named) is not None


def _is_label(link: Element) -> bool:
    text = ""
    for node, _ in walk(*link.children):
        if isinstance(node, str):
            text += node
            if len(text) > _LONGEST_LABEL:
                return False
    return _LABEL.fullmatch(text) is not None
