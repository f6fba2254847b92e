"""Which pages to load: those likeliest to be of the key page's kind, by what was loaded so far.

At first only the addresses tell. Each loaded page is compared: how similar it is, is then expected of pages with
addresses like its own; one that was not available speaks against them. Its links come to the key page's, and those
in one list with a link to the key page promise more. Where no page promises much, the site's front page is loaded
for its links; where none promises to be near, a page of which little is known. Several are loaded at a time, and
none of them can tell what another is worth: each that is taken lowers the promise of addresses like it.
"""

from collections.abc import Callable
from functools import cached_property
from zlib import crc32

from sitestencil.detectors.stencil.similarity import NEAR, SIMILAR_FROM
from sitestencil.detectors.stencil.url_similarity import DIRECTORY_PAGE, UrlShape, UrlSimilarity
from sitestencil.page.sketch import Sketch
from sitestencil.site.links import MOST_LINKS, Link, link_to, page_in_site, site_links
from sitestencil.site.passing_over import passing_over
from sitestencil.urls import directory, page_key, resolve

# All bounds and weights here were chosen together on the 46 labelled sites, by cross-validated F1 and loads
# (docs/errors.md). Below this expected similarity the links of the loaded pages are looked at, too.
_PROMISING = 0.7
# Below this one the front page, which links to all parts of a site, is the better choice.
_FRONT_PAGE_BELOW = 0.62
_SECOND_HOP = 0.02
_TRUST_IN_SIMILARITY = 6
# Of the first miss, the second, and each further one: a single dead link says little of the addresses like it.
# These and the hedge were chosen on 121 labelled pages.
_TRUST_IN_MISSES = 0.2, 1.5, 3.0
# Tried with and without on 121 labelled pages (docs/errors.md).
_ONE_OTHER_IN = 3
_HEDGE = 0.05
_BESIDE_KEY_PAGE = 0.15
# The mean similarity of pages whose addresses are not at all like the key page's.
_UNKNOWN = 0.58

ClassPath = tuple[str, ...]


class _OpenPage:
    """A page that could be loaded, and what is expected of it: the mean of what is known, weighed by trust."""

    __slots__ = ("chance", "doubt", "hedge", "hop", "link", "shape", "trust", "value")

    def __init__(
        self, link: Link, hop: int, shape: UrlShape, url_similarity: float, bonus: float, chance: int
    ) -> None:
        self.link = link
        self.hop = hop
        self.shape = shape
        self.value = url_similarity + bonus
        self.trust = 1.0
        self.doubt = max(0.0, _UNKNOWN - url_similarity)
        self.chance = chance
        self.hedge = 0.0

    def learn(self, similarity: float, url_similarity: float) -> None:
        trust = _TRUST_IN_SIMILARITY * url_similarity**4
        self.trust += trust
        self.value += trust * similarity

    def learn_miss(self, url_similarity: float, misses: int) -> None:
        self.trust += _TRUST_IN_MISSES[min(misses, len(_TRUST_IN_MISSES)) - 1] * url_similarity**8

    def expected(self, *, exploring: bool = False) -> float:
        """Return the similarity to expect: by the address at first, by that of pages with like addresses later.

        Args:
            exploring: an unlike address is no reason to expect less than of any page.
        """
        value = self.value + self.doubt if exploring else self.value
        return value / self.trust - (_SECOND_HOP if self.hop else 0.0) - self.hedge


