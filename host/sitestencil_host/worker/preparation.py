"""What a worker does for an extraction that is announced: it opens connections to the page's server."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.site.sources.http import HttpSource

# As many as the default detector loads pages at first.
CONNECTIONS = 4
# What was announced has come by then, or does not come.
SECONDS_KEPT = 5.0


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
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, url: str) -> None:
        """Prepare for an extraction of a page, in place of the one before; what is no web page is passed over.

        The site of a page that may be answered from memory is only looked up.
        """
        if url != self._url:
            self.drop()
            self._url = url
            self._task = self._begin(self._announced(url))

    def source_for(self, url: str) -> "HttpSource | None":
        """Return the source for a page, which is the caller's then, and whose connections are being opened.

        None where it is no web page.
        """
        source = self._source if url == self._url else None
        if source is not None:
            self._url = self._source = self._task = None
            return source
        self.drop()
        if (source := _source_for(url)) is not None:
            self._begin(source.prepare(CONNECTIONS))
        return source

    def drop(self) -> None:
        """Give up what was prepared, and close its connections."""
        if self._task is not None:
            self._task.cancel()
        if self._source is not None:
            self._begin(_close(self._source))
        self._url = self._source = self._task = None

    async def _announced(self, url: str) -> None:
        await self._can_load.wait()
        source = self._source = _source_for(url)
        if source is None:
            return
        from sitestencil_host.worker.remembering import is_remembered

        await source.prepare(0 if is_remembered(url) else CONNECTIONS)
        await asyncio.sleep(SECONDS_KEPT)
        if self._source is source:
            self._task = None
            self.drop()

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _source_for(url: str) -> "HttpSource | None":
    from sitestencil.site.sources.http import HttpSource
    from sitestencil.urls import page_address

    try:
        return HttpSource(page_address(url))
    except SitestencilError:
        return None


async def _close(source: "HttpSource") -> None:
    await source.__aexit__(None, None, None)
