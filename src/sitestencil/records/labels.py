"""Find labels that a person sees, and the values beside them: the next element, or the text around a label."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.reading.reading import element_text

_LONGEST, _LONGEST_VALUE = 40, 100  # characters of a label, and of its value
_MOST_IN_LABEL, _MOST_IN_VALUE = 4, 40  # elements
_MANY = frozenset({"ul", "ol", "dl", "table", "tbody"})  # with several entries they are a list
_COLONS = (":", "\uff1a")
_IN_TEXT = re.compile(r"([^\W\d][^:\uff1a\"]{1,38}[:\uff1a])(?!//) ?(\S.*)")
_NAMING = frozenset({"dt", "th", "label"})
_NO_LABELS = NO_PAGE_TEXT | {"a", "button", "li"}
# The ways from a label's element to its value, in XPath.
WAYS: Mapping[str, str] = {
    "next": "/following-sibling::*[1]",
    "next-link": "/following-sibling::*[1]/descendant-or-self::a/@href",
    "after": "/following-sibling::text()[normalize-space()][1]",
    "before": "/preceding-sibling::text()[normalize-space()][1]",
    "inside": "",
}
Key = tuple[str, str, str]  # the tag of a label's element, the way to the value, and the label as it stands


class Labelled(NamedTuple):
    """The element with a value, or around it; and the value."""

    element: int
    value: str


class Labels(NamedTuple):
    """The labelled values of a page, and of elements the label with whether it says that it is one."""

    values: Mapping[Key, list[Labelled]]
    of: Mapping[int, tuple[str, bool]]


@lru_cache(64)
def labels_in(document: Document) -> Labels:
    """Return the labelled values of a page."""
    parts: dict[tuple[int, int], list[str]] = {}
    for run in document.texts:
        parts.setdefault((run.parent, run.after), []).append(run.text)
    own = {place: " ".join("".join(texts).split()) for place, texts in parts.items()}
    values: dict[Key, list[Labelled]] = {}
    of: dict[int, tuple[str, bool]] = {}
    for parent, children in enumerate(document.children):
        tag = document.tags[parent]
        is_plain = tag.isalnum() and tag not in NO_PAGE_TEXT  # a made name of a tag gets into no XPath
        if not children and is_plain and (found := _IN_TEXT.match(own.get((parent, -1), "")[:200])):
            values.setdefault((tag, "inside", found[1]), []).append(Labelled(parent, found[2]))
        for child, before, following in zip(children, [-1, *children], [*children[1:], 0], strict=False):
            label = _label(document, child)
            if not label:
                continue
            is_sure = label.endswith(_COLONS) or document.tags[child] in _NAMING
            places = {"after": (parent, child), "before": (-1, -1) if following else (parent, before)}
            ways = {way: (parent, own.get(place, "").strip(" :\uff1a")) for way, place in places.items()}
            if not ways["after"][1] and following and (value := _value(document, following)):
                of[following] = label, is_sure
                ways = {"next": (following, value)}
                links = [one for one in range(following, document.ends[following]) if document.tags[one] == "a"]
                if len(links) == 1:
                    ways["next-link"] = links[0], document.attributes[links[0]].get("href", "")
            if ways.get("after", (0, ""))[1]:
                of[parent] = label, is_sure
            for way, (element, value) in ways.items():
                if any(map(str.isalnum, value)) and (way == "next-link" or len(value) <= _LONGEST_VALUE):
                    values.setdefault((document.tags[child], way, label), []).append(Labelled(element, value))
    return Labels(values, of)


def _label(document: Document, element: int) -> str:
    """Return the text of an element that may be a label: short, with a letter, no quotes and no link."""
    tags = document.tags[element : document.ends[element]]
    if len(tags) > _MOST_IN_LABEL or not 0 < len(document.runs(element)) <= _MOST_IN_LABEL:
        return ""
    if not _NO_LABELS.isdisjoint(tags) or not tags[0].isalnum():
        return ""
    text = element_text(document, element)
    is_label = len(text) <= _LONGEST and any(map(str.isalpha, text)) and not any(map(str.isdigit, text))
    return text if is_label and '"' not in text else ""


def _value(document: Document, element: int) -> str:
    tag, size = document.tags[element], document.ends[element] - element
    is_list = tag in _MANY and len(document.children[element]) > 1
    is_long = size > _MOST_IN_VALUE or len(document.runs(element)) > _MOST_IN_LABEL
    return "" if is_list or is_long or tag in NO_PAGE_TEXT else element_text(document, element)


def label_of(document: Document, element: int) -> tuple[str, bool]:
    """Return the label beside an element, or beside one that it alone fills; and whether it says that it is one."""
    labels = labels_in(document).of
    while element not in labels and len(document.children[parent := document.parents[element]]) == 1 and parent > 0:
        element = parent
    label, is_sure = labels.get(element, ("", False))
    return label.strip(" :\uff1a"), is_sure
