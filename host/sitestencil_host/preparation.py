"""What a worker does for an extraction that is announced: the server's name looked up, TLS made ready."""

import asyncio
from typing import TYPE_CHECKING

from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.site.sources.http import HttpSource


class Preparation:
    """The source of pages for the page that was announced last.

    Args:
        can_load: is set when what loads pages has been imported: a page from memory is not to wait for that.
    """

    def __init__(self, can_load: asyncio.Event) -> None:
        self._can_load = can_load
        self._url: str | None = None
        self._source: HttpSource | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, url: str) -> None:
        """Prepare for an extraction of a page, in place of the one before; what is no web page is passed over."""
        self._drop()
        self._url = url
        self._task = asyncio.get_running_loop().create_task(self._prepare(url))

    def take(self, url: str) -> "HttpSource | None":
        """Return the source for a page, if it is the one that was announced; it is the caller's then."""
        source = self._source if url == self._url else None
        if source is None:
            self._drop()
        self._url = self._source = self._task = None
        return source

    async def _prepare(self, url: str) -> None:
        await self._can_load.wait()
        from sitestencil.site.sources.http import HttpSource
        from sitestencil.urls import page_address

        try:
            self._source = HttpSource(page_address(url))
        except SitestencilError:
            return
        await self._source.prepare()

    def _drop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._url = self._source = self._task = None
