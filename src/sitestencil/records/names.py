"""Name the columns of a kind by what stands at their slots."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitestencil.page.document import Document
from sitestencil.records.labels import label_of
from sitestencil.records.slots import TRAIL, Place, Slot
from sitestencil.records.stated import stated_in
from sitestencil.rules.values import ColumnType, is_equal
from sitestencil.selectors.element_selectors import lasting_names

_MOST_SHARE = 0.6  # of the places that say a name
_LONGEST = 40  # characters of a name, or a label
_SURE, _NEAR = 0.9, 5
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME = re.compile(r"\W+")
# What words of classes, ids, roles and tags say of a value, or of a part of the frame.
MEANINGS: Mapping[str, str] = {
    **dict.fromkeys(("breadcrumb", "breadcrumbs", "crumbs", "crumb", "trail"), "breadcrumb"),
    **dict.fromkeys(("pagination", "pager", "paging", "prevnext"), "pagination"),
    **dict.fromkeys(("toc", "outline", "contents", "tocset"), "table_of_contents"),
    **dict.fromkeys(("share", "social", "sharing", "sharedaddy"), "share"),
    **dict.fromkeys(("related", "similar", "recommended", "yarpp"), "related"),
    **dict.fromkeys(("comment", "comments", "replies", "respond"), "comments"),
    **dict.fromkeys(("tag", "tags", "keywords"), "tags"),
    **dict.fromkeys(("category", "categories", "cat"), "category"),
    **dict.fromkeys(("language", "languages", "lang", "locale", "languageswitcher"), "language"),
    **dict.fromkeys(("author", "byline", "vcard", "creator", "username"), "author"),
    **dict.fromkeys(("date", "published", "posted", "dateline", "time"), "date"),
    **dict.fromkeys(("sidebar", "aside", "complementary", "widget", "widgets"), "sidebar"),
    **dict.fromkeys(("nav", "navigation", "menu", "navbar", "submenu", "topnav", "navbox"), "menu"),
    **dict.fromkeys(("hero", "banner", "jumbotron", "cover", "thumbnail", "masthead"), "banner"),
    **dict.fromkeys(("footer", "contentinfo", "colophon"), "footer"),
    **dict.fromkeys(("header", "topbar"), "header"),
    **dict.fromkeys(("title", "headline", "heading"), "title"),
    **dict.fromkeys(("subtitle", "excerpt", "summary", "lead", "intro"), "summary"),
    **dict.fromkeys(("search", "searchform"), "search"),
    **dict.fromkeys(("login", "account", "user", "userinfo", "personal"), "account"),
    **dict.fromkeys(("edit", "history", "source", "actions"), "edit"),
    **dict.fromkeys(("prev", "previous"), "previous"),
    **dict.fromkeys(("price", "amount"), "price"),
    "next": "next",
    "meta": "details",
    "logo": "logo",
    "cart": "cart",
    "latest": "latest",
    "recent": "latest",
    "popular": "popular",
}
# The types of the values that a column with such a name has.
_TYPES: Mapping[str, Collection[ColumnType]] = {
    "price": {"price", "number", "text"},
    "date": {"date"},
    **dict.fromkeys(("author", "title", "breadcrumb", "category"), frozenset({"text"})),
}
_OF_TRAIL = frozenset({"item", "itemListElement"})
_OF_META: Mapping[str, str] = {"published_time": "date", "amount": "price"}
_TAGS: Mapping[str, str] = {"h1": "title", "time": "date", "address": "author"}


class Name(NamedTuple):
    """A column's name: letters, digits and underscores; and how sure it is, 0 to 1."""

    text: str
    confidence: float


def name_of(slot: Slot, places: Sequence[Place], kind: ColumnType, field: str) -> Name:
    """Return the surest name of a slot that has a type; `field` says that it is the title, author or date."""
    if slot.label:
        is_sure = slot.label.endswith((":", "\uff1a")) or slot.selector in {"dt", "th", "label"}
        return Name(plain_name(slot.label), 0.55 if slot.attribute == "next-link" else 0.8 if is_sure else 0.64)
    if slot.attribute == TRAIL:
        return Name("category", 0.65)
    having = [(place, element) for place in places if (element := slot.first(place)) is not None]
    best = surest(
        names_at(place.page.document, element, slot.value(place) or "", kind, field, place.page.is_main[element])
        for place, element in having
    )
    suffix = "_link" if slot.attribute == "href" and best.confidence < _SURE else ""
    return Name(f"{best.text[:_LONGEST]}{suffix}", round(best.confidence, 2))


