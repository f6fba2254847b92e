"""Find links that look like pages: the only ones to load where a request may act for the person.

With the person's cookies, in the person's browser, and on a private network a simple request may open a door or
move money. No list of bad words is complete, so an allow list decides. A link passes if its address resembles the
key page's, or consists of words that name pages, or is one title of several. It must be in a menu or a list, and
add no parameter. Redirects follow the same rules. A link can still act.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from urllib.parse import parse_qsl, unquote_plus

from sitestencil.page.document import Document, LinkLabel
from sitestencil.site.followable import ACTING_WORDS, CAMEL, STATIC, address_acts, folded, word_lists
from sitestencil.site.links import MOST_LINKS, Link, hyperlink_distance, site_links
from sitestencil.urls import directories, resolve, site_host

MOST = 40
_WORDS = word_lists("page_words.txt")
_NUMBERED, _LANGUAGES = _WORDS["numbered"], _WORDS["languages"]
_ORDERS = _WORDS["orders"] | ACTING_WORDS
_MENUS = frozenset("nav menu ul ol dl header footer aside".split())
_ROLES = frozenset("navigation menu menubar list tree tablist directory banner contentinfo complementary".split())
_FEWEST_WORDS_OF_A_TITLE = 4
_MOST_WORDS_OF_AN_ORDER = 4
_FEWEST_OF_A_FORM = 3
_FEWEST_PLACES = 2
_DEEPEST = 12
_LAST_DIGIT = 9
_DIRECTORY_PAGE = re.compile(r"(?:index|default)\.(?:[sx]?html?|php|aspx?)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d{1,12}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST_LABEL = 60
_LONGEST_PARTICLE = 1
_LONGEST_OF_AN_ORDER_IN_A_TITLE = 2  # on, an, up
# Languages without spaces.
_UNPARTED = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_UNPARTED_ORDER = re.compile("|".join(map(re.escape, sorted(filter(_UNPARTED.match, _ORDERS)))))
_LONGEST_UNPARTED_ORDER = 10
_SHORTEST_JOINED_ORDER = 4
_SWITCHES = ("on", "off")


def menu_links(document: Document, most: int = MOST) -> list[Link]:
    """Return the first links of a page that look like pages of its site.

    Example:
        >>> from sitestencil import parse
        >>> page = "<ul><li><a href='/about'>About</a><li><a href='/siren'>Siren</a></ul>"
        >>> [link.url for link in menu_links(parse(page, "https://site.example/"))]
        ['https://site.example/about']
    """
    references = dict(document.hyperlinks())
    links = [
        link for link in _links_without_order(document, references, most) if _is_in_menu(document, link.element)
    ]
    parted = _pages_with_places(document, references.values())
    looks_like_page = _LooksLikePage(document.url, [link.url for link in links], parted)
    return sorted((link for link in links if looks_like_page(link.url)), key=lambda link: link.element)[:most]


def near_links(document: Document, most: int = MOST) -> list[Link]:
    """Return the links to other pages that do not say that they act, those of the page's own directory first.

    They may act: a person chooses among them.

    Example:
        >>> from sitestencil import parse
        >>> page = "<a href='/'>Home</a><a href='/manual/pump'>Pump</a><a href='/logout'>Leave</a>"
        >>> [link.url for link in near_links(parse(page, "https://site.example/manual/valve"))]
        ['https://site.example/manual/pump', 'https://site.example/']
    """
    here = directories(document.url)

    def distance(link: Link) -> tuple[bool, int]:
        steps = hyperlink_distance(here, directories(link.url))
        return steps < 0, abs(steps)

    links = _links_without_order(document, dict(document.hyperlinks()), most)
    own = _parts(document.url)
    others = (link for link in links if own != (parts := _parts(link.url)) and not any(map(_orders, parts[0])))
    return sorted(others, key=distance)[:most]


def may_be_asked_again(key_url: str) -> bool:
    """Return whether the key page's own address looks like a page's, with nothing to compare it with."""
    _, parameters = _parts(key_url)
    numbered = all(name.lower() in _NUMBERED and _NUMBER.fullmatch(value) for name, value in parameters)
    path = key_url.partition("#")[0].partition("?")[0]
    return numbered and not _is_repeated(parameters) and not address_acts(key_url) and _LooksLikePage()(path)


def may_redirect(url: str, target: str, key_url: str) -> bool:
    """Return whether a redirect leads to another spelling of the same page, or to what looks like a page."""
    return _parts(url) == _parts(target) or _LooksLikePage(key_url, [url])(target)


def _pages_with_places(document: Document, references: Iterable[str]) -> set[str]:
    """Return the addresses of which the page links to several places, as a manual's contents do."""
    within = islice((reference for reference in references if "#" in reference[1:]), MOST_LINKS)
    urls = filter(None, (resolve(reference, document.base) for reference in within))
    key_host = site_host(document.url)
    places = {url.partition("#")[::2] for url in urls if site_host(url) == key_host}
    counts = Counter(url for url, place in places if place)
    return {url for url, count in counts.items() if count >= _FEWEST_PLACES}


