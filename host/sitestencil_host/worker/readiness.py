"""Before a request: a worker's modules are imported, and connections to an announced page's server opened."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil.site.sources.http import HttpSource

# First the memory, then the network, last the detector, which is needed when the first pages come.
_MEMORY = ("sitestencil.page.snapshot", "sitestencil.memory.store", "sitestencil_host.worker.remembering")
_NETWORK = ("sitestencil.site.sources.http",)
DETECTION = ("sitestencil.extraction", "sitestencil.detectors.stencil.detector", "sitestencil.content.main_content")
MODULES = (*_MEMORY, *_NETWORK, *DETECTION)
# The default detector first loads so many pages.
CONNECTIONS = 4
# By then the announced request has come, or never will.
SECONDS_KEPT = 5.0


class Readiness:
    """Gets a worker ready step by step; requests in between go first.

    Attributes:
        for_network: is set once the network modules are imported.

    Args:
        until_free: waits until no request runs.
    """

    def __init__(self, until_free: Callable[[], Awaitable[None]]) -> None:
        self.for_network = asyncio.Event()
        self._until_free = until_free

    async def get_ready(self) -> None:
        """Import all modules for answers, and load the models of the default detector and of main content."""
        await import_in_turns((*_MEMORY, *_NETWORK), self._until_free)
        self.for_network.set()
        await import_in_turns(DETECTION, self._until_free)
        from sitestencil.content.model import shipped_content_model
        from sitestencil.detectors import load_detector

        load_detector()
        shipped_content_model()
        # None of this is ever garbage, so the collector may skip it.
        gc.freeze()


async def import_in_turns(modules: tuple[str, ...], between: Callable[[], Awaitable[None]] | None = None) -> None:
    """Import modules with the garbage collector paused, and let other work run in between."""
    from sitestencil.page.gc_pause import collector_paused

    for module in modules:
        await asyncio.sleep(0)
        if between is not None:
            await between()
        with collector_paused():
            import_module(module)


class Preparation:
    """The source of pages for the last announced page.

    Args:
        can_load: is set once the network modules are imported; a page from memory does not wait for them.
    """

    def __init__(self, can_load: asyncio.Event) -> None:
        self._can_load = can_load
        self._url: str | None = None
        self._source: HttpSource | None = None
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, url: str) -> None:
        """Prepare an extraction in place of the last one; ignore addresses of other schemes.

        For a page that memory may answer, this only resolves the site's name.
        """
        if url != self._url:
            self.drop()
            self._url = url
            self._task = self._begin(self._announced(url))

    def source_for(self, url: str, connections: int = CONNECTIONS) -> "HttpSource | None":
        """Return the source for a page, which the caller then owns; None if it is no web page.

        So many connections open, unless the page was announced.
        """
        source = self._source if url == self._url else None
        if source is not None:
            self._url = self._source = self._task = None
            return source
        self.drop()
        if (source := _source_for(url)) is not None:
            self._begin(source.prepare(connections))
        return source

    def drop(self) -> None:
        """Drop the preparation, and close its connections."""
        if self._task is not None:
            self._task.cancel()
        if self._source is not None:
            self._begin(self._source.__aexit__(None, None, None))
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
