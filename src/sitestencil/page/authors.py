"""Choose a page's authors among the names that its statements and its byline give."""

import re
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from sitestencil.page.lists import read_lists
from sitestencil.page.page_title import letters, title_alone
from sitestencil.page.short_texts import clean

_LISTS = read_lists(Path(__file__).with_name("byline_words.txt"))
_LONGEST_NAME = 500
_MOST_AUTHORS = 10
_PLACEHOLDERS = frozenset(_LISTS["placeholders"])
_NO_PERSON = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, _LISTS['organisations']))})(?!\w)|\w\.[a-z]{{2,4}}\b", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:the|der|die|das|le|la|les|el|los|las|il|lo|de|het)\s", re.IGNORECASE)
# Addresses and handles beside a name, and words such as "by" before it.
_BESIDE = re.compile(
    rf"\s*<[^<>]*>|\S+@\S+|\bmailto:\S*|(?<=\s)@\w+|^(?:{'|'.join(_LISTS['before names'])})\s", re.IGNORECASE
)


class SiteNames(NamedTuple):
    """The names of a site, as `letters`.

    Attributes:
        stated: those that it states, and those that its titles share.
        of_host: those that its address gives, which may be its author's.
        rights: what it says of its rights, where its publisher's name stands.
    """

    stated: Set[str]
    of_host: Set[str]
    rights: str


def chosen_authors(sources: Iterable[Sequence[str]], site: SiteNames) -> str | None:
    """Return the authors of the first source that names persons; else of the first that names others.

    >>> site = SiteNames({"ropes"}, {"annlee"}, "knotpress2024")
    >>> chosen_authors([["Ropes"], ["Knot Press"], ["By Jo Marsh <jo@ropes.example>"]], site)
    'Jo Marsh'
    >>> chosen_authors([["Ann Lee"]], site), chosen_authors([["Knot Press"], ["admin"]], site)
    ('Ann Lee', 'Knot Press')
    """
    others = list[str]()
    for names in sources:
        named = [name for said in names if (name := _name(said, site))]
        persons = [name for name in named if not _is_other(name, site)]
        if persons:
            return ", ".join(dict.fromkeys(persons[:_MOST_AUTHORS]))
        others = others or named
    return ", ".join(dict.fromkeys(others[:_MOST_AUTHORS])) or None


def _name(text: str, site: SiteNames) -> str:
    """Return an author's name; empty for an address, a placeholder, and the site."""
    name = clean(text[:_LONGEST_NAME])
    if "://" in name or name.startswith(("@", "www.")):
        return ""
    name = title_alone(_BESIDE.sub("", name).strip(" ,;"), site.stated | site.of_host)
    plain = letters(name)
    is_site = plain in site.stated or (plain in site.of_host and (" " not in name or _is_title(name)))
    is_placeholder = plain in _PLACEHOLDERS or "admin" in name.lower().split()
    return "" if is_site or is_placeholder or not any(map(str.isalpha, plain)) else name


def _is_title(name: str) -> bool:
    return _NO_PERSON.search(name) is not None or _ARTICLE.match(name) is not None


def _is_other(name: str, site: SiteNames) -> bool:
    plain = letters(name)
    return _NO_PERSON.search(name) is not None or plain in site.rights or plain in site.of_host
