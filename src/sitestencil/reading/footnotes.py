"""Find a page's footnotes: short links to list items further down, which mostly link back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sitestencil.page.document import Document

_LABEL = re.compile(
    r"\s*[\[(]?\s*(?:note\s+)?(?:\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})\s*[\])]?\s*",
    re.IGNORECASE,
)
_LONGEST_LABEL, _MOST_RUNS = 20, 20
_NOTES = frozenset({"li", "p", "div", "aside", "dd"})
_IN_LINES = frozenset({"span", "sup", "b", "strong", "i", "em", "font"})
_NOTE_CLASS = re.compile(r"\b(?:foot|end|side)note", re.IGNORECASE)
# A reference and a link back are named by themselves or by one of these elements around them.
_LEVELS = 3
_MOST_AROUND = 50


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of a page, by the numbers of elements.

    Attributes:
        references: the note that a link refers to.
        notes: the number of each note's element among the notes, from 1.
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
        inside: the elements around it that may be notes, the outermost first.
    """

    element: int
    target: str
    inside: Sequence[int]


def footnotes(document: Document) -> Footnotes:
    """Return the footnotes of a page, numbered in the order of the references."""
    return _Finder(document).found()


class _Finder:
    def __init__(self, document: Document) -> None:
        self._document = document

    def found(self) -> Footnotes:
        links = self._links()
        if not links:
            return Footnotes()
        holders = self._holders()
        anchors: dict[str, _Link] = {}
        innermost = {link.inside[-1] for link in links if link.inside}
        firsts = {holder: self._first_inside(holder) for holder in innermost}
        for link in links:
            if link.inside and firsts[link.inside[-1]] == link.element:
                for name in (*self._names_of(link.element), self._document.id(link.inside[-1])):
                    anchors.setdefault(name, link)
        return self._matched(holders, anchors, links)

    def _links(self) -> list[_Link]:
        """Return the links within the page."""
        document, found = self._document, list[_Link]()
        for element in document.tagged("a"):
            target = document.attributes[element].get("href", "")
            if target[:1] == "#" and len(target) > 1:
                around = self._around(element, _MOST_AROUND)
                inside = [one for one in reversed(around) if document.tags[one] in _NOTES]
                found.append(_Link(element, target[1:], inside))
        return found

    def _around(self, element: int, levels: int) -> list[int]:
        """Return an element and those around it, the innermost first."""
        around: list[int] = []
        while element >= 0 and len(around) < levels:
            around.append(element)
            element = self._document.parents[element]
        return around

    def _holders(self) -> dict[str, int]:
        """Return the elements that may hold notes, by their names."""
        found: dict[str, int] = {}
        for element in self._document.having("id"):
            if (name := self._document.id(element)) and self._may_hold_note(element):
                found.setdefault(name, element)
        return found

    def _matched(
        self, holders: Mapping[str, int], anchors: Mapping[str, _Link], links: Sequence[_Link]
    ) -> Footnotes:
        references: dict[int, int] = {}
        notes: dict[int, int] = {}
        named: set[str] = set()
        answers: set[int] = set()
        for link in links:
            note = holders.get(link.target)
            names = {name for one in self._around(link.element, _LEVELS) for name in self._names_of(one) if name}
            if note is None and link.target in anchors:
                # The note has no name of its own, but begins with a link that answers this one.
                answer = anchors[link.target]
                if answer.target not in names or answer.element < link.element:
                    continue
                answers.add(answer.element)
                note = answer.inside[-1]
            if note is None or link.element in answers or note in link.inside or not self._is_label(link.element):
                continue
            notes.setdefault(note, len(notes) + 1)
            references[link.element] = note
            named |= names
        back = (
            link.element
            for link in links
            if link.target in named
            and not notes.keys().isdisjoint(link.inside)
            and link.element not in references
            and self._short_text(link.element) is not None
        )
        return Footnotes(references, notes, frozenset(map(self._with_brackets, back)))

    def _names_of(self, element: int) -> tuple[str, str]:
        attributes = self._document.attributes[element]
        return attributes.get("id", ""), attributes.get("name", "")

    def _with_brackets(self, link: int) -> int:
        """Return the outermost element that holds this link and no other words."""
        whole = link
        for one in self._around(link, _LEVELS)[1:]:
            if self._document.tags[one] not in _IN_LINES or not self._is_label(one):
                break
            whole = one
        return whole

    def _first_inside(self, holder: int) -> int:
        """Return the element that a possible note begins with, such as its link; -1 for a text.

        Emphasis around it does not count.
        """
        document = self._document
        if document.tags[holder] != "p" and not self._may_hold_note(holder):
            return -1
        element = holder
        for _ in range(_LEVELS):
            children = document.children[element]
            runs = [document.texts[run] for run in document.runs(element)[:1]]
            if not children or any(run[:2] == (element, -1) and not run.text.isspace() for run in runs):
                return -1
            element = children[0]
            if document.tags[element] not in _IN_LINES:
                break
        return element

    def _may_hold_note(self, element: int) -> bool:
        tag, attributes = self._document.tags[element], self._document.attributes[element]
        if tag == "li":
            return True
        named = f"{attributes.get('class', '')} {attributes.get('role', '')} {attributes.get('id', '')}"
        return tag in _NOTES and _NOTE_CLASS.search(named) is not None

    def _short_text(self, element: int) -> str | None:
        """Return the text in an element; None if it is too long for a label."""
        if len(self._document.runs(element)) > _MOST_RUNS:
            return None
        text = self._document.text_content(element)
        return text if len(text) <= _LONGEST_LABEL else None

    def _is_label(self, element: int) -> bool:
        text = self._short_text(element)
        return text is not None and _LABEL.fullmatch(text) is not None
