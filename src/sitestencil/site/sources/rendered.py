"""Pages as a browser shows them when their scripts have run, in a browser without a window."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from threading import Event
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from sitestencil.errors import InvalidAddress, MalformedSnapshot, PageUnavailable
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.headless_browser import start_browser
from sitestencil.urls import site_host, without_user

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

PAGE_SECONDS = 10.0
_QUIET_SECONDS = 0.4
_POLL_SECONDS = 0.1
_LONGEST_SNAPSHOT = 20_000_000
_EMPTY = "about:blank"
# What changes when something comes into a page; a page without a link is still being built.
_PROGRESS = """
const all = document.getElementsByTagName("*").length;
const isBuilt = document.readyState !== "loading" && document.querySelector("a[href]") !== null;
return [isBuilt, all, document.documentElement?.textContent.length ?? 0];
"""
_STATUS = "return performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0;"
_Value = TypeVar("_Value")


class RenderedSource:
    """Loads pages of one site in a browser, which runs their scripts: for sites whose pages scripts build.

    The browser has an empty profile and no window. Each page is taken when nothing has come into it for 0.4 seconds
    and it holds a link, or when its time is over. What a page is drawn with, the browser loads from wherever the
    page has it. The browser is started when the source is opened and ended when it is closed, whatever happens.

    Needs selenium (the extra ``render``), and Chromium or Firefox with its driver, none of which is downloaded.

    Args:
        key_url: the key page's address. Without it the first page that is loaded is the key page.
        browser: ``chromium`` or ``firefox``; by default the first of them that is there.
        page_seconds: the time that a page may take.

    Raises:
        PackageMissing: when it is opened: selenium is not installed.
        BrowserMissing: when it is opened: there is no browser, or it does not start.

    Example:
        >>> source = RenderedSource(browser="chromium")
        >>> template = extract("https://example.org/", source=source)  # doctest: +SKIP
    """

    def __init__(
        self, key_url: str | None = None, *, browser: str | None = None, page_seconds: float = PAGE_SECONDS
    ) -> None:
        self._site = site_host(key_url) if key_url else None
        self._name = browser
        self._page_seconds = page_seconds
        self._thread = ThreadPoolExecutor(1, "rendering")
        self._ending = Event()
        self._browser: WebDriver | None = None

    @property
    def loads_as_shown(self) -> bool:
        """A browser loads the pages."""
        return True

    async def load(self, link: Link) -> LoadedPage:
        """Load the page that a link leads to, if it is of the key page's site; one after the other.

        Raises:
            PageUnavailable: it could not be had, or leads to another site; the text says why.
        """
        return await self._in_thread(lambda: self._load(without_user(link.url)))

    def _load(self, url: str) -> LoadedPage:
        from selenium.common.exceptions import WebDriverException

        self._check_site(url)
        if self._browser is None or self._ending.is_set():
            raise PageUnavailable(f"{url}: the browser is ended.")
        try:
            page = self._captured(self._browser, url)
        except (WebDriverException, MalformedSnapshot, InvalidAddress, ValueError) as error:
            told = (getattr(error, "msg", None) or str(error)).partition("\n")[0]
            raise PageUnavailable(f"{url} could not be rendered: {told}") from None
        if not 200 <= page.status < 300:
            raise PageUnavailable(f"{url}: the server answered {page.status}.")
        self._check_site(page.url)
        self._site = self._site or site_host(page.url)
        return page

    def _captured(self, browser: "WebDriver", url: str) -> LoadedPage:
        from selenium.common.exceptions import TimeoutException

        deadline = monotonic() + self._page_seconds
        browser.get(_EMPTY)
        browser.set_page_load_timeout(self._page_seconds)
        with suppress(TimeoutException):  # what is there by then is taken
            browser.get(url)
        if browser.current_url == _EMPTY:
            raise PageUnavailable(f"{url}: no page came within {self._page_seconds:.0f} seconds.")
        if not browser.execute_script("return location.protocol").startswith(
            "http"
        ):  # the browser's own error page
            raise PageUnavailable(f"{url} could not be loaded. Look whether a browser can reach it.")
        self._wait_until_settled(browser, deadline)
        status = int(browser.execute_script(_STATUS)) or 200
        snapshot = browser.execute_script(_SNAPSHOT)
        if len(snapshot) > _LONGEST_SNAPSHOT:
            raise PageUnavailable(f"{url}: the page is larger than {_LONGEST_SNAPSHOT:,} characters.")
        document = document_from_snapshot(read_snapshot(json.loads(snapshot)))
        return LoadedPage(document.url, document, "rendered", url, status)

    def _wait_until_settled(self, browser: "WebDriver", deadline: float) -> None:
        before, quiet_since = None, monotonic()
        while (now := monotonic()) < deadline and not self._ending.is_set():
            is_built, *progress = browser.execute_script(_PROGRESS)
            if progress != before or not is_built:
                before, quiet_since = progress, now
            elif now - quiet_since >= _QUIET_SECONDS:
                return
            sleep(_POLL_SECONDS)

    def _check_site(self, url: str) -> None:
        if self._site is not None and site_host(url) != self._site:
            raise PageUnavailable(f"{url}: leads away from {self._site}.")

    async def _in_thread(self, work: Callable[[], _Value]) -> _Value:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def __aenter__(self) -> Self:
        """Start the browser."""
        try:
            await self._in_thread(self._start)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    def _start(self) -> None:
        self._browser = start_browser(self._name)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the browser, also where a page is still being loaded."""
        self._ending.set()
        await asyncio.shield(self._in_thread(self._quit))
        self._thread.shutdown(wait=False)

    def _quit(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            with suppress(Exception):
                browser.quit()


_SNAPSHOT = files("sitestencil.site.sources").joinpath("rendered_snapshot.js").read_text("utf-8")
