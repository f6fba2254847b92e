"""A page source for tests: pages in a dictionary, and a record of what was asked for."""

from collections.abc import Mapping

from sitestencil.errors import PageUnavailable
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source


class MemorySource(Source):
    def __init__(self, pages: Mapping[str, str]) -> None:
        self.pages = dict(pages)
        self.asked: list[str] = []

    async def load(self, link: Link) -> LoadedPage:
        self.asked.append(link.url)
        if link.url not in self.pages:
            raise PageUnavailable(f"{link.url}: not in memory.")
        return LoadedPage(link.url, self.pages[link.url].encode(), "stored")
