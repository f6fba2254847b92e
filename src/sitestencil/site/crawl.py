"""Pages of a site for the detectors that need many: a bounded crawl from the key page, breadth first."""

from collections import deque
from collections.abc import AsyncIterator, Iterator
from random import Random

from sitestencil.page.document import Document
from sitestencil.site.links import Link, site_links
from sitestencil.site.loading import Page, Site
from sitestencil.urls import same_page

PAGES_AT_A_TIME = 4


async def crawl(site: Site, most_pages: int, most_loads: int, seed: int = 0) -> AsyncIterator[Page]:
    """Yield pages of the site beside the key page: those it links to, then those that these link to, and so on.

    The papers take random pages of a site; a crawl from one page comes close with the links of each page in
    random order, so that a sample is not the menu's first entries. A seed draws the order, so that the same site
    gives the same pages. Links that ask robots not to follow them are not followed; no more than four pages are
    asked for at a time; the time is the site's.

    Args:
        site: the key page's site.
        most_pages: end after so many pages.
        most_loads: end after so many loads, unavailable pages included.
        seed: decides the order of each page's links.
    """
    if most_pages < 1:
        return
    frontier = _Frontier(site.key, seed)
    found = 0

    def wanted() -> int:
        return min(PAGES_AT_A_TIME, most_pages - found)

    async for page in site.load(frontier, wanted, most_loads):
        found += 1
        yield page
        if found >= most_pages:
            return
        with site.stopwatch.phase("candidates"):
            frontier.add(page.document)


class _Frontier(Iterator[Link]):
    """The links to follow next; more come in as pages are read."""

    def __init__(self, key: Document, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - a sample, no secret
        self._links: deque[Link] = deque()
        self._seen = {same_page(key.url)}
        self.add(key)

    def add(self, document: Document) -> None:
        links = [
            link
            for link in site_links(document)
            if link.page not in self._seen and _may_be_followed(document, link.element)
        ]
        self._seen.update(link.page for link in links)
        self._random.shuffle(links)
        self._links.extend(links)

    def __next__(self) -> Link:
        if not self._links:
            raise StopIteration
        return self._links.popleft()


def _may_be_followed(document: Document, element: int) -> bool:
    return "nofollow" not in document.attributes[element].get("rel", "").lower().split()