class PageChoice:
    """Chooses the links to follow; `learn` or `miss` tells what came of each, before the next round is asked for.

    Args:
        key_sketch: the key page.
        draw: pages that promise the same are taken in an order that looks like chance, so that a menu's first
            entries are not favoured; another number is another order. Figures are means over several.
        may_follow: tells whether a link may be followed; by default all that do not act.
    """

    def __init__(
        self, key_sketch: Sketch, draw: int = 0, may_follow: Callable[[Link], bool] = lambda link: not link.acts
    ) -> None:
        self._draw = draw
        self._may_follow = may_follow
        self._key_sketch = key_sketch
        self._similarity = UrlSimilarity()
        self._key_shape = self._similarity.shape(key_sketch.url)
        self._open_pages: dict[str, _OpenPage] = {}
        self._key_page = page_key(key_sketch.url)
        self._used = {self._key_page.rstrip("/")}
        self._known: list[tuple[UrlShape, float]] = []
        self._missed: list[UrlShape] = []
        self._best_similarity = 0.0
        self._followed: set[tuple[str, str]] = set()
        self._unread: list[Sketch] = []
        self._taken_as_other: set[str] = set()
        self._add(key_sketch, 0)
        front = self._front_page(key_sketch)
        self._front = front if front and may_follow(front) else None

    def learn(self, sketch: Sketch, similarity: float) -> None:
        """Take in how similar a loaded page is to the key page; its links are followed when they are needed."""
        self._best_similarity = max(self._best_similarity, similarity)
        shape = self._similarity.shape(sketch.url)
        self._known.append((shape, similarity))
        self._unread.append(sketch)
        for page in self._open_pages.values():
            page.learn(similarity, self._similarity(shape, page.shape))

    def miss(self, link: Link) -> None:
        """Take in that a page could not be had, or is a copy of another: those with like addresses promise less."""
        shape = self._similarity.shape(link.url)
        self._missed.append(shape)
        for page in self._open_pages.values():
            page.learn_miss(self._similarity(shape, page.shape), len(self._missed))

    def next_round(self, size: int, pages: int, others: int) -> list[Link]:
        """Return the links to follow next, at most so many at the same time.

        Args:
            size: how many.
            pages: how many pages have been compared.
            others: how many of these are of other kinds than the key page.
        """
        links: list[Link] = []
        for number in range(pages + 1, pages + size + 1):
            other = others < (number - 1) // _ONE_OTHER_IN
            link = self.next(other=other)
            if link is None:
                break
            others += other
            links.append(link)
            if len(links) < size:
                self._hedge(self._similarity.shape(link.url))
        for page in self._open_pages.values():
            page.hedge = 0.0
        return links

    def _hedge(self, taken: UrlShape) -> None:
        """Make pages at addresses like one of the same round promise a little less: all may be of no use alike."""
        for page in self._open_pages.values():
            page.hedge += _HEDGE * self._similarity(taken, page.shape) ** 4

    def next(self, *, other: bool = False) -> Link | None:
        """Return the link that promises most; None where none is left.

        Args:
            other: a page of another kind is wanted, to tell what the site has everywhere from what this kind has.
        """
        if other and (link := self._other()) is not None:
            self._taken_as_other.add(link.page)
            return self._take(link)
        best = self._best()
        if self._unread and (best is None or best.expected() < _PROMISING):
            for sketch in self._unread:
                with passing_over(sketch.url):
                    self._add(sketch, 1)
            self._unread.clear()
            best = self._best()
        exploring = best is not None and best.expected() < max(NEAR, SIMILAR_FROM * self._best_similarity)
        if exploring:
            best = self._best(exploring=True)
        front = self._front if self._front and _page(self._front) not in self._used else None
        if front is not None and (best is None or best.expected(exploring=exploring) < _FRONT_PAGE_BELOW):
            self._front = None
            return self._take(front)
        return self._take(best.link) if best is not None else None

    def is_other(self, link: Link) -> bool:
        """Return whether a link was chosen because a page of another kind was wanted."""
        return link.page in self._taken_as_other

    def _other(self) -> Link | None:
        """Return the front page, or the linked page whose address is least like those of the pages known."""
        if self._front is not None and _page(self._front) not in self._used:
            front, self._front = self._front, None
            return front
        shapes = [self._key_shape, *(shape for shape, _ in self._known)]

        def rank(candidate: _OpenPage) -> tuple[float, int]:
            return round(max(self._similarity(shape, candidate.shape) for shape in shapes), 1), candidate.chance

        linked = [page for page in self._open_pages.values() if not page.hop]
        return min(linked, key=rank).link if linked else None

    def _best(self, *, exploring: bool = False) -> "_OpenPage | None":
        def rank(candidate: _OpenPage) -> tuple[float, int]:
            return round(candidate.expected(exploring=exploring), 2), candidate.chance

        return max(self._open_pages.values(), key=rank, default=None)

    def _take(self, link: Link) -> Link:
        page = _page(link)
        self._used.add(page)
        self._open_pages.pop(page, None)
        return link

    def _add(self, source: Sketch, hop: int) -> None:
        if self._is_full():
            return
        links = site_links(source, self._followed, key_url=self._key_sketch.url)
        beside_key_page = self._lists_with_key_page(source) if hop and links else set()
        for link in links:
            page = _page(link)
            if page in self._open_pages or page in self._used or not self._may_follow(link):
                continue
            if self._is_full():
                break
            shape = self._similarity.shape(link.url)
            beside = bool(beside_key_page) and _class_path(source, link.element) in beside_key_page
            bonus, chance = _BESIDE_KEY_PAGE if beside else 0.0, crc32(page.partition("/")[2].encode(), self._draw)
            opened = self._open_pages[page] = _OpenPage(
                link, hop, shape, self._similarity(self._key_shape, shape), bonus, chance
            )
            for known, similarity in self._known:
                opened.learn(similarity, self._similarity(known, shape))
            for count, missed in enumerate(self._missed, 1):
                opened.learn_miss(self._similarity(missed, shape), count)

    def _is_full(self) -> bool:
        """Return whether as many pages were opened as are looked at."""
        return len(self._open_pages) + len(self._used) > MOST_LINKS

    @cached_property
    def _menus(self) -> set[ClassPath]:
        """The lists that the key page has, too: what stands there with it need not be of its kind."""
        return {_class_path(self._key_sketch, element) for element, _ in self._key_sketch.hyperlinks()}

    def _lists_with_key_page(self, sketch: Sketch) -> set[ClassPath]:
        """Return shape a page links to the key page, apart from menus."""
        lists = set()
        for element, reference in sketch.hyperlinks():
            url = resolve(reference, sketch.base)
            if url is not None and page_in_site(url, self._key_sketch.url) == self._key_page:
                lists.add(_class_path(sketch, element))
        return lists - self._menus

    def _front_page(self, key_sketch: Sketch) -> Link | None:
        """Return the topmost of the linked pages whose directory the key page is in; else the host's own."""
        inside = directory(key_sketch.url)
        above = [
            page.link
            for page in self._open_pages.values()
            if page.link.url.partition("?")[0].endswith("/") or DIRECTORY_PAGE.search(page.link.url)
        ]
        above = [link for link in above if inside.startswith(directory(link.url))]
        if above:
            return min(above, key=lambda link: (len(directory(link.url)), link.element))
        url = resolve("/", key_sketch.url)
        return link_to(url) if url is not None else None


def _class_path(sketch: Sketch, element: int) -> ClassPath:
    """Return the kinds of an element and those around it."""
    kinds = []
    while element >= 0:
        kinds.append(sketch.kinds[element])
        element = sketch.parents[element]
    return tuple(kinds)


def _page(link: Link) -> str:
    return link.page.rstrip("/")
