"""Crawl pages of a site for detectors that need many: breadth first from the key page, within bounds."""

from collections import deque
from collections.abc import AsyncIterator, Iterator
from random import Random

from sitestencil.page.document import Document
from sitestencil.site.links import Link, all_site_links
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over
from sitestencil.urls import page_key

PAGES_AT_A_TIME = 4


async def crawl(loader: PageLoader, most_pages: int, most_loads: int, seed: int = 0) -> AsyncIterator[LoadedPage]:
    """Yield pages of the site: those that the key page links to, then those that these link to, and so on.

    The papers sample random pages of a site. A crawl comes close if it shuffles each page's links; otherwise the
    menu's first entries dominate. A fixed seed gives the same pages each time. The crawl obeys ``nofollow`` and
    robots.txt, loads at most four pages at a time, and shares the loader's timeout.

    Args:
        loader: loads pages of the key page's site.
        most_pages: the maximum number of pages.
        most_loads: the maximum number of loads, failed ones included.
        seed: decides the order of each page's links.
    """
    if most_pages < 1:
        return
    links = _LinksToFollow(loader, seed)
    pages = 0

    def wanted() -> int:
        return min(PAGES_AT_A_TIME, most_pages - pages)

    async for page in loader.load_ahead(links, wanted, most_loads, crawling=True):
        pages += 1
        yield page
        if pages >= most_pages:
            return
        with passing_over(page.url):
            document = loader.read(page)
            with loader.stopwatch.phase("candidates"):
                links.add(document)


class _LinksToFollow(Iterator[Link]):
    """The queue of links to follow, which grows as pages are read."""

    def __init__(self, loader: PageLoader, seed: int) -> None:
        key_page, self._loader = loader.key_page, loader
        self._random = Random(seed)  # noqa: S311 - a sample, no secret
        self._links: deque[Link] = deque()
        self._key_url = key_page.url
        self._seen = {page_key(key_page.url)}
        self.add(key_page)

    def add(self, document: Document) -> None:
        links = [
            link
            for link in all_site_links(document, key_url=self._key_url)
            if link.page not in self._seen and _may_be_followed(document, link.element)
        ]
        self._seen.update(link.page for link in links)
        # Shuffle all links first, so that a page's place does not depend on which others act.
        self._random.shuffle(links)
        self._links.extend(filter(self._loader.may_follow, links))

    def __next__(self) -> Link:
        if not self._links:
            raise StopIteration
        return self._links.popleft()


def _may_be_followed(document: Document, element: int) -> bool:
    return "nofollow" not in document.attributes[element].get("rel", "").lower().split()
