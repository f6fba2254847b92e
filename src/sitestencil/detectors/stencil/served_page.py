"""Whether the source gives the page that is on the screen, or what it gives: a login form, a shell for scripts."""

import asyncio
from types import TracebackType
from typing import Self

from sitestencil.detectors.doubt import Doubt
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
_OF_A_PAGE = frozenset({"a", "input"})


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

    async def doubt(self, prepared: KeyPage) -> Doubt | None:
        """Return what is wrong where another page is given in place of the one on the screen; None where it is not.

        A page that is not given while others are is another one, too; so is a key page that came from the source
        itself, if it is a shell for scripts.
        """
        if not self._loader.may_differ:
            has_scripts = "script" in prepared.sketch.document.tags
            return Doubt.BUILT_BY_SCRIPTS if has_scripts and is_shell(prepared.sketch) else None
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


def doubt_of_another_page(prepared: KeyPage, served: Sketch) -> Doubt:
    """Return what a page says that is given in place of the key page: sign in first, or run my scripts."""
    if asks_for_password(served) and not asks_for_password(prepared.sketch):
        return Doubt.NEEDS_LOGIN
    if is_shell(served) and _text_length(served) < _text_length(prepared.sketch):
        return Doubt.BUILT_BY_SCRIPTS
    return Doubt.NOT_THE_SERVED_PAGE


def asks_for_password(sketch: Sketch) -> bool:
    """Return whether a page has a field for a password."""
    fields = (element for element, tag in enumerate(sketch.tags) if tag == "input")
    return any((sketch.attributes(field).get("type") or "").strip().lower() == "password" for field in fields)


def is_shell(sketch: Sketch) -> bool:
    """Return whether a page has next to no text, no link and no field, as one that scripts are to build."""
    has_any = not _OF_A_PAGE.isdisjoint(sketch.tags)
    return not has_any and _text_length(sketch) < _TEXT_OF_A_SHELL


def _text_length(sketch: Sketch) -> int:
    return sum(map(len, sketch.own_texts))


def _shared_text(prepared: KeyPage, served: Sketch) -> float:
    """Return the share of the key page's characters in texts that the other page has, too."""
    texts = {text for text in prepared.sketch.own_texts if text}
    total = sum(map(len, texts))
    return sum(map(len, texts.intersection(served.own_texts))) / total if total else 1.0
