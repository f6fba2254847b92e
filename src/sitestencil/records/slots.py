"""Find the slots of a kind: selectors that match one element on most pages, with values that differ.

A place is a page, or a row of a list in it: then its selectors match within the row alone.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote

from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.json_ld import Node, graph_of
from sitestencil.page.page_facts import document_facts
from sitestencil.page.page_title import letters
from sitestencil.reading.reading import element_text
from sitestencil.rules.site_pages import KindPage
from sitestencil.selectors.candidates import MOST_SELECTORS, quality, selectors_of
from sitestencil.urls import resolve

ROW = ":scope"  # the selector of a row itself
LEAST_FILLED = 0.6  # of the places
_MOST_HELD = 1_500  # elements of a place that may be slots
_MOST_AROUND = 3
_LONGEST = 2_000  # characters of a value
_SAME = 0.9  # of the values of two slots that are one
_MOST_SLOTS = 60
# The attributes that hold a value, by the elements that have them; elsewhere the text is the value.
_VALUES = {"img": ["data-src", "src"], "time": ["datetime"], "a": ["href"], "meta": ["content"], "data": ["value"]}
_SAID = frozenset({"author", "date", "description", "keywords"})  # by a meta; others hold tokens and settings
_ADDRESSES = frozenset({"src", "data-src", "href", "og:image", "image", "url", "thumbnailUrl", "contentUrl"})
# Statements of the head about cards and applications.
_SETTINGS = re.compile(r"(?:twitter|fb|al):.*|og:(?!(?:title|description|image|price:\w+)$).*")
# Words of tags, roles, classes and relations around a link that leads around the site.
_NAVIGATION = frozenset({"nav", "navigation", "pagination", "prev", "next", "edit", "share"})
_WORD, _NEAR = re.compile("[a-z]+"), 4
_CHANGED = re.compile("modified|updated")


_STATED, _STATES = "ld:", 'script[type="application/ld+json"]'  # a key of JSON-LD as an attribute of its script


class Place(NamedTuple):
    """A page, or a row of a list in it; and the row's element, or 0."""

    page: KindPage
    root: int = 0

    def matched(self, selector: str) -> list[int]:
        """Return the first two elements below the root that a selector matches; or the root itself."""
        if selector == ROW:
            return [self.root]
        found = self.page.selected(selector)
        at = bisect_left(found, self.root + 1)
        return [one for one in found[at : at + 2] if one < self.page.document.ends[self.root]]

    def first(self, selector: str) -> int | None:
        """Return the first element below the root that a selector matches; None without one."""
        return next(iter(self.matched(selector)), None)


class Slot(NamedTuple):
    """A column's place: the first match of a CSS selector, and the attribute with the value; empty for text.

    For a value that the page states in JSON-LD alone, it is the key.
    """

    selector: str
    attribute: str = ""

    @property
    def key(self) -> str:
        """The key of JSON-LD; empty for a place in the page."""
        return self.attribute.removeprefix(_STATED) if self.attribute.startswith(_STATED) else ""

    def value(self, place: Place) -> str | None:
        """Return the value in a place, of an address the absolute one; None without one."""
        document, element = place.page.document, place.first(self.selector)
        if element is None:
            return None
        if not self.attribute:
            return element_text(document, element)[:_LONGEST] or None
        attributes = document.attributes[element]
        value = dict(stated_in(document)).get(self.key) if self.key else attributes.get(self.attribute)
        value = (value or "").strip()[:_LONGEST]
        said = {self.attribute, attributes.get("property"), attributes.get("itemprop")}
        if value and not self.key and not said.isdisjoint(_ADDRESSES):
            value = resolve(value, document.base) or ""
        # An address of the page itself, or one that hands it on, tells nothing.
        page = document.url.partition("#")[0]
        return value if value.partition("#")[0] not in {"", page} and unquote(value).find(page) < 1 else None


def json_ld_of(document: Document) -> Node:
    """Return the JSON-LD node that describes a page; an empty one if there is none."""
    return graph_of(document_facts(document).scripts).page_node([document.url])


@lru_cache(64)
def stated_in(document: Document) -> list[tuple[str, str]]:
    """Return the keys and values of the JSON-LD node that describes a page."""
    return values_of(json_ld_of(document))


def values_of(node: Node) -> list[tuple[str, str]]:
    """Return a node's keys with their values; of a thing in it, such as the author, its name."""
    return list(islice(_flat(node, "", 3), 200))


