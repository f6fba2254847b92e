"""Pages that the extension loads: in the person's session, or rendered in a tab."""

from collections.abc import Sequence

from sitestencil.errors import InvalidAddress, MalformedSnapshot, PageUnavailable
from sitestencil.page.snapshot import Snapshot, document_from_snapshot
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources import Source
from sitestencil.urls import host, page_address, page_key
from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import decode
from sitestencil_host.worker.job import LoadedByTab, LoadFailed, Loads, PageAnswer

# Rendered pages need time to build.
SECONDS: dict[LoadedByTab, float] = {"session": 10.0, "rendered": 20.0}


class ExtensionSource(Source):
    """Loads pages of the key page's host through the extension.

    Args:
        key_url: the key page's address.
        way: of loading them.
        loads: asks the extension.
        chosen: the addresses that the person chose; None for all that look like pages.
    """

    loads_as_shown = True

    def __init__(self, key_url: str, way: LoadedByTab, loads: Loads, chosen: Sequence[str] | None = None) -> None:
        self.chosen = None if chosen is None else frozenset(map(page_key, chosen))
        self._host = host(page_address(key_url))
        self._way = way
        self._loads = loads

    async def may_act(self, key_url: str) -> bool:
        """The person's browser sends requests with the person's cookies."""
        return True

    async def load(self, link: Link) -> LoadedPage:
        """Ask for the page of a link.

        Raises:
            PageUnavailable: the extension could not load it, or it is of another host.
        """
        self._check_host(link.url)
        try:
            page = await self._loads.load(link.url, self._way, SECONDS[self._way])
            loaded = self._read(page, link.url)
        except (LoadFailed, HostError, MalformedSnapshot, InvalidAddress) as error:
            raise PageUnavailable(f"{link.url} could not be loaded by the extension: {error}") from None
        self._check_host(loaded.url)
        return loaded

    def _read(self, page: PageAnswer, requested: str) -> LoadedPage:
        if not 200 <= page.status < 300:
            raise LoadFailed(f"the server answered {page.status}")
        if page.content is not None:
            url = page_address(page.url or "")
            return LoadedPage(url, page.content, self._way, requested, page.status, page.charset)
        document = document_from_snapshot(decode(page.snapshot, Snapshot))
        return LoadedPage(document.url, document, self._way, requested, page.status)

    def _check_host(self, url: str) -> None:
        if host(url) != self._host:
            raise PageUnavailable(f"{url}: leads away from {self._host}.")
