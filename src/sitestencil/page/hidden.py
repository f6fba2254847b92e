"""Tell the elements that a page's source hides.

A hidden part that a reader can open, or that scripts show at once, counts as shown. Such are an accordion's answer,
a tab, a segment that React streams, and a part that holds most of a page's text.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from sitestencil.page.document import Document, once
from sitestencil.page.html_names import NO_PAGE_TEXT

# A part with a larger share of a page's text is not hidden for long.
_MOST_HIDDEN, _FEWEST_SIGNS = 0.5, 200
_FEWEST_OF_PART = 60  # signs of a part that counts with others, or goes on with the text before it
# What these hide is no text of the page, whatever opens it.
MENUS = frozenset({"dialog", "footer", "header", "nav"})
_MENU_ROLES = frozenset(
    "alertdialog banner contentinfo dialog listbox menu menubar navigation search tooltip".split()
)
_PANEL = re.compile(r"accordion|collaps|expand|faq|read-?more|spoiler|tab-?(?:content|pan)|toggle", re.IGNORECASE)
# Of a declaration: a custom property such as --footer-display hides nothing, and neither does backface-visibility.
_DECLARED = re.compile(
    r"(?:^|;)\s*+(display|(?:content-)?visibility)\s*+:\s*+([\w\s-]++)(!\s*+important\s*+)?(?=;|\Z)"
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ANY = frozenset("inherit initial revert revert-layer unset".split())
# The valid values: browsers pass over any other declaration.
_VALUES = {
    "display": _ANY.union(
        "none contents block inline flow flow-root flex grid inline-block inline-flex inline-grid inline-table "
        "list-item math ruby ruby-text run-in table table-caption table-cell table-column table-column-group "
        "table-footer-group table-header-group table-row table-row-group -webkit-box -webkit-inline-box "
        "-webkit-flex -webkit-inline-flex".split()
    ),
    "visibility": _ANY | {"hidden", "collapse", "visible"},
    "content-visibility": _ANY | {"hidden", "auto", "visible"},
}
_STREAMED = re.compile(r"\w*S:[0-9a-f]+")
_TARGETS = ("aria-controls", "data-target", "data-bs-target")
_OPENING = frozenset({*_TARGETS, "data-toggle", "data-bs-toggle", "aria-expanded", "role"})
# These open what covers the page.
_COVERS = frozenset({"modal", "offcanvas", "dropdown", "popover"})


def hides(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element's attributes hide it."""
    return "hidden" in attributes or ("style" in attributes and hides_by_style(attributes["style"] or ""))


def hides_by_style(style: str) -> bool:
    """Return whether a style hides its element."""
    return "none" in style.lower() and _declared(style).get("display") == "none"


def hides_text(attributes: Mapping[str, str | None]) -> bool:
    """Return whether an element's attributes hide its text from readers; ``until-found`` lets them search it."""
    if (attributes.get("hidden") or "").lower() == "until-found":
        return False
    return hides(attributes) or _visibility(attributes) == "hidden"


@once
def without_text(document: Document) -> Sequence[bool]:
    """Return per element whether its text is hidden, by itself or by an element around it.

    An element around what is visible again is not hidden.
    """
    body, ends, parts = document.body or 0, document.ends, _Parts(document)
    hidden = [False] * len(document)
    around: list[tuple[int, bool]] = []  # the ends of hidden parts, and whether one may have visible parts
    for element in document.having("style", "hidden"):
        if element <= body:
            continue
        attributes = document.attributes[element]
        while around and around[-1][0] <= element:
            around.pop()
        end, visibility = ends[element], _visibility(attributes)
        if hidden[element]:
            if hides(attributes) or not around[-1][1]:
                around.append((end, False))
            elif visibility == "visible":
                hidden[element:end] = [False] * (end - element)
                _reveal(hidden, document, element)
        elif hides_text(attributes) and not parts.shows(element):
            hidden[element:end] = [True] * (end - element)
            around.append((end, not hides(attributes)))
    return hidden


def _reveal(hidden: list[bool], document: Document, element: int) -> None:
    """Show the elements around one."""
    element = document.parents[element]
    while element >= 0 and hidden[element]:
        hidden[element] = False
        element = document.parents[element]


def _visibility(attributes: Mapping[str, str | None]) -> str:
    """Return ``hidden`` or ``visible`` by an element's own style, or an empty string."""
    style = attributes.get("style") if attributes else None
    if not style or "visibility" not in style.lower():
        return ""
    declared = _declared(style)
    values = {declared.get("visibility"), declared.get("content-visibility")}
    return "hidden" if values & {"hidden", "collapse"} else "visible" if "visible" in values else ""


def _declared(style: str) -> dict[str, str]:
    """Return the values by which a style shows or hides its element: those of the last valid declarations."""
    found: dict[str, str] = {}
    important: set[str] = set()
    for name, value, mark in _DECLARED.findall(_COMMENT.sub(" ", style.lower())):
        if _VALUES[name].issuperset(value.split()) and (mark or name not in important):
            found[name] = value.strip()
            important.update([name] if mark else ())
    return found


