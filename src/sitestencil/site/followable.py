"""Decide which links may be followed: links to pages, never links that act or carry a secret.

Comparing must only read pages. But on many sites and devices a simple request deletes, buys, votes, signs out or
reboots. No test is certain, so skip a link if any of its words, its role or its address suggests an action.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote_plus

from sitestencil.page.document import LinkLabel
from sitestencil.page.lists import read_lists
from sitestencil.urls import cached_if_short

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "đ": "d"})


def folded(text: str) -> str:
    """Return a text in lower case without accents."""
    lower = text.casefold().translate(_LETTERS)
    if lower.isascii():
        return lower
    bare = "".join(char for char in unicodedata.normalize("NFD", lower) if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)


def word_lists(name: str) -> Mapping[str, frozenset[str]]:
    """Return the words of each list in a file beside this module, in lower case without accents."""
    lists = read_lists(Path(__file__).with_name(name))
    return {name: frozenset(map(folded, words)) for name, words in lists.items()}


_ACTING = word_lists("acting_words.txt")
_SURE, _VERBS, _NOUNS = _ACTING["sure"], _ACTING["verbs"], _ACTING["nouns"]
NO_PAGES = _ACTING["files"]  # the endings of their names
# Words that order something wherever they stand, for `site.menu_links`.
ACTING_WORDS = _SURE.union(_VERBS, _NOUNS, _ACTING["alone"], _ACTING["parameters"])

_MOST_WORDS = 4  # longer names are titles: how-to-delete-a-branch-in-git
_LONGEST_LABEL = 60
_LONGEST_WRITTEN_TOGETHER = 10
_PHRASE = re.compile("|".join(map(re.escape, _ACTING["phrases"])))
_WRITTEN_TOGETHER = re.compile("|".join(map(re.escape, _ACTING["written together"])))
_SPLIT = re.compile(r"[\W_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EXTENSION = re.compile(r"\.([a-z]{2,5})$", re.IGNORECASE)
STATIC = re.compile(r"\.[sx]?html?$", re.IGNORECASE)
_SHOWS = re.compile(rf"(?:{'|'.join(_ACTING['beginnings that show'])})[a-z_-]*|{'|'.join(_ACTING['showing'])}")
_SECRET_ENDS = tuple(_ACTING["ends of secrets"])
_RANDOM = re.compile(r"[A-Za-z0-9+=~]{20,}|eyJ[\w-]++\.[\w.-]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PAGE_ID = re.compile(r"[0-9a-f]{24}")  # the record number of a common database
_YEAR = re.compile(r"(?:19|20)\d\d")
_DIGITS = re.compile(r"\d+")
_FEWEST_DIGITS = 3
_FEWEST_NUMBERS = 2
_CODE = re.compile(r"_|::|\(\)")  # a name from a program's manual
_ACTING_SCRIPT = re.compile(r"confirm\s*\(|submit\s*\(|\bpost\s*\(", re.IGNORECASE)


def is_button(attributes: Mapping[str, str | None]) -> bool:
    """Return whether a link has a button's role, except to open a part of a menu."""
    role = (attributes.get("role") or "").strip().lower()
    return role in _ACTING["roles of buttons"] and _ACTING["attributes of menus"].isdisjoint(attributes)


def link_acts(url: str, label: LinkLabel) -> bool:
    """Return whether a link's words, absolute address or script suggest an action; a button acts, too."""
    _, _, place = url.partition("#")
    # The text of a link within a page names that place: "restart()" leads to a chapter of a manual.
    names = () if place else (label.text, *(label.attributes.get(name) or "" for name in ("title", "aria-label")))
    return address_acts(url) or _attributes_act(label.attributes) or any(map(_label_acts, names))


@cached_if_short
def address_acts(url: str) -> bool:
    """Return whether an address suggests an action, or seems to carry a secret."""
    path, _, query = url.partition("#")[0].partition("?")
    _, _, path = path.partition("://")
    segments, *path_parameters = path.partition("/")[2].split(";")
    if any(map(_segment_acts, segments.split("/"))):
        return True
    parameters = [*path_parameters, *re.split("[&;]", query)] if query or path_parameters else []
    return any(map(_parameter_acts, parameters))


@cached_if_short
def _segment_acts(segment: str) -> bool:
    if not segment:
        return False
    name = unquote_plus(segment)
    if STATIC.search(name):  # a file shows its content, whatever its name; only sure words count
        return _is_random(name) or _surely_acts(_words(STATIC.sub("", name)))
    return _is_random(name) or _name_acts(_EXTENSION.sub("", name))