def _flat(value: Any, key: str, depth: int) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict) and depth:
        for inner, one in value.items():
            if not inner.startswith("@"):
                yield from _flat(one, key if key and inner in {"name", "url"} else inner, depth - 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and key:
        yield key, str(value)[:2_000]


def slots_of(learn: Sequence[Place], prove: Sequence[Place], known: Sequence[Slot] = ()) -> list[Slot]:
    """Return the slots that are filled on most places, held out or not, and differ; in the order of a page.

    Those that are known count in any case.
    """
    chosen = {slot: _plain(slot, (*learn, *prove)) for slot in known}
    done: set[tuple[tuple[int | None, ...], str]] = set()
    for slot in sorted(_likely(learn), key=lambda slot: _rank(slot, learn)):
        key = tuple(place.first(slot.selector) for place in learn), slot.attribute
        if key in done or len(chosen) >= _MOST_SLOTS:
            continue
        plain = _plain(slot, (*learn, *prove))
        if _is_filled(slot, learn) and _is_filled(slot, prove) and len({*plain} - {None}) > 1:
            done.add(key)
            if not any(_is_same(plain, other) for other in chosen.values()):
                chosen[slot] = plain
    order = {slot: max(place.first(slot.selector) or 0 for place in learn) for slot in chosen}
    return sorted(chosen, key=lambda slot: (order[slot], slot.attribute))


def is_of_frame(slot: Slot, places: Sequence[Place]) -> bool:
    """Return whether a slot shows no content on most pages, leads around the site, or says the same on all."""
    pages = [place for place in places if not place.root]
    firsts = [(place.page, element) for place in pages if (element := place.first(slot.selector)) is not None]
    shown = [(page, element) for page, element in firsts if page.words_in(element)]
    outside = sum(not page.words_in(element) & (page.content | page.values) for page, element in shown)
    labels = {element_text(page.document, element) for page, element in firsts}
    is_pressed = slot.attribute == "href" and len(labels) == 1 < len(firsts)
    around = sum(_leads_around(page.document, element) for page, element in firsts)
    return is_pressed or 2 * max(outside, around) > len(firsts) > 0


def _leads_around(document: Document, element: int) -> bool:
    """Return whether an element stands in navigation: a link to the next page, or one to edit or to share it."""
    said = document.attributes[element].get("rel", "")
    for above in document.path(element)[-_NEAR:]:
        said += " ".join(["", document.tags[above], document.attributes[above].get("role", "")])
        said += " ".join(["", *document.classes[above]])
    return not _NAVIGATION.isdisjoint(_WORD.findall(said.lower()))


def _likely(places: Sequence[Place]) -> list[Slot]:
    """Return the slots that most places have once."""
    counts: Counter[Slot] = Counter()
    for place in places:
        of_place = Counter(
            Slot(selector, attribute)
            for element, attribute in _held(place)
            for selector in set(selectors_of(place.page.document, element, place.root))
        )
        if not place.root:
            of_place.update({Slot(_STATES, f"{_STATED}{key}") for key, _ in stated_in(place.page.document)})
        may_add = len(counts) < MOST_SELECTORS
        counts.update(slot for slot, count in of_place.items() if count == 1 and (may_add or slot in counts))
    return [slot for slot, count in counts.items() if count >= LEAST_FILLED * len(places)]


def _plain(slot: Slot, places: Sequence[Place]) -> list[str | None]:
    """Return the values of a slot for comparison."""
    return [value and letters(value) for value in map(slot.value, places)]


def _rank(slot: Slot, places: Sequence[Place]) -> tuple[int, int, bool, int, float, int, str]:
    """Return a slot's rank among those that may have its values: meaning first, then what is likely to last."""
    firsts = [(place.page, element) for place in places if (element := place.first(slot.selector)) is not None]
    meaning = round(sum(_meaning(page, element) for page, element in firsts) / max(1, len(firsts)))
    around = sum(not slot.attribute and element not in page.document.own_texts for page, element in firsts)
    changed = _CHANGED.search(slot.selector) is not None
    return -meaning, -len(firsts), changed, around, -quality(slot.selector), len(slot.selector), slot.selector


def _meaning(page: KindPage, element: int) -> int:
    """Return 2 for an element that says what its value is, 1 for main content, else 0."""
    tag, has_name = page.document.tags[element], "itemprop" in page.document.attributes[element]
    if tag == "img":
        return page.is_main[element]
    if tag in {"h1", "time"} or (has_name and tag != "meta"):
        return 2
    return has_name or bool(page.words_in(element) & page.main)


def _is_filled(slot: Slot, places: Sequence[Place]) -> bool:
    """Return whether a slot's selector matches one element on most places, and this has a value."""
    single = [place for place in places if slot.key or len(place.matched(slot.selector)) == 1]
    return sum(slot.value(place) is not None for place in single) >= LEAST_FILLED * len(places)


def _is_same(values: Sequence[str | None], others: Sequence[str | None]) -> bool:
    """Return whether values are nearly all those of another slot, where they are there at all."""
    known = [(one, other) for one, other in zip(values, others, strict=True) if one is not None]
    return sum(one == other for one, other in known) >= _SAME * len(known)


def _held(place: Place) -> Iterator[tuple[int, str]]:
    """Yield the elements below a root that may hold a value, with the attribute that holds it."""
    document, count = place.page.document, 0
    for element in range(place.root + 1, document.ends[place.root]):
        tag, attributes = document.tags[element], document.attributes[element]
        said = attributes.get("property", "")
        is_said = (
            "itemprop" in attributes or attributes.get("name") in _SAID or (said and not _SETTINGS.fullmatch(said))
        )
        is_other = tag == "meta" and not is_said
        if tag in NO_PAGE_TEXT or is_other or count >= _MOST_HELD:
            continue
        holding = [name for name in _VALUES.get(tag, ()) if attributes.get(name, "data:")[:5] != "data:"]
        if holding:
            yield element, holding[0]
        if element in document.own_texts and not (holding and tag == "time"):
            yield from ((above, "") for above in _alone_in(document, element, place.root))
        count += bool(holding) or element in document.own_texts


def _alone_in(document: Document, element: int, root: int) -> Iterator[int]:
    """Yield an element with text, and those around it that have no other child and no text of their own."""
    for _ in range(_MOST_AROUND):
        yield element
        element = document.parents[element]
        if element <= root or len(document.children[element]) > 1 or element in document.own_texts:
            return