def surest(said: Iterable[Iterable[Name]]) -> Name:
    """Return the surest name that most places say."""
    votes: Counter[Name] = Counter()
    count = 0
    for names in said:
        votes.update(set(names))
        count += 1
    often = [name for name, times in votes.items() if times >= _MOST_SHARE * count]
    return max(often, key=lambda name: (name.confidence, votes[name], name.text), default=Name("text", 0.0))


def names_at(
    document: Document, element: int, value: str, kind: ColumnType, field: str = "", is_main: bool = False
) -> Iterator[Name]:
    """Yield the names that an element with a value suggests."""
    tag, attributes = document.tags[element], document.attributes[element]
    if tag == "meta" and "itemprop" not in attributes:
        word = (attributes.get("property") or attributes.get("name", "")).rpartition(":")[2]
        yield Name(_OF_META.get(word, plain_name(word)), 0.75)
    elif said := said_by_markup(document, element):
        yield Name("category", 0.65) if said in _OF_TRAIL else Name(plain_name(said), 0.95)
    yield from (Name(plain_name(key), 0.9) for key, stated in stated_in(document) if is_equal(value, stated))
    label, says_so = label_of(document, element)
    if field:
        yield Name(field, 0.88 if tag in _TAGS else 0.6 if field == "image" else 0.45 if says_so else 0.85)
    if label:
        yield Name(plain_name(label), 0.8 if says_so else 0.64)
    if tag in _TAGS and kind in {"text", "date"}:
        yield Name(_TAGS[tag], 0.7)
    if kind == "text" and (attributes.get("rel") == "author" or "/author/" in attributes.get("href", "")):
        yield Name("author", 0.7)
    yield from _of_classes(document, element, kind)
    if kind == "picture":
        yield Name("image", 0.6 if is_main else 0.45)
    elif tag in {"iframe", "video", "audio", "source"}:
        yield Name("media", 0.6)
    if kind in {"price", "date"}:
        yield Name(kind, 0.5)
    yield Name(tag, 0.1)


def said_by_markup(document: Document, element: int) -> str:
    """Return the name that microdata or RDFa gives an element; of a thing's name or address that of the thing."""
    name = ""
    for above in reversed(document.path(element)[-_NEAR:]):
        attributes = document.attributes[above]
        said = (attributes.get("itemprop") or attributes.get("property") or "").rpartition(":")[2].split()
        is_alone = bool(name) or above == element or len(document.children[above]) == 1
        if said and is_alone:
            name = said[0]
        is_other = "itemtype" in attributes and above != element and not said
        if not is_alone or is_other or name not in {"", "name", "url"}:
            break
    return name


def _of_classes(document: Document, element: int, kind: ColumnType) -> Iterator[Name]:
    path = [above for above in document.path(element) if document.tags[above] not in {"html", "body"}]
    for level, above in enumerate(path[:-4:-1]):
        classes = [*lasting_names(document.classes[above]), document.id(above)]
        for word in (word.lower() for name in classes for word in WORD.findall(name)):
            if kind in _TYPES.get(meaning := MEANINGS.get(word, ""), ()):
                yield Name(meaning, 0.65 - 0.05 * level)
        if classes[:-1]:
            yield Name(plain_name(classes[0]), 0.4 - 0.1 * level)
        if len(document.children[above]) > 3:
            return


def unique_name(text: str, taken: set[str]) -> str:
    """Return a name that is not taken, with a number if need be; it is taken then."""
    name = next(name for name in (text, *(f"{text}_{at}" for at in range(2, len(taken) + 3))) if name not in taken)
    taken.add(name)
    return name


def plain_name(text: str) -> str:
    """Return a text as a name of letters, digits and underscores."""
    return _NAME.sub("_", text).strip("_").lower()[:_LONGEST] or "text"
