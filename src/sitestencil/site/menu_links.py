"""Find links that look like pages: the only ones to load where a request may act for the person.

With the person's cookies, in the person's browser, and on a private network a simple request may open a door or
move money. No list of bad words is complete, so an allow list decides. A link passes if its address resembles the
key page's, or consists of words that name pages, or is a title. It must be in a menu or a list, and add no
parameter. A link can still act.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, unquote_plus

from sitestencil.page.document import Document, LinkLabel
from sitestencil.site.acting_words import folded
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link, site_links
from sitestencil.site.page_words import COLLECTIONS, LANGUAGES, NUMBERED, ORDERS, PAGE_WORDS, RECORDS

MOST = 40
_MENUS = frozenset("nav menu ul ol dl header footer aside".split())
_ROLES = frozenset("navigation menu menubar list tree tablist directory banner contentinfo complementary".split())
_FEWEST_WORDS_OF_A_TITLE = 4
_MOST_WORDS_OF_AN_ORDER = 4
_STATIC = re.compile(r"\.[sx]?html?$", re.IGNORECASE)
_DIRECTORY_PAGE = re.compile(r"(?:index|default)\.(?:[sx]?html?|php|aspx?)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NUMBER = re.compile(r"\d{1,12}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_LABEL = 60
_LONGEST_PARTICLE = 1
# Alone in the name of a file they act; in a title most are ordinary words.
_SIGNS = frozenset("an auf aus dfu ein no ok rst wps yes zu".split())
_LONGEST_OF_AN_ORDER_IN_A_TITLE = 2  # on, an, up
# Languages without spaces.
_UNPARTED = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_UNPARTED_ORDER = re.compile("|".join(map(re.escape, sorted(filter(_UNPARTED.match, ORDERS)))))
_LONGEST_UNPARTED_ORDER = 10
_SHORTEST_JOINED_ORDER = 4
_SWITCHES = ("on", "off")


def menu_links(document: Document) -> list[Link]:
    """Return the links of a page that look like pages of its site, at most `MOST`.

    Example:
        >>> from sitestencil import parse
        >>> page = "<ul><li><a href='/about'>About</a><li><a href='/siren'>Siren</a></ul>"
        >>> [link.url for link in menu_links(parse(page, "https://site.example/"))]
        ['https://site.example/about']
    """
    looks_like_page = _LooksLikePage(document.url)
    references = dict(document.hyperlinks())
    links = [
        link
        for link in site_links(document)
        if _is_in_menu(document, link.element)
        and looks_like_page(link.url)
        and not _label_orders(document.link_label(link.element, references[link.element]))
    ]
    return sorted(links, key=lambda link: link.element)[:MOST]


def may_be_asked_again(key_url: str) -> bool:
    """Return whether the key page's own address looks like a page's: it orders nothing and sets nothing."""
    segments, parameters = _parts(key_url)
    numbered = all(name.lower() in NUMBERED and _NUMBER.fullmatch(value) for name, value in parameters.items())
    return (
        not address_acts(key_url)
        and numbered
        and not any(";" in segment or _orders(segment) for segment in segments)
    )


def _is_in_menu(document: Document, element: int) -> bool:
    return any(
        document.tags[above] in _MENUS or document.attributes[above].get("role", "").strip().lower() in _ROLES
        for above in document.path(element)
    )


def _label_orders(label: LinkLabel) -> bool:
    names = (label.text, label.attributes.get("title") or "", label.attributes.get("aria-label") or "")
    return any(len(name) <= _LONGEST_LABEL and _orders(name) for name in names if name)


class _LooksLikePage:
    """Tell whether an address looks like a page's, by comparison with the key page's address."""

    def __init__(self, key_url: str) -> None:
        self._segments, self._parameters = _parts(key_url)
        self._file = key_url.partition("#")[0].partition("?")[0].rpartition("/")[2]

    def __call__(self, url: str) -> bool:
        segments, parameters = _parts(url)
        if any(";" in segment or _orders(segment) for segment in segments):
            return False
        if not self._has_known_parameters(segments, parameters):
            return False
        return self._is_static(segments) or all(self._names_page(segments, place) for place in range(len(segments)))

    def _has_known_parameters(self, segments: Sequence[str], parameters: Mapping[str, str]) -> bool:
        """Return whether all parameters are the key page's, with the same value or another page's number."""
        known = self._parameters
        if parameters and segments != self._segments:
            return False
        return all(
            known.get(name) == value or (name.lower() in NUMBERED and _are_numbers(value, known.get(name, "")))
            for name, value in parameters.items()
        )

    def _is_static(self, segments: Sequence[str]) -> bool:
        """Return whether it is an HTML file like the key page; a name with a number needs the same words."""
        if not (segments and _STATIC.search(self._file) and _STATIC.search(segments[-1])):
            return False
        name = segments[-1]
        if _words(name) == _words(unquote_plus(self._file)) or _is_of(name, PAGE_WORDS) or _is_title(name):
            return True
        words = _words(name)
        return not any(char.isdigit() for char in name) and not any(
            word in _SIGNS or _may_order(word) for word in words
        )

    def _names_page(self, segments: Sequence[str], place: int) -> bool:
        """Return whether a segment is the key page's, or names a page by itself or by the segment above it."""
        segment, above = segments[place], segments[place - 1] if place else ""
        if segments[: place + 1] == self._segments[: place + 1]:
            return True
        if _NUMBER.fullmatch(segment):
            known = RECORDS | PAGE_WORDS if self._is_numbered_alike(segments, place) else RECORDS
            return bool(_YEAR.fullmatch(segment) or _NUMBER.fullmatch(above) or _is_of(above, known))
        if place == 0 and segment.lower() in LANGUAGES:
            return True
        if _is_title(segment) or _is_of(segment, PAGE_WORDS):
            return True
        return _is_of(above, COLLECTIONS) and not any(map(_may_order, _words(segment)))

    def _is_numbered_alike(self, segments: Sequence[str], place: int) -> bool:
        """Return whether the key page's address differs in a number only, up to a place."""
        own = self._segments[: place + 1]
        return own[:-1] == segments[:place] and len(own) > place and bool(_NUMBER.fullmatch(own[-1]))


