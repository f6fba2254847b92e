"""Check whether the source serves the page on the screen, or a login form or a shell for scripts instead."""

import asyncio
from types import TracebackType
from typing import Self

from sitestencil.detectors.doubt import Doubt
from sitestencil.detectors.stencil.poor_pages import is_shell, text_length
from sitestencil.detectors.stencil.similarity import NEAR, KeyPage
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.sketch import Sketch
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader, passing_over

# Set by hand: news and counters change between two loads, and scripts add to a page, but not half of it.
_HALF_OF_TEXT = 0.5


class ServedPage:
    """The page that the source serves at the key page's address, loaded in the background once there is doubt.

    Args:
        loader: loads the page.
    """

    def __init__(self, loader: PageLoader) -> None:
        self._loader = loader
        self._load: asyncio.Task[LoadedPage | None] | None = None

    def ask(self) -> None:
        """Start the load, unless it has started."""
        if self._load is None:
            self._load = self._loader.load_key_page()

    async def doubt(self, prepared: KeyPage) -> Doubt | None:
        """Return the doubt if the source serves another page than the one on the screen; otherwise None.

        A refusal counts as another page if other pages load.
        """
        self.ask()
        if self._load is None:
            return None
        with self._loader.stopwatch.phase("fetch"):
            page = await self._load
        if page is None:
            is_refused = self._loader.pages_received > 0 and not self._loader.timed_out
            return Doubt.NOT_THE_SERVED_PAGE if is_refused else None
        with passing_over(page.url), self._loader.stopwatch.phase("mapping"), collector_paused():
            hosts = prepared.sketch.shadow_hosts
            served = page.sketch(scripting=self._loader.key_page.scripting, shadow_hosts=hosts)
            return doubt_of_another_page(prepared, served) if is_another_page(prepared, served) else None
        return None

    async def __aenter__(self) -> Self:
        """Return itself, before any load."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel the load."""
        if self._load is not None:
            self._load.cancel()
            await asyncio.gather(self._load, return_exceptions=True)


def is_another_page(prepared: KeyPage, served: Sketch) -> bool:
    """Return whether the served page is not the key page: neither tree nor texts are near."""
    if not len(served):
        return True
    return _shared_text(prepared, served) < _HALF_OF_TEXT and prepared.compare(served).similarity < NEAR


def doubt_of_another_page(prepared: KeyPage, served: Sketch) -> Doubt:
    """Return the doubt that a page served instead of the key page raises: a login, a shell, or another page."""
    if asks_for_password(served) and not asks_for_password(prepared.sketch):
        return Doubt.NEEDS_LOGIN
    if is_shell(served) and text_length(served) < text_length(prepared.sketch):
        return Doubt.BUILT_BY_SCRIPTS
    return Doubt.NOT_THE_SERVED_PAGE


def asks_for_password(sketch: Sketch) -> bool:
    """Return whether a page has a password field."""
    fields = (element for element, tag in enumerate(sketch.tags) if tag == "input")
    return any((sketch.attributes(field).get("type") or "").strip().lower() == "password" for field in fields)


def _shared_text(prepared: KeyPage, served: Sketch) -> float:
    """Return the share of the key page's text that the other page has too, in characters."""
    texts = {text for text in prepared.sketch.own_texts if text}
    total = sum(map(len, texts))
    return sum(map(len, texts.intersection(served.own_texts))) / total if total else 1.0
