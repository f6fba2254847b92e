"""Which pages to load: the next is the one likeliest to be of the key page's kind, by what was loaded so far.

At first only the addresses tell. Each loaded page says how near it is, and what is said of it is expected of
addresses like its own; its links come to the key page's. Where no page promises much, the site's front page is
loaded for its links.
"""

import re
from collections.abc import Iterator
from zlib import crc32

from sitestencil.addresses import resolve, same_page
from sitestencil.document import Document
from sitestencil.links import Link, Linking, site_links
from sitestencil.stencil.likeness import Likeness, Place
from sitestencil.stencil.sketch import Sketch

# Below this expected kinship the links of the loaded pages are looked at, too.
_PROMISING = 0.7
# Below this one the front page, which links to all parts of a site, is the better choice.
_FRONT_PAGE_BELOW = 0.62
_SECOND_HOP = 0.02
_TRUST_IN_LIKENESS = 6
# A page that cannot be had says as much of those with like addresses as a third of one that can.
_TRUST_IN_ABSENCE = 2

_DIRECTORY_PAGE = re.compile(r"(index|default)\.\w+$", re.IGNORECASE)


class _Open:
    """A page that could be loaded, and what is expected of it: the mean of what is known, weighed by trust."""

    __slots__ = ("chance", "hop", "link", "place", "trust", "value")

    def __init__(self, link: Link, hop: int, likeness: float, where: Place) -> None:
        self.link = link
        self.hop = hop
        self.place = where
        self.value = likeness
        self.trust = 1.0
        # Draws are settled by what looks like chance, so that a menu's first entries are not favoured.
        self.chance = crc32(_page(link).encode())

    def learn(self, kinship: float, likeness: float, trust: float = _TRUST_IN_LIKENESS) -> None:
        weight = trust * likeness**4
        self.trust += weight
        self.value += weight * kinship

    def expected(self) -> float:
        """Return the kinship to expect: by the address at first, by that of pages with like addresses later."""
        return self.value / self.trust - (_SECOND_HOP if self.hop else 0.0)


class Choice(Iterator[Link]):
    """The links to follow next; `learn` or `miss` tells what came of the last one, before the next is asked for."""

    def __init__(self, key: Document) -> None:
        self._likeness = Likeness()
        self._key = self._likeness.place(key.url)
        self._open: dict[str, _Open] = {}
        self._used = {same_page(key.url).rstrip("/")}
        self._known: list[tuple[Place, float]] = []
        self._followed: set[tuple[str, str]] = set()
        self._unread: list[Sketch] = []
        self._add(key, 0)
        self._front: Link | None = self._front_page(key)

    def learn(self, page: Sketch, kinship: float) -> None:
        """Take in how near the key page a loaded page is; its links are followed when they are needed."""
        where = self._likeness.place(page.url)
        self._known.append((where, kinship))
        self._unread.append(page)
        for found in self._open.values():
            found.learn(kinship, self._likeness(where, found.place))

    def miss(self, link: Link) -> None:
        """Take in that a page could not be had, or is a copy of another: those with like addresses promise less."""
        where = self._likeness.place(link.url)
        for found in self._open.values():
            found.learn(0.0, self._likeness(where, found.place), _TRUST_IN_ABSENCE)

    def __next__(self) -> Link:
        best = self._best()
        if self._unread and (best is None or best.expected() < _PROMISING):
            for page in self._unread:
                self._add(page, 1)
            self._unread.clear()
            best = self._best()
        front = self._front if self._front and _page(self._front) not in self._used else None
        if front is not None and (best is None or best.expected() < _FRONT_PAGE_BELOW):
            self._front = None
            return self._take(front)
        if best is None:
            raise StopIteration
        return self._take(best.link)

    def _best(self) -> "_Open | None":
        return max(self._open.values(), key=_rank, default=None)

    def _take(self, link: Link) -> Link:
        page = _page(link)
        self._used.add(page)
        self._open.pop(page, None)
        return link

    def _add(self, source: Linking, hop: int) -> None:
        for link in site_links(source, self._followed):
            page = _page(link)
            if page in self._open or page in self._used:
                continue
            where = self._likeness.place(link.url)
            found = self._open[page] = _Open(link, hop, self._likeness(self._key, where), where)
            for known, kinship in self._known:
                found.learn(kinship, self._likeness(known, where))

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


def _rank(candidate: _Open) -> tuple[float, int]:
    return round(candidate.expected(), 2), candidate.chance


def _directory(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rpartition("/")[0] + "/"


def _page(link: Link) -> str:
    return link.page.rstrip("/")
