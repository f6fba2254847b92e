"""Whether the source gives the page that is on the screen, or another: a login form, a shell for scripts."""

import asyncio
from types import TracebackType
from typing import Self

from sitestencil.detectors.stencil.similarity import NEAR, KeyPage
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.sketch import Sketch
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.passing_over import passing_over

# Set by hand: news and counters change between two loads of a page, and scripts add to it, but not half of it.
_HALF_OF_TEXT = 0.5
# Set by hand: a shell says no more than that it loads, or needs scripts.
_TEXT_OF_A_SHELL = 200


class ServedPage:
    """What the source gives at the key page's address; asked for while other pages load, as soon as there is doubt.

    Args:
        loader: loads it.
    """

    def __init__(self, loader: PageLoader) -> None:
        self._loader = loader
        self._load: asyncio.Task[LoadedPage | None] | None = None

    def ask(self) -> None:
        """Begin to load it, unless that has begun."""
        if self._load is None:
            self._load = self._loader.load_key_page()

    async def is_another(self, prepared: KeyPage) -> bool:
        """Return whether another page is given in place of the one on the screen, or none while others are.

        A key page that came from the source itself is another one if it is a shell for scripts.
        """
        if not self._loader.may_differ:
            return is_shell(prepared)
        self.ask()
        if self._load is None:
            return False
        with self._loader.stopwatch.phase("fetch"):
            page = await self._load
        if page is None:
            return self._loader.pages_received > 0 and not self._loader.timed_out
        with passing_over(page.url), self._loader.stopwatch.phase("mapping"), collector_paused():
            hosts = prepared.sketch.shadow_hosts
            served = page.sketch(scripting=self._loader.key_page.scripting, shadow_hosts=hosts)
            return is_another_page(prepared, served)
        return False

    async def __aenter__(self) -> Self:
        """Return itself; nothing is loaded yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for it no longer."""
        if self._load is not None:
            self._load.cancel()
            await asyncio.gather(self._load, return_exceptions=True)


def is_another_page(prepared: KeyPage, served: Sketch) -> bool:
    """Return whether a page from the key page's address is not the key page: neither tree nor texts are near."""
    if not len(served):
        return True
    return _shared_text(prepared, served) < _HALF_OF_TEXT and prepared.compare(served).similarity < NEAR


def is_shell(prepared: KeyPage) -> bool:
    """Return whether a page has scripts, next to no text, and no link: scripts are to build it."""
    sketch = prepared.sketch
    has_scripts = "script" in sketch.document.tags
    return has_scripts and not sketch.links and sum(map(len, sketch.own_texts)) < _TEXT_OF_A_SHELL


def _shared_text(prepared: KeyPage, served: Sketch) -> float:
    """Return the share of the key page's characters in texts that the other page has, too."""
    texts = {text for text in prepared.sketch.own_texts if text}
    total = sum(map(len, texts))
    return sum(map(len, texts.intersection(served.own_texts))) / total if total else 1.0
