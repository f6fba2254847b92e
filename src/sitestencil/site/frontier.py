"""The addresses of a site that are still to be loaded, within bounds that no trap of endless addresses outgrows.

`crawl` is the short form for detectors that need many pages: breadth first from the key page.
"""

import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Container, Iterable, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random

from sitestencil.page.document import Document
from sitestencil.site.followable import acting_word, address_acts
from sitestencil.site.links import Link, all_site_links, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over
from sitestencil.site.menu_links import menu_links
from sitestencil.site.other_links import MOST, feeds, other_links, pages_in_lists, states
from sitestencil.site.traps import Traps, is_endless
from sitestencil.urls import origin, page_key, site_host, spelled_as, without_session

ACTS = "may act"
NO_PAGE = "does not look like a page"
OUTSIDE = "not below the given address"
_NOT_FOLLOWED = "its links ask robots not to follow them"
MOST_LEFT = 10_000  # reasons that are kept
_MOST_MET = 100_000  # addresses, and as many as may be loaded
_MOST_LINKS = 50_000  # of a page, as of a sitemap
_LONGEST = 2_048
_FILE = re.compile(r"/[^/]*\.[a-zA-Z]{2,5}$")


@dataclass(frozen=True, slots=True)
class Extent:
    """Which pages of a site are wanted.

    Attributes:
        whole_host: also pages that are not below the given address.
        most_pages: the maximum number of pages.
        depth: the maximum number of links from the first page to a page; None for any.
        include: patterns, with ``*`` and ``?``; one must match an address, or its path with the query.
        exclude: patterns; none may match.
        all_links: on public hosts, also follow addresses that say that they act. Where a request may act (on
            private networks or with cookies): also links that do not look like pages, but none that say so.
    """

    whole_host: bool = False
    most_pages: int = 500
    depth: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    all_links: bool = False

    def unwanted(self, url: str) -> str | None:
        """Return why an address is not wanted by the patterns; None if it is."""
        names = url, url.removeprefix(origin(url))
        if self.include and not _matches(self.include, names):
            return "not included"
        return "excluded" if _matches(self.exclude, names) else None

    @property
    def most_loads(self) -> int:
        """The maximum number of addresses to ask for; some give no page."""
        return 4 * self.most_pages + 100


class Frontier:
    """The queue of addresses to load, first those with the fewest links from the first page.

    Args:
        start: the address of the first page, after redirects.
        extent: which pages are wanted.
        may_act: whether only links that look like pages (`site.menu_links`), and those that a sitemap lists, may be
            followed.
        refusal: why robots.txt forbids an address; None if it allows it.

    Attributes:
        left: the reason why an address is not loaded, for the first 10,000; `unnamed` counts the others.
        queue: the addresses that wait, each with its depth.
        linked: the pages that something leads to, whether they are loaded or not.
        is_whole: whether no bound hid a page that something leads to.
        feeds: the feeds that the first page names.
    """

    def __init__(self, start: str, extent: Extent, *, may_act: bool, refusal: Callable[[str], str | None]) -> None:
        self.left: dict[str, str] = {}
        self._start = start
        self._extent = extent
        self._may_act = may_act
        self.refusal = refusal
        path = start.partition("#")[0].partition("?")[0]
        self._below = _without_scheme(f"{origin(start)}/" if extent.whole_host else _folder(path))
        self.queue: deque[tuple[str, int]] = deque()
        self._met = {page_in_site(start, start)}
        self.linked: set[str] = set()
        self.is_whole = True
        self.unnamed = 0
        self._traps = Traps()
        self.feeds: list[str] = []

    def next(self) -> tuple[str, int] | None:
        """Return the next address to load, with its depth; None if there is none."""
        while self.queue:
            url, depth = self.queue.popleft()
            if reason := self._traps.reason(url) or self.refusal(url):
                self._leave(url, reason)
            else:
                return url, depth
        return None

    def add(self, urls: Iterable[str], depth: int, pages: Container[str] = ()) -> None:
        """Add addresses that were not met yet, or note why they are left; of `pages` no word says that they act."""
        for written in urls:
            if site_host(written) != site_host(self._start):
                continue
            url = without_session(spelled_as(written, self._start).partition("#")[0])
            page = page_in_site(url, self._start)
            self._link(page)
            if page in self._met and not (written in pages and self.left.get(url, "").startswith(f"{ACTS}: ")):
                continue
            if len(url) > _LONGEST or len(self._met) >= _MOST_MET + self._extent.most_loads:
                self._leave(url[:_LONGEST], "too many or too long addresses")
                continue
            self._met.add(page)
            self.left.pop(url, None)
            if reason := self._reason(url, depth, is_page=written in pages):
                self._leave(url, reason)
            else:
                self.queue.append((url, depth))

    def read(self, document: Document, depth: int) -> None:
        """Add the links of a page, and note whether it brings anything new."""
        if not depth:
            self.feeds = [url for url in feeds(document) if site_host(url) == site_host(self._start)]
        links = self._links(document)
        self._traps.note(document, [url for url in links if page_in_site(url, self._start) not in self._met])
        asks = not self._may_act and any(map(acting_word, links))
        self.add(links, depth + 1, pages_in_lists(document) if asks else ())

    def leave_rest(self) -> None:
        """Note that the addresses that wait are beyond the number of pages."""
        while self.queue:
            self._leave(self.queue.popleft()[0], f"more than {self._extent.most_pages} pages")

    def _link(self, page: str) -> None:
        self.is_whole = self.is_whole and len(self.linked) < _MOST_MET + self._extent.most_loads
        if self.is_whole:
            self.linked.add(page)

    def _links(self, document: Document) -> list[str]:
        links = all_site_links(document, key_url=self._start, most=_MOST_LINKS)
        if len(links) >= _MOST_LINKS:
            self.is_whole = False
            self._leave(f"{document.url}, its further links", f"more than {_MOST_LINKS:,} links")
        for link in links:
            self._link(link.page)
        allowed = {link.page for link in menu_links(document, _MOST_LINKS)} if self._may_act else None
        is_nofollow = _is_nofollow(_robots(document))
        followed = []
        for link in links:
            reason = self._not_followed(document, link, allowed) or (_NOT_FOLLOWED if is_nofollow else "")
            if reason and link.page not in self._met:
                self._leave(link.url, reason if self._is_within(link.url) else OUTSIDE)
            elif not reason:
                followed.append(link.url)
        others = other_links(document)
        if len(others) >= MOST:
            self._leave(f"{document.url}, its further frames", f"more than {MOST:,} frames")
        for url, language in others.items():
            if language and site_host(url) != site_host(self._start):
                self._leave(url, "the same in another language")
        for url in states(document):
            if site_host(url) == site_host(self._start) and self._is_within(url.partition("#")[0]):
                self._leave(url, "only a script shows it")
        if is_nofollow or (self._may_act and not self._extent.all_links):
            return followed
        return [*followed, *others]

    def _not_followed(self, document: Document, link: Link, allowed: Set[str] | None) -> str:
        """Return why a link is not followed; empty if it may be. Only `allowed` pages may, if they are given."""
        if allowed is not None and link.acts:
            return ACTS
        if allowed is not None and link.page not in allowed and not self._extent.all_links:
            return NO_PAGE
        return _NOT_FOLLOWED if _is_nofollow(document.attributes[link.element].get("rel", "")) else ""

    def _is_within(self, url: str) -> bool:
        return f"{_without_scheme(url.partition('?')[0])}/".startswith(self._below)

    def _reason(self, url: str, depth: int, *, is_page: bool) -> str:
        """Return why an address is left; empty if it is not."""
        if not self._is_within(url):
            return OUTSIDE
        if reason := self._extent.unwanted(url):
            return reason
        if self._may_act:
            if address_acts(url):
                return ACTS
        elif not (is_page or self._extent.all_links) and (word := acting_word(url)):
            return f"{ACTS}: {word}"
        if self._extent.depth is not None and depth > self._extent.depth:
            return "too deep"
        return "endless addresses" if is_endless(url) else ""

    def _leave(self, url: str, reason: str) -> None:
        if len(self.left) < MOST_LEFT:
            self.left.setdefault(url, reason)
        elif url not in self.left:
            self.unnamed += 1


