"""Which pages to load: the next is the one likeliest to be of the key page's kind, by what was loaded so far.

At first only the addresses tell. Each loaded page says how near it is, and what is said of it is expected of
addresses like its own; its links come to the key page's. Where no page promises much, the site's front page is
loaded for its links.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from sitestencil.addresses import resolve, same_page
from sitestencil.document import Document
from sitestencil.links import Link, site_links

# Below this expected kinship the front page, which links to all parts of a site, is the better choice.
_FRONT_PAGE_BELOW = 0.62
_SECOND_HOP = 0.02
_TRUST_IN_LIKENESS = 6

_DIRECTORY_PAGE = re.compile(r"(index|default)\.\w+$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def segments(url: str) -> tuple[str, ...]:
    """Return the segments of an address' path, without the name of a directory's own page."""
    path = url.partition("#")[0].partition("?")[0].split("/", 3)[3:]
    found = [segment for segment in "".join(path).split("/") if segment]
    if found and _DIRECTORY_PAGE.match(found[-1]):
        found.pop()
    return tuple(found)


def likeness(key: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Return how alike two addresses are, 0 to 1: as many segments, of like shape, in the same directories."""
    if not key or not other:
        return 1.0 if key == other else 0.15
    directories = _common(key[:-1], other[:-1])
    last, theirs = key[-1], other[-1]
    if len(key) != len(other):
        found = 0.05 + 0.10 * directories / max(1, len(key) - 1)
        if len(other) == len(key) + 1 and other[: len(key)] == key:
            found += 0.1
        return found + (0.05 if ("." in last) == ("." in theirs) else 0.0)
    found = 0.30 + 0.20 * sum(map(_same_shape, key, other)) / len(key)
    found += 0.30 * (directories / (len(key) - 1) if len(key) > 1 else 0.5)
    found += 0.10 * min(1.0, _common(last, theirs) / 4)
    if not _same_shape(last, theirs) and last.rpartition(".")[2] != theirs.rpartition(".")[2]:
        found -= 0.1
    return found + 0.10 * (1 - abs(min(len(last), 40) - min(len(theirs), 40)) / 40)


def _common(a: tuple[str, ...] | str, b: tuple[str, ...] | str) -> int:
    count = 0
    for ours, theirs in zip(a, b, strict=False):
        if ours != theirs:
            break
        count += 1
    return count


def _same_shape(a: str, b: str) -> bool:
    return _shape(a) == _shape(b)


def _shape(segment: str) -> tuple[str, str]:
    """Return what a segment looks like: a number, a year or day, a short code, a name; and its extension."""
    stem, _, extension = segment.rpartition(".") if "." in segment else (segment, "", "")
    if _DIGITS.fullmatch(stem):
        return (f"date{len(stem)}" if len(stem) in {2, 4} else "number"), extension.lower()
    coded = _DIGITS.search(stem) and len(_DIGITS.sub("0", stem)) <= 3
    return ("code" if coded else "name"), extension.lower()


@dataclass(frozen=True, slots=True)
class _Open:
    """A page that could be loaded."""

    link: Link
    segments: tuple[str, ...]
    hop: int


class Choice(Iterator[Link]):
    """The links to follow next; `learn` tells what came of the last one, before the next is asked for."""

    def __init__(self, key: Document) -> None:
        self._key = segments(key.url)
        self._open: dict[str, _Open] = {}
        self._used = {_page(key.url)}
        self._known: list[tuple[tuple[str, ...], float]] = []
        self._add(key, 0)
        self._front: Link | None = self._front_page(key)

    def learn(self, page: Document, kinship: float) -> None:
        """Take in a loaded page's links and how near the key page it is."""
        self._known.append((segments(page.url), kinship))
        self._add(page, 1)

    def __next__(self) -> Link:
        best = max(self._open.values(), key=self._rank, default=None)
        front = self._front if self._front and _page(self._front.url) not in self._used else None
        if front is not None and (best is None or self.expected(best) < _FRONT_PAGE_BELOW):
            self._front = None
            return self._take(front)
        if best is None:
            raise StopIteration
        return self._take(best.link)

    def expected(self, candidate: _Open) -> float:
        """Return the kinship to expect: by the address at first, by that of pages with like addresses later."""
        value, total = likeness(self._key, candidate.segments), 1.0
        for known, kinship in self._known:
            trust = _TRUST_IN_LIKENESS * likeness(known, candidate.segments) ** 4
            total += trust
            value += trust * kinship
        return value / total - (_SECOND_HOP if candidate.hop else 0.0)

    def _rank(self, candidate: _Open) -> tuple[float, int]:
        # Draws are settled by what looks like chance, so that a menu's first entries are not favoured.
        return round(self.expected(candidate), 2), crc32(_page(candidate.link.url).encode())

    def _take(self, link: Link) -> Link:
        page = _page(link.url)
        self._used.add(page)
        self._open.pop(page, None)
        return link

    def _add(self, document: Document, hop: int) -> None:
        for link in site_links(document):
            page = _page(link.url)
            if page not in self._used and page not in self._open:
                self._open[page] = _Open(link, segments(link.url), hop)

    def _front_page(self, key: Document) -> Link | None:
        """Return the topmost of the linked pages whose directory the key page is in; else the host's own."""
        inside = _directory(key.url)
        above = [
            found.link
            for found in self._open.values()
            if found.link.url.partition("?")[0].endswith("/") or _DIRECTORY_PAGE.search(found.link.url)
        ]
        above = [link for link in above if inside.startswith(_directory(link.url))]
        if above:
            return min(above, key=lambda link: (len(_directory(link.url)), link.element))
        url = resolve("/", key.url)
        return Link(0, url, same_page(url)) if url is not None else None


def _directory(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rpartition("/")[0] + "/"


def _page(url: str) -> str:
    return same_page(url).rstrip("/")
