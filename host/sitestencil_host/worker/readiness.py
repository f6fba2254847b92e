"""Imports a worker's modules before the first request, and signals when it can load pages."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from importlib import import_module

# First the memory, then the network, last the detector, which is needed when the first pages come.
_MEMORY = ("sitestencil.page.snapshot", "sitestencil.memory.store", "sitestencil_host.worker.remembering")
_NETWORK = ("sitestencil.site.sources.http",)
DETECTION = (
    "sitestencil.extraction",
    "sitestencil.detectors.stencil.detector",
    "sitestencil.content.main_content",
)
MODULES = (*_MEMORY, *_NETWORK, *DETECTION)


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
        await self._import(_MEMORY)
        await self._import(_NETWORK)
        self.for_network.set()
        await self._import(DETECTION)
        from sitestencil.content.model import shipped_content_model
        from sitestencil.detectors import load_detector

        load_detector()
        shipped_content_model()
        # None of this is ever garbage, so the collector may skip it.
        gc.freeze()

    async def _import(self, modules: tuple[str, ...]) -> None:
        await import_in_turns(modules, self._until_free)


async def import_in_turns(modules: tuple[str, ...], between: Callable[[], Awaitable[None]] | None = None) -> None:
    """Import modules with the garbage collector paused, and let other work run in between."""
    from sitestencil.page.gc_pause import collector_paused

    for module in modules:
        await asyncio.sleep(0)
        if between is not None:
            await between()
        with collector_paused():
            import_module(module)