def _links_without_order(document: Document, references: Mapping[int, str], most: int) -> Iterator[Link]:
    """Yield the links whose labels give no order."""
    for link in site_links(document, most=max(most, MOST_LINKS)):
        if not _label_orders(document.link_label(link.element, references[link.element])):
            yield link


def _is_in_menu(document: Document, element: int) -> bool:
    return any(
        document.tags[above] in _MENUS or document.attributes[above].get("role", "").strip().lower() in _ROLES
        for above in document.path(element)
    )


def _label_orders(label: LinkLabel) -> bool:
    names = (label.text, label.attributes.get("title") or "", label.attributes.get("aria-label") or "")
    return any(len(name) <= _LONGEST_LABEL and _orders(name) for name in names if name)


class _LooksLikePage:
    """Tell whether an address looks like a page's, by comparison with the key page's address and its links.

    A title, a file or a name in a collection may be an order. It needs company: the key page is one of the same
    directory, or several links are.
    """

    def __init__(self, key_url: str = "", links: Iterable[str] = (), parted: Iterable[str] = ()) -> None:
        self._parted = {tuple(_parts(url)[0]) for url in parted}
        self._segments, parameters = _parts(key_url)
        self._parameters = dict(parameters)
        self._file = unquote_plus(key_url.partition("#")[0].partition("?")[0].rpartition("/")[2])
        paths = [_parts(url)[0] for url in links]
        beginnings = list(_beginnings(self._segments))
        self._pages = {tuple(path) for path in (*paths, *beginnings)}
        self._forms = {*map(_form, beginnings), *_forms_of_several(paths)}

    def __call__(self, url: str) -> bool:
        segments, parameters = _parts(url)
        if len(segments) > _DEEPEST or any(";" in segment or _orders(segment) for segment in segments):
            return False
        if not self._has_known_parameters(segments, parameters):
            return False
        return self._is_static(segments) or all(map(self._names_page, _beginnings(segments)))

    def _has_known_parameters(self, segments: list[str], parameters: Sequence[tuple[str, str]]) -> bool:
        """Return whether all parameters are the key page's, with the same value or another page's number."""
        if parameters and (segments != self._segments or _is_repeated(parameters)):
            return False
        return all(
            self._parameters.get(name) == value or self._is_other_number(name, value) for name, value in parameters
        )

    def _is_other_number(self, name: str, value: str) -> bool:
        """Return whether a parameter's number may be another page's; a single digit may be a switch's position."""
        numbers = value, self._parameters.get(name, "")
        if name.lower() not in _NUMBERED or not all(map(_NUMBER.fullmatch, numbers)):
            return False
        return int(value) > _LAST_DIGIT or all(map(_LooksLikePage()._names_page, _beginnings(self._segments)))

    def _is_static(self, segments: list[str]) -> bool:
        """Return whether it is an HTML file like the key page, by its words or by links to several places in it."""
        name = segments[-1] if segments else ""
        if not (STATIC.search(self._file) and STATIC.search(name) and self._is_file_in_company(segments)):
            return False
        words = _words(name)
        if words == _words(self._file) or _is_of(name, "pages"):
            return True
        return tuple(segments) in self._parted and not any(map(_may_order, words))

    def _is_file_in_company(self, path: list[str]) -> bool:
        """Return whether a file stands below the key page, an index page, or has the form of several pages."""
        is_below = path[: len(self._segments)] == self._segments
        return _form(path) in self._forms or (is_below and bool(_DIRECTORY_PAGE.fullmatch(self._file)))

    def _names_page(self, path: list[str]) -> bool:
        """Return whether a path's last part is the key page's, or names a page by itself or by those above it."""
        *directory, name = path
        if path == self._segments[: len(path)]:
            return True
        if _NUMBER.fullmatch(name) and not _YEAR.fullmatch(name):
            return self._numbers_page(path)
        if _form(path) in self._forms and (_is_title(name) or _is_in_collection(path)):
            return True
        is_word = bool(_YEAR.fullmatch(name)) or _is_of(name, "pages")
        return (is_word and self._has_pages(directory)) or (not directory and name.lower() in _LANGUAGES)

    def _numbers_page(self, path: Sequence[str]) -> bool:
        """Return whether a path's last number is a record's, a date's, or another page's beside the key page's."""
        *_, above, number = "", *path
        if _is_of(above, "records") or _YEAR.fullmatch(above):
            return True
        is_alike = self._is_numbered_alike(path) and _is_of(above, "pages")
        return len(number) > 1 and (is_alike or bool(_NUMBER.fullmatch(above)))

    def _has_pages(self, directory: Sequence[str]) -> bool:
        """Return whether words below a directory name pages: it is a page itself, and no record with a number."""
        if len(directory) == 1 and (directory[0].lower() in _LANGUAGES or _YEAR.fullmatch(directory[0])):
            return True
        return not directory or (tuple(directory) in self._pages and not _NUMBER.fullmatch(directory[-1]))

    def _is_numbered_alike(self, path: Sequence[str]) -> bool:
        """Return whether the key page's address differs in a number only, up to a path's end."""
        key_segments = self._segments[: len(path)]
        return (
            key_segments[:-1] == path[:-1]
            and len(key_segments) == len(path)
            and bool(_NUMBER.fullmatch(key_segments[-1]))
        )


