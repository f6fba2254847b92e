"""A page source for tests: pages in a dictionary, and a record of what was asked for."""

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from sitestencil.errors import PageUnavailable
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage


class MemorySource:
    """Serves pages from memory."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self.pages = dict(pages)
        self.asked: list[str] = []

    async def load(self, link: Link) -> LoadedPage:
        self.asked.append(link.url)
        if link.url not in self.pages:
            raise PageUnavailable(f"{link.url}: not in memory.")
        return LoadedPage(link.url, self.pages[link.url].encode(), "stored")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
