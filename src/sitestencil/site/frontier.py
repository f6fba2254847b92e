"""The addresses of a site that are still to be loaded, within bounds that no trap of endless addresses outgrows.

`crawl` is the short form for detectors that need many pages: breadth first from the key page.
"""

import re
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random

from sitestencil.page.document import Document
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link, all_site_links, page_in_site
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over
from sitestencil.site.menu_links import menu_links
from sitestencil.urls import origin, page_key, site_host, spelled_as

_MOST_WITHOUT_NEWS = 5  # pages of one form of address, one after the other
NO_PAGE = "does not look like a page"
OUTSIDE = "not below the given address"
_MOST_REPEATED = 2  # times that a part of a path may come back in it
_DEEPEST = 16
MOST_LEFT = 10_000  # reasons that are kept
_MOST_MET = 100_000  # addresses, and as many as may be loaded
_MOST_TEXTS = 1_000_000
_MOST_LINKS = 50_000  # of a page, as of a sitemap
_LONGEST = 2_048
_WITH_DIGITS = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")
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
        all_links: also follow links that do not look like pages where a request may act: on private networks, and
            with a person's cookies. Links that say that they act are never followed.
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
    """

    def __init__(self, start: str, extent: Extent, *, may_act: bool, refusal: Callable[[str], str | None]) -> None:
        self.left: dict[str, str] = {}
        self._start = start
        self._extent = extent
        self._may_act = may_act and not extent.all_links
        self._refusal = refusal
        path = start.partition("#")[0].partition("?")[0]
        self._below = f"{origin(start)}/" if extent.whole_host else _folder(path)
        self.queue: deque[tuple[str, int]] = deque()
        self._met = {page_in_site(start, start)}
        self.linked: set[str] = set()
        self.is_whole = True
        self.unnamed = 0
        self._texts: set[int] = set()
        self._without_news: Counter[str] = Counter()

    def next(self) -> tuple[str, int] | None:
        """Return the next address to load, with its depth; None if there is none."""
        while self.queue:
            url, depth = self.queue.popleft()
            form = _form(url)
            if form is not None and self._without_news[form] >= _MOST_WITHOUT_NEWS:
                self._leave(url, "nothing new at such addresses")
            elif reason := self._refusal(url):
                self._leave(url, reason)
            else:
                return url, depth
        return None

    def add(self, urls: Iterable[str], depth: int) -> None:
        """Add addresses that were not met yet, or note why they are left."""
        for written in urls:
            if site_host(written) != site_host(self._start):
                continue
            url = spelled_as(written, self._start).partition("#")[0]
            page = page_in_site(url, self._start)
            self._link(page)
            if page in self._met:
                continue
            if len(url) > _LONGEST or len(self._met) >= _MOST_MET + self._extent.most_loads:
                self._leave(url[:_LONGEST], "too many or too long addresses")
                continue
            self._met.add(page)
            reason = self._reason(url, depth)
            if reason is None:
                self.queue.append((url, depth))
                self.left.pop(url, None)
            else:
                self._leave(url, reason)

    def read(self, document: Document, depth: int) -> None:
        """Add the links of a page, and note whether it brings anything new."""
        links = self._links(document)
        self._note_news(document, links)
        self.add(links, depth + 1)

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
        if _is_nofollow(_robots(document)):
            return []
        allowed = {link.page for link in menu_links(document, _MOST_LINKS)} if self._may_act else None
        followed = []
        for link in links:
            reason = "may act" if link.acts else NO_PAGE if allowed is not None and link.page not in allowed else ""
            if reason and self._is_within(link.url) and link.page not in self._met:
                self._leave(link.url, reason)
            elif not reason and not _is_nofollow(document.attributes[link.element].get("rel", "")):
                followed.append(link.url)
        return followed

    def _note_news(self, document: Document, links: Iterable[str]) -> None:
        """Count pages of a form of address that bring neither texts nor links of another form."""
        texts = {hash(_WITH_DIGITS.sub("", run.text).strip()) for run in document.texts}
        is_new = not texts <= self._texts
        if len(self._texts) < _MOST_TEXTS:
            self._texts |= texts
        if (form := _form(document.url)) is None:
            return
        for url in links:
            is_new = is_new or (_form(url) is None and page_in_site(url, self._start) not in self._met)
        self._without_news[form] = 0 if is_new else self._without_news[form] + 1

    def _is_within(self, url: str) -> bool:
        return f"{url.partition('?')[0]}/".startswith(self._below)

    def _reason(self, url: str, depth: int) -> str | None:
        """Return why an address is left; None if it is not."""
        if not self._is_within(url):
            return OUTSIDE
        if reason := self._extent.unwanted(url):
            return reason
        if address_acts(url):
            return "may act"
        if self._extent.depth is not None and depth > self._extent.depth:
            return "too deep"
        return "endless addresses" if self._is_endless(url) else None

    def _is_endless(self, url: str) -> bool:
        parts = [part for part in url.partition("?")[0].split("/")[3:] if part]
        return len(parts) > _DEEPEST or max(Counter(parts).values(), default=0) > _MOST_REPEATED

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


def _form(url: str) -> str | None:
    """Return the form of an address with numbers or a query; None for one of words alone."""
    path, _, query = url.partition("#")[0].partition("?")
    parts = path.split("/")[3:]
    if not query and not any(map(_WITH_DIGITS.search, parts)):
        return None
    names = "&".join(sorted({part.partition("=")[0] for part in query.split("&")}))
    return f"{'/'.join(_WITH_DIGITS.sub('#', part) for part in parts)}?{names}"


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