def _parts(url: str) -> tuple[list[str], dict[str, str]]:
    """Return an address's path segments, without a directory's index page, and its parameters."""
    path, _, query = url.partition("#")[0].partition("?")
    segments = [unquote_plus(part) for part in path.partition("://")[2].split("/")[1:] if part]
    if segments and _DIRECTORY_PAGE.fullmatch(segments[-1]):
        del segments[-1]
    return segments, dict(parse_qsl(query.replace(";", "&"), keep_blank_values=True))


def _words(name: str) -> list[str]:
    return _WORD.findall(folded(_CAMEL.sub(" ", _STATIC.sub("", name))))


def _orders(name: str) -> bool:
    """Return whether a name orders something: by any word if it is short, else by its first or last word."""
    words = _words(name)
    if "".join(words) in ORDERS:
        return True
    if len(name) <= _LONGEST_UNPARTED_ORDER and _UNPARTED_ORDER.search(folded(name)):
        return True
    telling = words if len(words) <= _MOST_WORDS_OF_AN_ORDER else (words[0], words[-1])
    return not ORDERS.isdisjoint(telling)


def _may_order(word: str) -> bool:
    """Return whether an order begins or ends a word that nothing parts, as in ``rebootnow`` and ``dooropen``."""
    cuts = range(_SHORTEST_JOINED_ORDER, len(word) + 1)
    return word.endswith(_SWITCHES) or any(word[:cut] in ORDERS or word[-cut:] in ORDERS for cut in cuts)


def _is_title(segment: str) -> bool:
    """Return whether it has the words of a title, and none but a particle that may order."""
    words = [word for word in _words(segment) if len(word) > _LONGEST_PARTICLE]
    long_words = (word for word in words if len(word) > _LONGEST_OF_AN_ORDER_IN_A_TITLE)
    return len(words) >= _FEWEST_WORDS_OF_A_TITLE and ORDERS.isdisjoint(long_words)


def _is_of(segment: str, known: frozenset[str]) -> bool:
    words = _words(segment)
    return any(len(word) > _LONGEST_PARTICLE for word in words) and known.issuperset(words)


def _are_numbers(value: str, other: str) -> bool:
    return bool(_NUMBER.fullmatch(value) and _NUMBER.fullmatch(other))
