"""Find the slots of a kind: selectors that match one element on most pages, with values that differ.

A place is a page, or a row of a list in it: then its selectors match within the row alone.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from sitestencil.page.document import Document
from sitestencil.page.html_names import NO_PAGE_TEXT
from sitestencil.page.page_title import letters
from sitestencil.reading.reading import element_text
from sitestencil.records.labels import labels_in
from sitestencil.records.stated import OLD, stated_in, text_today
from sitestencil.rules.site_pages import KindPage
from sitestencil.selectors.candidates import MOST_SELECTORS, quality, selectors_of
from sitestencil.urls import resolve

ROW = ":scope"  # the selector of a row itself
LEAST_FILLED = 0.6  # of the places
_MOST_HELD = 1_500  # elements of a place that may be slots
_MOST_AROUND = 3
_LONGEST = 2_000  # characters of a value
_LABELLED = 0.9  # how likely a label is to last
_SAME = 0.9  # of the values of two slots that are one
_MOST_SLOTS = 60
_LEAST_MAIN = 40  # words of main content of which no column holds half
# The attributes that hold a value, by the elements that have them; elsewhere the text is the value.
_VALUES = {
    **dict.fromkeys(("img", "iframe", "video", "audio", "source"), ("data-src", "src")),
    "time": ("datetime",),
    "a": ("href",),
    "meta": ("content",),
    "data": ("value",),
}
_SAID = frozenset({"author", "date", "description", "keywords"})  # by a meta; others hold tokens and settings
_ADDRESSES = frozenset({"src", "data-src", "href", "og:image", "image", "url", "thumbnailUrl", "contentUrl"})
# Statements of the head about cards and applications.
_SETTINGS = re.compile(r"(?:twitter|fb|al):.*|og:(?!(?:title|description|image|price:\w+)$).*")
# Words of what leads around the site.
_NAVIGATION = frozenset({"nav", "navigation", "pagination", "prev", "next", "edit", "share"})
_WORD, _NEAR = re.compile("[a-z]+"), 5
_CHANGED = re.compile("modified|updated")
_STATED, _STATES = "ld:", 'script[type="application/ld+json"]'  # a key of JSON-LD as an attribute of its script
TRAIL = "trail"  # of links to a page, the last one's text
_MOST_IN_TRAIL = 60  # elements
_DOT = frozenset({"0", "1"})  # pixels
TRAILS = frozenset({"breadcrumb", "breadcrumbs", "crumb", "crumbs"})


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


class Slot(NamedTuple):
    """A column's place: the first match of a CSS selector, and the attribute with the value; empty for text.

    With a `label` the selector is the tag of its element, and `attribute` the way from there to the value
    (`labels.py`). Of a trail of links the value is the last one's text. For a value that the page states in JSON-LD
    alone, the attribute has the key.
    """

    selector: str
    attribute: str = ""
    label: str = ""

    @property
    def key(self) -> str:
        """The key of JSON-LD; empty for a place in the page."""
        return self.attribute.removeprefix(_STATED) if self.attribute.startswith(_STATED) else ""

    def matched(self, place: Place) -> list[int]:
        """Return the first two elements in a place that may hold the value."""
        if self.label:
            found = labels_in(place.page.document).values.get((self.selector, self.attribute, self.label), [])
            return [one.element for one in found[:2]]
        return place.matched(self.selector)

    def first(self, place: Place) -> int | None:
        """Return the element that holds the value; None without one."""
        return next(iter(self.matched(place)), None)

    def value(self, place: Place) -> str | None:
        """Return the value in a place, of an address the absolute one; None without one."""
        document, element = place.page.document, self.first(place)
        if element is None:
            return None
        attributes = document.attributes[element]
        if self.label:
            value = labels_in(document).values[self.selector, self.attribute, self.label][0].value
        elif self.attribute == TRAIL:
            ends = min(document.ends[element], element + _MOST_IN_TRAIL)
            links = [one for one in range(element, ends) if document.tags[one] == "a"]
            value = element_text(document, links[-1]) if len(links) > 1 else ""
        elif not self.attribute:
            value = text_today(document, element)
        else:
            value = (dict(stated_in(document)) if self.key else attributes).get(self.key or self.attribute, "")
        value = value.strip()[:_LONGEST]
        said = {self.attribute, attributes.get("property"), attributes.get("itemprop")}
        if value and self.attribute and not self.key and not said.isdisjoint(_ADDRESSES):
            value = resolve(value, document.base) or ""
        if not self.attribute or self.attribute == TRAIL:
            return value or None
        # An address of the page itself, or one that hands it on, tells nothing.
        page = document.url.partition("#")[0]
        return value if value.partition("#")[0] not in {"", page} and unquote(value).find(page) < 1 else None


def slots_of(
    learn: Sequence[Place], prove: Sequence[Place], known: Sequence[Slot] = ()
) -> tuple[list[Slot], list[Slot]]:
    """Return the slots that most places fill, held out or not, in a page's order; and those that do not differ.

    Those that are known count in any case.
    """
    chosen = {slot: _plain(slot, (*learn, *prove)) for slot in known}
    alike = dict[str, Slot]()
    done: set[tuple[tuple[int | None, ...], str, str]] = set()
    for slot in sorted(_likely(learn), key=lambda slot: _rank(slot, learn)):
        key = tuple(map(slot.first, learn)), slot.attribute, slot.label
        if key in done or len(chosen) >= _MOST_SLOTS:
            continue
        plain = _plain(slot, (*learn, *prove))
        values = {*plain} - {None}
        if not (_is_filled(slot, learn) and _is_filled(slot, prove)):
            continue
        done.add(key)
        if len(values) == 1:
            alike.setdefault(str(values.pop()), slot)
        elif not any(_is_same(plain, other) for other in chosen.values()):
            chosen[slot] = plain
    order = {slot: max(slot.first(place) or 0 for place in learn) for slot in chosen}
    unseen = {slot for slot in chosen if slot.key or slot.selector.startswith("meta")}
    return sorted(chosen, key=lambda slot: (slot in unseen, order[slot], slot.attribute)), [*alike.values()]


def first_picture(places: Sequence[Place]) -> Slot | None:
    """Return the slot of the first picture in the main content, of several; None if no selector has it first."""
    counts: Counter[str] = Counter()
    for page, _ in places:
        pictures = [one for one in page.document.tagged("img") if page.is_main[one]]
        firsts = selectors_of(page.document, pictures[0]) if pictures else ()
        counts.update({one for one in firsts if page.selected(one)[:1] == pictures[:1]})
    often = [one for one, count in counts.items() if count >= LEAST_FILLED * len(places)]
    best = max(often, key=lambda one: (counts[one], quality(one), -len(one), one), default="")
    return Slot(best, "src") if best else None


def is_of_frame(slot: Slot, places: Sequence[Place], *, is_named: bool = False) -> bool:
    """Return whether a slot leads around the site on most pages, says the same on all, or holds the main text.

    One without a sure name is also of the frame if it shows no content.
    """
    pages = [place for place in places if not place.root]
    firsts = [(place.page, element) for place in pages if (element := slot.first(place)) is not None]
    shown = [(page, element) for page, element in firsts if page.words_in(element)]
    outside = sum(not page.words_in(element) & (page.content | page.values) for page, element in shown)
    labels = {element_text(page.document, element) for page, element in firsts}
    is_pressed = slot.attribute == "href" and len(labels) == 1 < len(firsts)
    all_main = not slot.attribute and sum(
        2 * (page.words_in(element) & page.main).bit_count() > page.main.bit_count() > _LEAST_MAIN
        for page, element in firsts
    )
    is_outside = 2 * max(all_main, 0 if is_named else outside) > len(firsts) > 0
    return is_pressed or is_outside or (slot.attribute != TRAIL and leads_around(firsts))


def leads_around(firsts: Sequence[tuple[KindPage, int]], words: frozenset[str] = _NAVIGATION) -> bool:
    """Return whether most elements stand in navigation: a link to the next page, or one to edit or to share it."""
    around = 0
    for page, element in firsts:
        said = page.document.attributes[element].get("rel", "")
        for above in page.document.path(element)[-_NEAR:]:
            stated = page.document.attributes[above]
            said += " ".join(["", page.document.tags[above], stated.get("role", ""), stated.get("itemtype", "")])
            said += " ".join(["", *page.document.classes[above]])
        around += not words.isdisjoint(_WORD.findall(said.lower()))
    return 2 * around > len(firsts) > 0


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
            labelled = labels_in(place.page.document).values
            of_place.update({Slot(*key): len(found) for key, found in labelled.items()})
        may_add = len(counts) < MOST_SELECTORS
        once = (slot for slot, count in of_place.items() if count == 1 or slot.attribute == TRAIL)
        counts.update(slot for slot in once if may_add or slot in counts)
    return [slot for slot, count in counts.items() if count >= LEAST_FILLED * len(places)]


def _plain(slot: Slot, places: Sequence[Place]) -> list[str | None]:
    """Return the values of a slot for comparison."""
    return [value and letters(value) for value in map(slot.value, places)]


def _rank(slot: Slot, places: Sequence[Place]) -> tuple[int, int, bool, int, float, int, Slot]:
    """Return a slot's rank among those that may have its values: meaning first, then what is likely to last."""
    firsts = [(place.page, element) for place in places if (element := slot.first(place)) is not None]
    meaning = round(sum(_meaning(page, element) for page, element in firsts) / max(1, len(firsts)))
    around = sum(not slot.attribute and element not in page.document.own_texts for page, element in firsts)
    changed = _CHANGED.search(slot.selector) is not None
    lasting = _LABELLED if slot.label else quality(slot.selector)
    return -meaning, -len(firsts), changed, around, -lasting, len(slot.selector), slot


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
    may_repeat = slot.key or slot.attribute == TRAIL
    single = [place for place in places if may_repeat or len(slot.matched(place)) == 1]
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
        is_other |= tag == "iframe" and not place.page.is_main[element]
        is_other |= {attributes.get("width"), attributes.get("height")} <= _DOT  # it counts visits
        if tag in NO_PAGE_TEXT or is_other or count >= _MOST_HELD:
            continue
        if not place.root and _is_trail(document, element):
            yield element, TRAIL
        holding = [name for name in _VALUES.get(tag, ()) if attributes.get(name, "data:")[:5] != "data:"]
        if holding:
            yield element, holding[0]
        is_thing = "itemscope" in attributes or not document.runs(element)
        if "itemprop" in attributes and not holding and not is_thing and element not in document.own_texts:
            yield element, ""
        if element in document.own_texts and not (holding and tag == "time"):
            yield from ((above, "") for above in _alone_in(document, element, place.root))
        count += bool(holding) or element in document.own_texts


def _is_trail(document: Document, element: int) -> bool:
    """Return whether an element says that it is a trail of links, and none in it does."""

    def says_so(one: int) -> bool:
        ends = min(document.ends[one], one + _MOST_IN_TRAIL)
        is_said = not TRAILS.isdisjoint(_WORD.findall(" ".join(document.classes[one]).lower()))
        return is_said and document.tags[one:ends].count("a") > 1

    inner = range(element + 1, min(document.ends[element], element + _MOST_IN_TRAIL))
    return says_so(element) and not any(map(says_so, inner))


def _alone_in(document: Document, element: int, root: int) -> Iterator[int]:
    """Yield an element with text, and those around it without other children of today and text of their own."""
    for _ in range(_MOST_AROUND):
        yield element
        is_old, element = document.tags[element] in OLD, document.parents[element]
        if is_old or element <= root or element in document.own_texts:
            return
        if sum(document.tags[child] not in OLD for child in document.children[element]) > 1:
            return
