"""Addresses without end: calendars, counters, and all combinations of a shop's filters.

Their pages tell them: of one form of address, several in a row bring nothing new.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from sitestencil.page.document import Document

_MOST_WITHOUT_NEWS = 5  # pages of one form of address, one after the other
_MOST_NUMBERS = 3  # new texts with numbers that are no news: a date, a count
_MOST_TITLES, _LONGEST_TITLE = 4, 60  # new texts that are no news with filters: the title, the items' number
_MOST_TEXTS = 1_000_000
_MOST_FILTERS = 100_000
_MOST_REPEATED = 2  # times that a part of a path may come back in it
_DEEPEST = 16
_WITH_DIGITS = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")


class Traps:
    """Keeps what the pages of a site brought so far."""

    def __init__(self) -> None:
        self._texts: set[int] = set()
        self._without_news: Counter[str] = Counter()
        self._filters: set[tuple[str, str]] = set()

    def reason(self, url: str) -> str:
        """Return why an address leads to nothing new; empty if it may."""
        base = self._filtered(url)
        if base and self._without_news[base] >= _MOST_WITHOUT_NEWS:
            return "several filters of one list"
        return "nothing new at such addresses" if self._without_news[form_of(url)] >= _MOST_WITHOUT_NEWS else ""

    def note(self, document: Document, unmet: Collection[str]) -> None:
        """Note what a page brings: texts, and addresses that are `unmet` before it."""
        url, base = document.url, self._filtered(document.url)
        texts = {run.text.strip() for run in document.texts}
        plain = {text: hash(_WITH_DIGITS.sub("", text).strip()) for text in texts}
        news = [text for text, known in plain.items() if known not in self._texts]
        numbers = sum(hash(text) not in self._texts for text in texts)
        parts = {*_parts(url)}
        is_list = all(parts <= {*_parts(one)} for one in unmet)
        is_list = is_list and len(news) <= _MOST_TITLES and max(map(len, news), default=0) <= _LONGEST_TITLE
        if len(self._texts) < _MOST_TEXTS:
            self._texts.update(plain.values(), map(hash, texts))
        if is_list and len(self._filters) < _MOST_FILTERS:
            self._filters.update((above, own[0]) for above, own in _parted(url) if len(own) == 1)
        if base:
            self._without_news[base] = self._without_news[base] + 1 if is_list else 0
        forms = {*map(form_of, unmet)}
        if news or numbers > _MOST_NUMBERS or "" in forms:
            self._without_news[form_of(url)] = 0
        elif (form := form_of(url)) and (forms or not numbers):  # other pages with new numbers have an end
            self._without_news[form] += 1

    def _filtered(self, url: str) -> str:
        """Return the address of a list of which an address has several filters; empty without any."""
        for base, parts in _parted(url):
            if len(parts) > 1 and all((base, part) in self._filters for part in parts):
                return f"{base}/"
        return ""


def is_endless(url: str) -> bool:
    """Return whether the parts of an address come back in it, or are too many."""
    parts = [part for part in url.partition("?")[0].split("/")[3:] if part]
    return len(parts) > _DEEPEST or max(Counter(parts).values(), default=0) > _MOST_REPEATED


def form_of(url: str) -> str:
    """Return the form of an address with numbers or a query; empty for one of words alone."""
    path, _, query = url.partition("#")[0].partition("?")
    parts = path.split("/")[3:]
    if not query and not any(map(_WITH_DIGITS.search, parts)):
        return ""
    names = "&".join(sorted({part.partition("=")[0] for part in query.split("&")}))
    return f"{'/'.join(_WITH_DIGITS.sub('#', part) for part in parts)}?{names}"


def _parts(url: str) -> list[str]:
    """Return the parts of an address's path, then those of its query, which have a sign before them."""
    path, _, query = url.partition("#")[0].partition("?")
    return [*filter(None, path.split("/")[3:]), *(f"?{one}" for one in query.split("&") if one)]


def _parted(url: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each address above one, and the parts that it has besides; a host alone has those of a query."""
    parts = _parts(url)[: 2 * _DEEPEST]
    folders = sum(not part.startswith("?") for part in parts)
    for end in range(min(1, folders), folders + 1):
        yield "/".join(parts[:end]), parts[end:]
