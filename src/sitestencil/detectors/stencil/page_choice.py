"""Choose the pages to load: those most likely to resemble the key page, given the pages loaded so far.

At first only the addresses tell. Each loaded page is compared, and its similarity is then expected of pages with
similar addresses. A page that failed to load counts against them. The loaded pages' links join the key page's; a
link in the same list as a link to the key page is worth more. If no page looks promising, the site's front page is
loaded for its links. If none is likely to be near, a page of which little is known is loaded. A round loads several
pages, so none can tell the worth of another. Each chosen page lowers the value of pages with similar addresses.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from sitestencil.detectors.stencil.similarity import DIRECTORY_PAGE, NEAR, SIMILAR_FROM, UrlShape, UrlSimilarity
from sitestencil.page.sketch import Sketch
from sitestencil.site.links import MOST_LINKS, Link, link_to, page_in_site, site_links
from sitestencil.site.loading import passing_over
from sitestencil.urls import directory, page_key, resolve, site_host

# All bounds and weights here were chosen together on the 46 labelled sites, by cross-validated F1 and loads
# (research/docs/errors.md). Below this expected similarity, the links of the loaded pages are used too.
_PROMISING = 0.7
# Below this expected similarity, the front page is better: it links to all parts of a site.
_FRONT_PAGE_BELOW = 0.62
_SECOND_HOP = 0.02
_TRUST_IN_SIMILARITY = 6
# The weight of the first page that could not be compared, the second, and each further one: a single dead link
# says little about similar addresses.
# These and the hedge were chosen on 121 labelled pages.
_TRUST_IN_MISSES = 0.2, 1.5, 3.0
# Tried with and without on 121 labelled pages (research/docs/errors.md).
_ONE_OTHER_IN = 3
_HEDGE = 0.05
_BESIDE_KEY_PAGE = 0.15
# The mean similarity of pages whose addresses are unlike the key page's.
_UNKNOWN = 0.58

ClassPath = tuple[str, ...]


@dataclass(slots=True, eq=False)
class _OpenPage:
    """A page that could be loaded, and its expected similarity: the mean of the evidence, weighed by trust."""

    link: Link
    hop: int
    shape: UrlShape
    value: float
    doubt: float
    chance: int
    trust: float = 1.0
    hedge: float = 0.0

    def learn(self, similarity: float, url_similarity: float) -> None:
        trust = _TRUST_IN_SIMILARITY * url_similarity**4
        self.trust += trust
        self.value += trust * similarity

    def learn_miss(self, url_similarity: float, misses: int) -> None:
        self.trust += _TRUST_IN_MISSES[min(misses, len(_TRUST_IN_MISSES)) - 1] * url_similarity**8

    def expected(self, *, exploring: bool = False) -> float:
        """Return the expected similarity: first by the address, later by pages with similar addresses.

        Args:
            exploring: do not expect less of an unfamiliar address.
        """
        value = self.value + self.doubt if exploring else self.value
        return value / self.trust - (_SECOND_HOP if self.hop else 0.0) - self.hedge


class PageChoice:
    """Chooses the links to follow. Report each result by `learn` or `miss` before the next round.

    Args:
        key_sketch: the key page.
        draw: the seed for the order of equally good pages, which looks random so that a menu's first entries get
            no preference. Figures are means over several draws.
        may_follow: tells whether a link may be followed; by default every link that does not act.
        given_links: links to pages that the caller gave, whether a page links to them or not.
    """

    def __init__(
        self,
        key_sketch: Sketch,
        draw: int = 0,
        may_follow: Callable[[Link], bool] = lambda link: not link.acts,
        given_links: Iterable[Link] = (),
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
        for link in given_links:
            if site_host(link.url) == site_host(key_sketch.url):
                self._open(link, 1)
        front = self._front_page(key_sketch)
        self._front = front if front and may_follow(front) else None

    def learn(self, sketch: Sketch, similarity: float) -> None:
        """Record a loaded page's similarity to the key page; its links are used only if they are needed."""
        self._best_similarity = max(self._best_similarity, similarity)
        shape = self._similarity.shape(sketch.url)
        self._known.append((shape, similarity))
        self._unread.append(sketch)
        for page in self._open_pages.values():
            page.learn(similarity, self._similarity(shape, page.shape))

    def know(self, sketch: Sketch, similarity: float) -> None:
        """Record the similarity of a page that need not be loaded."""
        page = page_key(sketch.url).rstrip("/")
        self._used.add(page)
        self._open_pages.pop(page, None)
        self.learn(sketch, similarity)

    def miss(self, link: Link) -> None:
        """Record that a page failed to load, or is a copy: pages with similar addresses are then worth less."""
        shape = self._similarity.shape(link.url)
        self._missed.append(shape)
        for page in self._open_pages.values():
            page.learn_miss(self._similarity(shape, page.shape), len(self._missed))

    def next_round(self, size: int, pages: int, others: int) -> list[Link]:
        """Return the links to follow next; a round loads them together.

        Args:
            size: the largest number of links.
            pages: the number of pages compared so far.
            others: the number of those that are of another kind than the key page.
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
                # Pages with addresses similar to a chosen one may be as useless.
                taken = self._similarity.shape(link.url)
                for page in self._open_pages.values():
                    page.hedge += _HEDGE * self._similarity(taken, page.shape) ** 4
        for page in self._open_pages.values():
            page.hedge = 0.0
        return links

    def next(self, *, other: bool = False) -> Link | None:
        """Return the best link; None if none is left.

        Args:
            other: choose a page of another kind, which separates the site's parts from those of this kind.
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
        """Return whether a link was chosen as a page of another kind."""
        return link.page in self._taken_as_other

    def _other(self) -> Link | None:
        """Return the front page, or the linked page whose address is least similar to those known."""
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
            beside = bool(beside_key_page) and _class_path(source, link.element) in beside_key_page
            self._open(link, hop, _BESIDE_KEY_PAGE if beside else 0.0)

    def _open(self, link: Link, hop: int, bonus: float = 0.0) -> None:
        page = _page(link)
        if page in self._open_pages or page in self._used or not self._may_follow(link) or self._is_full():
            return
        shape = self._similarity.shape(link.url)
        chance = crc32(page.partition("/")[2].encode(), self._draw)
        similarity = self._similarity(self._key_shape, shape)
        doubt = max(0.0, _UNKNOWN - similarity)
        opened = self._open_pages[page] = _OpenPage(link, hop, shape, similarity + bonus, doubt, chance)
        for known, known_similarity in self._known:
            opened.learn(known_similarity, self._similarity(known, shape))
        for count, missed in enumerate(self._missed, 1):
            opened.learn_miss(self._similarity(missed, shape), count)

    def _is_full(self) -> bool:
        """Return whether the largest number of open pages is reached."""
        return len(self._open_pages) + len(self._used) > MOST_LINKS

    @cached_property
    def _menus(self) -> set[ClassPath]:
        """The lists that the key page has too: links in them need not lead to similar pages."""
        return {_class_path(self._key_sketch, element) for element, _ in self._key_sketch.hyperlinks()}

    def _lists_with_key_page(self, sketch: Sketch) -> set[ClassPath]:
        """Return the lists in which a page links to the key page, without menus."""
        lists = set()
        for element, reference in sketch.hyperlinks():
            url = resolve(reference, sketch.base)
            if url is not None and page_in_site(url, self._key_sketch.url) == self._key_page:
                lists.add(_class_path(sketch, element))
        return lists - self._menus

    def _front_page(self, key_sketch: Sketch) -> Link | None:
        """Return the topmost linked page whose directory holds the key page; otherwise the host's front page."""
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
    """Return the kinds of an element and its ancestors."""
    kinds = []
    while element >= 0:
        kinds.append(sketch.kinds[element])
        element = sketch.parents[element]
    return tuple(kinds)


def _page(link: Link) -> str:
    return link.page.rstrip("/")