class _Parts:
    """The hidden parts of a page, each of which a reader may come to see."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def shows(self, element: int) -> bool:
        """Return whether a reader comes to see a hidden part."""
        attributes = self._document.attributes[element]
        parent = self._document.attributes[self._document.parents[element]]
        if self._is_in_menu(element):
            return False
        return (
            _STREAMED.fullmatch(attributes.get("id", "")) is not None
            or attributes.get("role") == "tabpanel"
            or self._document.tags[element] == "dd"
            or any(_PANEL.search(around.get("class", "")) for around in (attributes, parent))  # of an accordion
            or ("id" in attributes and attributes["id"] in self._controlled)
            or self._is_large(element)
            or self._goes_on(element)
        )

    def _is_large(self, element: int) -> bool:
        """Return whether a hidden part holds most of the page's text, alone or with others like it."""
        least = max(_FEWEST_SIGNS, _MOST_HIDDEN * self._all_signs)
        signs = self._signs(self._document.runs(element))
        return signs > least or (signs >= _FEWEST_OF_PART and self._hidden_signs > least)

    @cached_property
    def _hidden_signs(self) -> int:
        """The length of the hidden texts that are in no menu."""
        total, end = 0, self._document.body or 0
        for element in self._document.having("style", "hidden"):
            is_hidden = element >= end and hides_text(self._document.attributes[element])
            if is_hidden and not self._is_in_menu(element):
                signs, end = self._signs(self._document.runs(element)), self._document.ends[element]
                total += signs if signs >= _FEWEST_OF_PART else 0
        return total

    def _goes_on(self, element: int) -> bool:
        """Return whether what acts stands beside a hidden text: behind it and the text before it, or before it.

        The text may also be one of several of a kind, the first of which is shown.
        """
        document, parent = self._document, self._document.parents[element]
        runs = document.runs(element)
        if self._signs(runs) < max(_FEWEST_OF_PART, 2 * self._linked_signs(runs)):
            return False
        siblings = document.children[parent]
        place = bisect_left(siblings, element)
        before = siblings[place - 1] if place else -1
        if before >= 0 and (self._acts(before, element) or self._is_like(before, element)):
            return True
        goes_on = self._signs(range(document.runs(parent).start, runs.start)) > 0
        following = (document.ends[element], document.ends[parent]) if goes_on else ()
        return any(one < len(document) and self._acts(one, element) for one in following)

    def _is_like(self, shown: int, element: int) -> bool:
        """Return whether an element before a hidden one is shown, and of its tag and one of its classes."""
        document = self._document
        is_of_kind = document.tags[shown] == document.tags[element] not in {"li", "option"}
        classes = document.classes[shown] & document.classes[element]
        return is_of_kind and bool(classes) and not hides_text(document.attributes[shown])

    def _acts(self, one: int, element: int) -> bool:
        """Return whether an element is a control that may open a hidden one."""
        attributes, tag = self._document.attributes[one], self._document.tags[one]
        address = attributes.get("href", "").strip().lower()
        own = f"#{self._document.id(element)}".lower()
        is_link = tag == "a" and (address in {"", "#", own} or address.startswith("javascript:"))
        return is_link or tag == "button" or (tag == "label" and "for" in attributes)

    def _linked_signs(self, runs: range) -> int:
        links = (run for run in runs if self._document.tags[self._document.texts[run].parent] == "a")
        return sum(len(self._document.texts[run].text.strip()) for run in links)

    def _is_in_menu(self, element: int) -> bool:
        tags, parents, attributes = self._document.tags, self._document.parents, self._document.attributes
        while element >= 0:
            if tags[element] in MENUS or attributes[element].get("role") in _MENU_ROLES:
                return True
            element = parents[element]
        return False

    @cached_property
    def _controlled(self) -> frozenset[str]:
        """The ids of what the page's controls open."""
        found: set[str] = set()
        for element in self._document.having(*_OPENING):
            attributes = self._document.attributes[element]
            if attributes.get("aria-haspopup", "false") != "false":
                continue
            toggles = attributes.get("data-toggle") or attributes.get("data-bs-toggle") or ""
            names = [attributes[name] for name in _TARGETS if name in attributes]
            if toggles or "aria-expanded" in attributes or attributes.get("role") in {"tab", "button"}:
                names += [attributes["href"]] if attributes.get("href", "").startswith("#") else []
            if names and toggles not in _COVERS and not self._is_in_menu(element):
                found.update(name.removeprefix("#") for value in names for name in value.split())
        return frozenset(found)

    @property
    def _all_signs(self) -> int:
        return self._signs(self._document.runs(self._document.body or 0))

    def _signs(self, runs: range) -> int:
        """Return the length of the texts that are no code."""
        return self._sums[runs.stop] - self._sums[runs.start]

    @cached_property
    def _sums(self) -> Sequence[int]:
        """Per text, the length of those before it that are no code."""
        tags = self._document.tags
        lengths = (0 if tags[run.parent] in NO_PAGE_TEXT else len(run.text.strip()) for run in self._document.texts)
        return [0, *accumulate(lengths)]