def acting_word(url: str) -> str:
    """Return the part by which an address says that it acts, where anyone's crawler may ask; empty if none does.

    There a word alone names a page. An order needs something: a number beside it that is no date's, or a query.

    >>> paths = "sql/delete", "post/5/delete", "2024/05/delete", "delete?id=5", "cli/logout", "list?action=show"
    >>> [acting_word(f"https://site.example/{path}") for path in paths]
    ['', 'delete', '', 'delete', 'logout', '']
    """
    path, _, query = url.partition("#")[0].partition("?")
    names = [_EXTENSION.sub("", STATIC.sub("", unquote_plus(name))) for name in path.split("/")[3:] if name]
    is_dated = any(map(_YEAR.fullmatch, names))
    for at, name in enumerate(names):
        beside = (*names[max(0, at - 1) : at], *names[at + 1 : at + 2])
        has_number = not is_dated and any(map(str.isdigit, beside)) and _name_acts(name)
        if has_number or "".join(_words(name)) in _ACTING["sessions and carts"] or _orders_of(name, beside):
            return name
    if query and names and _orders(names[-1], has_number=any(map(str.isdigit, query))):
        return names[-1]
    parameters = (tuple(map(unquote_plus, one.partition("=")[::2])) for one in re.split("[&;]", query) if one)
    return next((name for name, value in parameters if _is_order(name, value)), "")


def _orders(name: str, *, has_number: bool) -> bool:
    return _name_acts(name) and (has_number or _words(name)[0] in _SURE | _VERBS)


def _orders_of(name: str, beside: Sequence[str]) -> bool:
    """Return whether a name puts something into a cart or basket, which stands beside it."""
    return _words(name)[:1] == ["add"] and any(_words(one)[-1:] and _words(one)[-1] in _NOUNS for one in beside)


def _is_order(name: str, value: str) -> bool:
    """Return whether a parameter gives an order, or has a secret."""
    words, plain = _words(name), folded(_SPLIT.sub("", name))
    if plain in _ACTING["commands"]:
        return _name_acts(value) or folded(value) in _ACTING["parameters"]
    if plain in _ACTING["secrets"] or plain.endswith(_SECRET_ENDS):
        return _is_random(value) or bool(_UUID.search(value))
    return _surely_acts(words) or (1 <= len(words) <= 3 and words[0] in _VERBS)


def _parameter_acts(parameter: str) -> bool:
    raw_name, given, raw_value = parameter.partition("=")
    name, value = unquote_plus(raw_name), unquote_plus(raw_value)
    plain = folded(_SPLIT.sub("", name))
    if given and (plain in _ACTING["secrets"] or plain.endswith(_SECRET_ENDS)):
        return True
    if plain in _ACTING["commands"] and not (value and _SHOWS.fullmatch(folded(value))):
        return True
    if plain in _ACTING["parameters"] or _UUID.search(value) or _is_random(value):
        return True
    words = _words(name)
    if _surely_acts(words) or (1 <= len(words) <= 3 and (words[0] in _VERBS or words[-1] in _NOUNS)):
        return True
    return any(map(_name_acts, value.split("/")))


def _attributes_act(attributes: Mapping[str, str | None]) -> bool:
    acts = not _ACTING["attributes that act"].isdisjoint(attributes)
    return acts or bool(_ACTING_SCRIPT.search(attributes.get("onclick") or ""))


def _label_acts(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and not _CODE.search(text) and _name_acts(text)


@cached_if_short
def _name_acts(name: str) -> bool:
    """Return whether a short name (part of an address, or a link's text) names an action."""
    words = _words(name)
    if _surely_acts(words):
        return True
    if not 1 <= len(words) <= 3:
        return False
    if words[-1] in _NOUNS or (len(words) <= 2 and words[0] in _VERBS):
        return True
    together = "".join(words)
    return together in _VERBS or together in _ACTING["alone"]


def _surely_acts(words: Sequence[str]) -> bool:
    if not 1 <= len(words) <= _MOST_WORDS:
        return False
    if not _SURE.isdisjoint(words) or "".join(words) in _SURE:
        return True
    together = " ".join(words)
    if _PHRASE.search(together):
        return True
    return len(together) <= _LONGEST_WRITTEN_TOGETHER and bool(_WRITTEN_TOGETHER.search(together))


def _words(name: str) -> list[str]:
    spaced = folded(CAMEL.sub(" ", name))
    return [word for word in _SPLIT.split(spaced) if word and not word.isdigit()]


def _is_random(value: str) -> bool:
    """Return whether a value is long and mixed, as only secrets and generated names are."""
    for part in _RANDOM.findall(value):
        numbers = _DIGITS.findall(part)
        if len(numbers) >= _FEWEST_NUMBERS and sum(map(len, numbers)) >= _FEWEST_DIGITS:
            return not _PAGE_ID.fullmatch(part)
    return False
