"""What a worker does for an extraction that is announced: the server's name looked up, TLS made ready."""

import asyncio
from typing import TYPE_CHECKING

from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.site.sources.http import HttpSource


class Preparation:
    """The source of pages for the page that was announced last."""

    def __init__(self) -> None:
        self._url: str | None = None
        self._source: HttpSource | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, url: str) -> None:
        """Prepare for an extraction of a page, in place of the one before; what is no web page is passed over."""
        from sitestencil.site.sources.http import HttpSource
        from sitestencil.urls import page_address

        self._drop()
        try:
            self._source = HttpSource(page_address(url))
        except SitestencilError:
            return
        self._url = url
        self._task = asyncio.get_running_loop().create_task(self._source.prepare())

    def take(self, url: str) -> "HttpSource | None":
        """Return the source for a page, if it is the one that was announced; it is the caller's then."""
        source = self._source if url == self._url else None
        if source is None:
            self._drop()
        self._url = self._source = self._task = None
        return source

    def _drop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._url = self._source = self._task = None