def _parts(url: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return an address's path segments, without a directory's index page, and its parameters."""
    path, _, query = url.partition("#")[0].partition("?")
    segments = [unquote_plus(part) for part in path.partition("://")[2].split("/")[1:] if part]
    if segments and _DIRECTORY_PAGE.fullmatch(segments[-1]):
        del segments[-1]
    return segments, parse_qsl(query.replace(";", "&"), keep_blank_values=True)


def _is_repeated(parameters: Sequence[tuple[str, str]]) -> bool:
    """Return whether a parameter is given twice: servers differ in which one counts."""
    return len(dict(parameters)) < len(parameters)


def _beginnings(path: Sequence[str]) -> Iterator[list[str]]:
    return (list(path[:end]) for end in range(1, min(len(path), _DEEPEST) + 1))


def _form(path: Sequence[str]) -> tuple[str, ...]:
    """Return a path's form: its directory, whatever its numbers, and the kind of its name."""
    *directory, name = path
    kind = "file" if STATIC.search(name) else "title" if _is_as_long_as_a_title(name) else "name"
    return (*("#" if _NUMBER.fullmatch(part) else part for part in directory), kind)


def _forms_of_several(paths: Iterable[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the forms that several names share."""
    named = {(_form(path), path[-1]) for whole in paths for path in _beginnings(whole)}
    counts = Counter(form for form, _ in named)
    return (form for form, count in counts.items() if count >= _FEWEST_OF_A_FORM)


def _words(name: str) -> list[str]:
    return _WORD.findall(folded(CAMEL.sub(" ", STATIC.sub("", name))))


def _orders(name: str) -> bool:
    """Return whether a name orders something: by any word if it is short, else by its first or last word."""
    words = _words(name)
    if "".join(words) in _ORDERS:
        return True
    if len(name) <= _LONGEST_UNPARTED_ORDER and _UNPARTED_ORDER.search(folded(name)):
        return True
    telling = words if len(words) <= _MOST_WORDS_OF_AN_ORDER else (words[0], words[-1])
    return not _ORDERS.isdisjoint(telling)


def _may_order(word: str) -> bool:
    """Return whether an order begins or ends a word that nothing parts, as in ``rebootnow`` and ``dooropen``."""
    cuts = range(_SHORTEST_JOINED_ORDER, len(word) + 1)
    return word.endswith(_SWITCHES) or any(word[:cut] in _ORDERS or word[-cut:] in _ORDERS for cut in cuts)


def _is_title(segment: str) -> bool:
    """Return whether it has the words of a title, and none but a particle that may order."""
    return _is_as_long_as_a_title(segment) and not any(
        word in _ORDERS for word in _words(segment) if len(word) > _LONGEST_OF_AN_ORDER_IN_A_TITLE
    )


def _is_as_long_as_a_title(segment: str) -> bool:
    return sum(len(word) > _LONGEST_PARTICLE for word in _words(segment)) >= _FEWEST_WORDS_OF_A_TITLE


def _is_of(segment: str, known: str) -> bool:
    words = _words(segment)
    return any(len(word) > _LONGEST_PARTICLE for word in words) and _WORDS[known].issuperset(words)


def _is_in_collection(path: Sequence[str]) -> bool:
    *_, above, name = "", *path
    return _is_of(above, "collections") and not any(map(_may_order, _words(name)))