def _folder(path: str) -> str:
    """Return an address up to its folder: that of a file, else itself with a slash."""
    if path.endswith("/") or not _FILE.search(path.partition("://")[2]):
        return f"{path.rstrip('/')}/"
    return path[: path.rfind("/") + 1]


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]


def _matches(patterns: Iterable[str], names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)


def _is_nofollow(words: str) -> bool:
    return "nofollow" in words.lower().replace(",", " ").split()


def _robots(document: Document) -> str:
    """Return what the page's ``meta`` elements tell robots."""
    return " ".join(
        document.attributes[element].get("content", "")
        for element in range(document.body or 0)
        if document.tags[element] == "meta" and document.attributes[element].get("name", "").lower() == "robots"
    )


PAGES_AT_A_TIME = 4


async def crawl(loader: PageLoader, most_pages: int, most_loads: int, seed: int = 0) -> AsyncIterator[LoadedPage]:
    """Yield pages of the site: those that the key page links to, then those that these link to, and so on.

    The papers sample random pages of a site. A crawl comes close if it shuffles each page's links; otherwise the
    menu's first entries dominate. A fixed seed gives the same pages each time. The crawl obeys ``nofollow`` and
    robots.txt, loads at most four pages at a time, and shares the loader's timeout. Failed loads count, too.
    """
    if most_pages < 1:
        return
    key_url, pages = loader.key_page.url, 0
    random, queue, seen = Random(seed), deque[Link](), {page_key(key_url)}  # noqa: S311 - a sample, no secret

    def add_links(document: Document) -> None:
        links = [
            link
            for link in all_site_links(document, key_url=key_url)
            if link.page not in seen
            and "nofollow" not in document.attributes[link.element].get("rel", "").lower().split()
        ]
        seen.update(link.page for link in links)
        # Shuffle all links first, so that a page's place does not depend on which others act.
        random.shuffle(links)
        queue.extend(filter(loader.may_follow, links))

    def next_link() -> Link | None:
        return queue.popleft() if queue else None

    def wanted() -> int:
        return min(PAGES_AT_A_TIME, most_pages - pages)

    add_links(loader.key_page)
    async for page in loader.load_ahead(next_link, wanted, most_loads, crawling=True):
        pages += 1
        yield page
        if pages >= most_pages:
            return
        with passing_over(page.url):
            document = loader.read(page)
            with loader.stopwatch.phase("candidates"):
                add_links(document)
