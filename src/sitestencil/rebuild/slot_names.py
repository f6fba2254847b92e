"""Name the slots by what they mean: by their markup as records do, and by the parts of a frame around them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.rebuild.nodes import CLOSE, HOLE, OPEN, ROOT, html_of, paths_in, text_of
from sitestencil.rebuild.pages import Page
from sitestencil.rebuild.patterns import Path, Slot, slots_in
from sitestencil.records.names import MEANINGS, WORD, Name, names_at, plain_name, surest, unique_name
from sitestencil.rules.values import ColumnType, form_of

_MEANT_FROM = 0.5
_PAGES = 3  # that are asked for a slot's name
_NEAR = 4  # elements around a slot
_ADDRESSES = frozenset({"href", "src", "srcset", "action", "data-src", "poster", "xlink:href"})
_OF_VALUES = frozenset({"content", "datetime", "value", "src"})  # attributes that hold the element's own value
_ACTIVE = re.compile(r"active|current|selected|open|on|here", re.IGNORECASE)


class SlotName(NamedTuple):
    """A slot's name, and whether it tells what the slot means."""

    text: str
    is_meant: bool


def name_slots(
    pages: Sequence[Page], shared: Sequence[Slot], kinds: Mapping[str, Sequence[Page]]
) -> dict[Slot, SlotName]:
    """Name all slots, each uniquely; return their names."""
    naming = _Naming({page.number: page for page in pages})
    names: dict[Slot, SlotName] = {}
    taken = set[str]()
    of_kinds = {kind: [*chain(*(slots_in(slot.kinds.get(kind, ())) for slot in shared))] for kind in kinds}
    menus = (slot for slot in chain(*of_kinds.values()) if slot.form == "menu")
    for slot in (*shared, *menus):
        names[slot] = naming.name(slot, taken)
    for of in of_kinds.values():
        of_kind = set(taken)
        for slot in (slot for slot in of if slot not in names):
            names[slot] = naming.name(slot, of_kind)
    return names


class _Naming:
    def __init__(self, pages: Mapping[int, Page]) -> None:
        self._pages = pages
        self._documents: dict[int, tuple[Document, dict[Path, int]]] = {}

    def name(self, slot: Slot, taken: set[str]) -> SlotName:
        """Give a slot its name, which no other has."""
        places = [*self._places(slot)]
        best = surest(names for names, _ in places)
        text = best.text
        part = next((part for _, part in places if part), "")
        if best.confidence < _MEANT_FROM and part:
            best = Name(part, _MEANT_FROM)
            text = part
        if slot.form == "attribute" and slot.attribute not in _OF_VALUES and not text.endswith("_link"):
            end = "link" if slot.attribute in _ADDRESSES else plain_name(slot.attribute)
            text = text if text == end else f"{text}_{end}"
        if slot.form == "menu":
            text = f"{part}_menu".removeprefix("menu_").removeprefix("_")
        if slot.form == "present":
            text = f"has_{text}"
        text = f"slot_{text}" if not text[0].isascii() or not text[0].isalpha() else text
        slot.name = unique_name(re.sub(r"[^a-z0-9_]+", "_", text), taken)
        return SlotName(slot.name, best.confidence >= _MEANT_FROM)

    def _places(self, slot: Slot) -> Iterator[tuple[list[Name], str]]:
        """Yield what a few pages say of a slot: names, and the part of the frame."""
        values = [_text(value) for value in slot.values.values()]
        kind: ColumnType = form_of([value for value in values if value][:50] or [""]).type
        for page, path in [*slot.where.items()][:_PAGES]:
            document, numbers = self._document(page)
            element = numbers.get(path, numbers.get(path[:-1]))
            if element is not None:
                names = [*names_at(document, element, _text(slot.values.get(page)), kind)]
                names += _own_names(document, element, slot)
                yield names, _part(document, element)

    def _document(self, number: int) -> tuple[Document, dict[Path, int]]:
        """Return a page's safe tree as a document, and the numbers of its elements by path."""
        if number not in self._documents:
            page = self._pages[number]
            html = html_of(page.root.children)
            for mark in (ROOT, HOLE, OPEN, CLOSE):
                html = html.replace(mark, "")
            paths = (path for path, _ in paths_in(page.root.children, (0,)))
            self._documents[number] = (
                parse(html, page.url, scripting=True, checked=False),
                {path: at for at, path in enumerate(paths)},
            )
        return self._documents[number]


def _text(value: object) -> str:
    return value if isinstance(value, str) else " ".join(text_of(value).split()) if isinstance(value, tuple) else ""


def _own_names(document: Document, element: int, slot: Slot) -> Iterator[Name]:
    """Yield the names of a frame's own slots."""
    tag, attributes = document.tags[element], document.attributes[element]
    relation = attributes.get("rel", "").lower().split()[:1]
    if tag in {"html", "body"} and slot.form == "attribute":
        yield Name({"lang": "language", "dir": "direction"}.get(slot.attribute, "page"), 0.9)
    elif tag == "title":
        yield Name("head_title", 0.9)
    elif relation and tag in {"link", "a"}:
        said = {"prev": "previous", "tag": "tags", "stylesheet": "style_sheet"}.get(relation[0], relation[0])
        if said not in {"nofollow", "noopener", "noreferrer", "external"}:
            yield Name(plain_name(said), 0.8)
    elif slot.form == "attribute" and (slot.attribute in {"class", "aria-current"}):
        words = {word for value in slot.values.values() if isinstance(value, str) for word in WORD.findall(value)}
        if any(_ACTIVE.fullmatch(word) for word in words):
            yield Name("active", 0.55)
    elif tag in {"style", "head"}:
        yield Name(tag, 0.6)
    elif tag == "img":
        yield Name("image", 0.5)


def _part(document: Document, element: int) -> str:
    """Return the part of the frame that the nearest elements say; empty without one."""
    for above in [*reversed(document.path(element))][:_NEAR]:
        attributes = document.attributes[above]
        said = (
            document.tags[above],
            attributes.get("role", ""),
            attributes.get("id", ""),
            attributes.get("class", ""),
        )
        for word in WORD.findall(" ".join(said)):
            if word.lower() in MEANINGS and document.tags[above] not in {"html", "body"}:
                return MEANINGS[word.lower()]
    return ""
