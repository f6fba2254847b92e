"""Which pages to load: the next is the one likeliest to be of the key page's kind, by what was loaded so far.

At first only the addresses tell. Each loaded page says how near it is, and what is said of it is expected of
addresses like its own; one that was not available speaks against them. Its links come to the key page's, and those
in one list with a link to the key page promise more. Where no page promises much, the site's front page is loaded
for its links; where none promises to be near, one of which little is known.
"""

from collections.abc import Iterator
from functools import cached_property
from zlib import crc32

from sitestencil.detectors.stencil.similarity import NEAR_FROM
from sitestencil.detectors.stencil.sketch import Sketch
from sitestencil.detectors.stencil.url_similarity import DIRECTORY_PAGE, Likeness, Place
from sitestencil.site.links import Link, site_links
from sitestencil.urls import directory, resolve, same_page

# Below this expected kinship the links of the loaded pages are looked at, too.
_PROMISING = 0.7
# Below this one the front page, which links to all parts of a site, is the better choice.
_FRONT_PAGE_BELOW = 0.62
_SECOND_HOP = 0.02
_TRUST_IN_LIKENESS = 6
_TRUST_IN_MISSES = 3
_BESIDE_KEY = 0.15
# What pages have been found to have whose addresses are not at all like the key page's.
_UNKNOWN = 0.58

ClassPath = tuple[str, ...]


class _Open:
    """A page that could be loaded, and what is expected of it: the mean of what is known, weighed by trust."""

    __slots__ = ("chance", "doubt", "hop", "link", "place", "trust", "value")

    def __init__(self, link: Link, hop: int, where: Place, likeness: float, bonus: float, chance: int) -> None:
        self.link = link
        self.hop = hop
        self.place = where
        self.value = likeness + bonus
        self.trust = 1.0
        self.doubt = max(0.0, _UNKNOWN - likeness)
        self.chance = chance

    def learn(self, kinship: float, likeness: float) -> None:
        trust = _TRUST_IN_LIKENESS * likeness**4
        self.trust += trust
        self.value += trust * kinship

    def learn_miss(self, likeness: float) -> None:
        self.trust += _TRUST_IN_MISSES * likeness**8

    def expected(self, *, exploring: bool = False) -> float:
        """Return the kinship to expect: by the address at first, by that of pages with like addresses later.

        Args:
            exploring: an unlike address is no reason to expect less than of any page.
        """
        value = self.value + self.doubt if exploring else self.value
        return value / self.trust - (_SECOND_HOP if self.hop else 0.0)


class Choice(Iterator[Link]):
    """The links to follow next; `learn` or `miss` tells what came of the last one, before the next is asked for.

    Args:
        key: the key page.
        draw: pages that promise as much are taken in an order that looks like chance, so that a menu's first
            entries are not favoured; another number is another order. Figures are means over several.
    """

    def __init__(self, key: Sketch, draw: int = 0) -> None:
        self._draw = draw
        self._sketch = key
        self._likeness = Likeness()
        self._key = self._likeness.place(key.url)
        self._open: dict[str, _Open] = {}
        self._key_page = same_page(key.url)
        self._used = {self._key_page.rstrip("/")}
        self._known: list[tuple[Place, float]] = []
        self._missed: list[Place] = []
        self._nearest = 0.0
        self._followed: set[tuple[str, str]] = set()
        self._unread: list[Sketch] = []
        self._add(key, 0)
        self._front: Link | None = self._front_page(key)

    def learn(self, page: Sketch, kinship: float) -> None:
        """Take in how near the key page a loaded page is; its links are followed when they are needed."""
        self._nearest = max(self._nearest, kinship)
        where = self._likeness.place(page.url)
        self._known.append((where, kinship))
        self._unread.append(page)
        for found in self._open.values():
            found.learn(kinship, self._likeness(where, found.place))

    def miss(self, link: Link) -> None:
        """Take in that a page could not be had, or is a copy of another: those with like addresses promise less."""
        where = self._likeness.place(link.url)
        self._missed.append(where)
        for found in self._open.values():
            found.learn_miss(self._likeness(where, found.place))

    def __next__(self) -> Link:
        best = self._best()
        if self._unread and (best is None or best.expected() < _PROMISING):
            for page in self._unread:
                self._add(page, 1)
            self._unread.clear()
            best = self._best()
        exploring = best is not None and best.expected() < NEAR_FROM * self._nearest
        if exploring:
            best = self._best(exploring=True)
        front = self._front if self._front and _page(self._front) not in self._used else None
        if front is not None and (best is None or best.expected(exploring=exploring) < _FRONT_PAGE_BELOW):
            self._front = None
            return self._take(front)
        if best is None:
            raise StopIteration
        return self._take(best.link)

    def _best(self, *, exploring: bool = False) -> "_Open | None":
        def rank(candidate: _Open) -> tuple[float, int]:
            return round(candidate.expected(exploring=exploring), 2), candidate.chance

        return max(self._open.values(), key=rank, default=None)

    def _take(self, link: Link) -> Link:
        page = _page(link)
        self._used.add(page)
        self._open.pop(page, None)
        return link

    def _add(self, source: Sketch, hop: int) -> None:
        links = site_links(source, self._followed)
        beside_key = self._lists_with_key(source) if hop and links else set()
        for link in links:
            page = _page(link)
            if page in self._open or page in self._used:
                continue
            where = self._likeness.place(link.url)
            beside = bool(beside_key) and _class_path(source, link.element) in beside_key
            bonus, chance = _BESIDE_KEY if beside else 0.0, crc32(page.encode(), self._draw)
            found = self._open[page] = _Open(link, hop, where, self._likeness(self._key, where), bonus, chance)
            for known, kinship in self._known:
                found.learn(kinship, self._likeness(known, where))
            for missed in self._missed:
                found.learn_miss(self._likeness(missed, where))

    @cached_property
    def _menus(self) -> set[ClassPath]:
        """The lists that the key page has, too: what stands there with it need not be of its kind."""
        return {_class_path(self._sketch, element) for element, _ in self._sketch.hyperlinks()}

    def _lists_with_key(self, page: Sketch) -> set[ClassPath]:
        """Return where a page links to the key page, apart from menus."""
        found = set()
        for element, reference in page.hyperlinks():
            url = resolve(reference, page.base)
            if url is not None and same_page(url) == self._key_page:
                found.add(_class_path(page, element))
        return found - self._menus

    def _front_page(self, key: Sketch) -> Link | None:
        """Return the topmost of the linked pages whose directory the key page is in; else the host's own."""
        inside = directory(key.url)
        above = [
            found.link
            for found in self._open.values()
            if found.link.url.partition("?")[0].endswith("/") or DIRECTORY_PAGE.search(found.link.url)
        ]
        above = [link for link in above if inside.startswith(directory(link.url))]
        if above:
            return min(above, key=lambda link: (len(directory(link.url)), link.element))
        url = resolve("/", key.url)
        return Link(0, url, same_page(url)) if url is not None else None


def _class_path(page: Sketch, element: int) -> ClassPath:
    """Return the kinds of an element and those around it."""
    kinds = []
    while element >= 0:
        kinds.append(page.kinds[element])
        element = page.parents[element]
    return tuple(kinds)


def _page(link: Link) -> str:
    return link.page.rstrip("/")
