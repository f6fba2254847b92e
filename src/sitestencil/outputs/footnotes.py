"""Find a page's footnotes: short links to list items further down, which mostly link back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sitestencil.outputs.tree import Element, paths, walk

_LABEL = re.compile(
    r"\s*[\[(]?\s*(?:note\s+)?(?:\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})\s*[\])]?\s*",
    re.IGNORECASE,
)
_LONGEST_LABEL, _MOST_NODES = 20, 40
_NOTES = frozenset({"li", "p", "div", "aside", "dd"})
_IN_LINES = frozenset({"span", "sup", "b", "strong", "i", "em", "font"})
_NOTE_CLASS = re.compile(r"\b(?:foot|end|side)note", re.IGNORECASE)
# A reference and a link back are named by themselves or by one of these elements around them.
_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a tree, by the identities of elements.

    Attributes:
        references: the number of the note that a link refers to.
        notes: the number of the note that an element holds.
        links_back: links of notes to their references, with the brackets around them.
    """

    references: Mapping[int, int] = field(default_factory=dict)
    notes: Mapping[int, int] = field(default_factory=dict)
    links_back: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Link:
    """A link within the page.

    Attributes:
        element: the link.
        target: the name of its target.
        around: the link, after the elements around it.
        inside: the elements around it that may be notes.
    """

    element: Element
    target: str
    around: Sequence[Element]
    inside: Sequence[Element]

    def names(self) -> set[str]:
        """Return the names of its place."""
        found = (one.attributes.get(key, "") for one in self.around for key in ("id", "name"))
        return {name for name in found if name}

    def with_brackets(self) -> Element:
        """Return the outermost element that holds this link and no other words."""
        whole = self.element
        for one in reversed(self.around[:-1]):
            if one.name not in _IN_LINES or not _is_label(one):
                break
            whole = one
        return whole


def footnotes(body: Element) -> Footnotes:
    """Return the footnotes below an element, numbered in the order of the references."""
    holders: dict[str, Element] = {}
    anchors: dict[str, tuple[Element, Element]] = {}
    links: list[_Link] = []
    firsts: dict[int, Element | None] = {}
    for around in paths(body):
        node = around[-1]
        name = node.attributes.get("id", "")
        if name and _may_hold_note(node):
            holders.setdefault(name, node)
        target = node.attributes.get("href", "")
        if node.name == "a" and target.startswith("#") and len(target) > 1:
            inside = [one for one in around[-50:] if one.name in _NOTES]
            links.append(_Link(node, target[1:], around[-_LEVELS:], inside))
            if inside and id(inside[-1]) not in firsts:
                firsts[id(inside[-1])] = _first_inside(inside[-1])
            if inside and firsts[id(inside[-1])] is node:
                for name_of_anchor in (name, node.attributes.get("name", ""), inside[-1].attributes.get("id", "")):
                    anchors.setdefault(name_of_anchor, (node, inside[-1]))
    return _matched(holders, anchors, links)


def _matched(
    holders: Mapping[str, Element], anchors: Mapping[str, tuple[Element, Element]], links: Sequence[_Link]
) -> Footnotes:
    references: dict[int, int] = {}
    notes: dict[int, int] = {}
    named: set[str] = set()
    answers: set[int] = set()
    order = {id(link.element): number for number, link in enumerate(links)}
    for number, link in enumerate(links):
        note = holders.get(link.target)
        names = link.names()
        if note is None and link.target in anchors:
            # The note has no name of its own, but begins with a link that answers this one.
            answer, note = anchors[link.target]
            if answer.attributes["href"][1:] not in names or order[id(answer)] < number:
                continue
            answers.add(id(answer))
        is_own = note is None or id(link.element) in answers or any(one is note for one in link.inside)
        if note is None or is_own or not _is_label(link.element):
            continue
        references[id(link.element)] = notes.setdefault(id(note), len(notes) + 1)
        named |= names
    back = (
        link
        for link in links
        if link.target in named
        and any(id(one) in notes for one in link.inside)
        and id(link.element) not in references
    )
    return Footnotes(references, notes, frozenset(id(link.with_brackets()) for link in back))


def _first_inside(holder: Element) -> Element | None:
    """Return the element that a possible note begins with, such as its link; emphasis around it does not count."""
    if holder.name != "p" and not _may_hold_note(holder):
        return None
    element = holder
    for _ in range(_LEVELS):
        first = next((child for child in element.children if isinstance(child, Element) or child.strip()), None)
        if not isinstance(first, Element) or first.name not in _IN_LINES:
            return first if isinstance(first, Element) else None
        element = first
    return None


def _may_hold_note(element: Element) -> bool:
    if element.name == "li":
        return True
    attributes = element.attributes
    named = f"{attributes.get('class', '')} {attributes.get('role', '')} {attributes.get('id', '')}"
    return element.name in _NOTES and _NOTE_CLASS.search(named) is not None


def _is_label(element: Element) -> bool:
    text = ""
    for number, (node, _) in enumerate(walk(element)):  # a call with all children would copy them
        if isinstance(node, str):
            text += node
        if len(text) > _LONGEST_LABEL or number > _MOST_NODES:
            return False
    return _LABEL.fullmatch(text) is not None
