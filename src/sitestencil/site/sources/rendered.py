"""Render pages in a headless browser, which runs their scripts."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from threading import Event
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sitestencil.errors import InvalidAddress, MalformedSnapshot, PageUnavailable
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.headless_browser import start_browser, stop_browser
from sitestencil.site.sources.network import Resolver, server_of
from sitestencil.urls import site_host, without_user

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

PAGE_SECONDS = 10.0
_QUIET_SECONDS = 0.4
_MOST_BYTES = 20_000_000
# A browser that is silent for so long after a page's timeout hangs, and is stopped.
_SECONDS_BEYOND = 10.0
_WORLD = "sitestencil"
_EMPTY = "about:blank"
_CAPTURE = """(async () => {
  if (!location.protocol.startsWith("http")) return { isError: true };
  const { status } = await sitestencil.snapshot.settled(%d, %d);
  return { status, ...sitestencil.snapshot.pack(sitestencil.snapshot.take(document).snapshot, %d) };
})()"""
_Value = TypeVar("_Value")


class RenderedSource:
    """Load pages of one site in a browser, for sites whose pages are built by scripts.

    The browser is headless and has an empty profile. A page is captured once it has a link and is quiet for 0.4
    seconds, or at its timeout. The browser loads the page's files from any host.

    It needs selenium (the extra ``render``), and Chromium or Firefox with its driver. Nothing is downloaded.

    Args:
        key_url: the key page's address. Without it the first loaded page is the key page.
        browser: ``chromium`` or ``firefox``; by default the first one installed.
        page_seconds: the timeout for a page.

    Raises:
        PackageMissing: at opening, selenium is not installed.
        BrowserMissing: at opening, there is no browser, or it does not start.

    Example:
        >>> source = RenderedSource(browser="chromium")
        >>> template = extract("https://example.org/", source=source)  # doctest: +SKIP
    """

    loads_as_shown = True

    def __init__(
        self, key_url: str | None = None, *, browser: str | None = None, page_seconds: float = PAGE_SECONDS
    ) -> None:
        self._site = site_host(key_url) if key_url else None
        self._name = browser
        self._page_seconds = page_seconds
        self._thread = ThreadPoolExecutor(1, "rendering")
        self._ending = Event()
        self._browser: WebDriver | None = None

    async def may_act(self, key_url: str) -> bool:
        """Return whether the pages are on a private network; the browser's profile is empty."""
        server = server_of(key_url)
        return not await Resolver(server).is_public(server)

    async def load(self, link: Link) -> LoadedPage:
        """Load the page of a link, if it is of the key page's site; one page at a time.

        Raises:
            PageUnavailable: the page is unavailable, or leads to another site; the message tells why.
        """
        return await self._in_thread(lambda: self._load(without_user(link.url)))

    def _load(self, url: str) -> LoadedPage:
        from selenium.common.exceptions import WebDriverException
        from urllib3.exceptions import HTTPError

        self._check_site(url)
        if self._browser is None or self._ending.is_set():
            raise PageUnavailable(f"{url}: the browser is ended.")
        try:
            page = self._captured(self._browser, url)
        except HTTPError:
            self._quit(hangs=True)
            self._start()
            raise PageUnavailable(f"{url}: the page blocked the browser, which was restarted.") from None
        except (WebDriverException, MalformedSnapshot, InvalidAddress, ValueError) as error:
            told = (getattr(error, "msg", None) or str(error)).partition("\n")[0]
            raise PageUnavailable(f"{url} could not be rendered: {told}") from None
        if not 200 <= page.status < 300:
            raise PageUnavailable(f"{url}: the server answered {page.status}.", status=page.status)
        self._check_site(page.url)
        self._site = self._site or site_host(page.url)
        return page

    def _captured(self, browser: "WebDriver", url: str) -> LoadedPage:
        from selenium.common.exceptions import TimeoutException

        deadline = monotonic() + self._page_seconds
        browser.get(_EMPTY)
        browser.set_page_load_timeout(self._page_seconds)
        with suppress(TimeoutException):  # capture the page as far as it is
            browser.get(url)
        if browser.current_url == _EMPTY:
            raise PageUnavailable(f"{url}: no page came within {self._page_seconds:.0f} seconds.")
        captured = self._capture(browser, deadline)
        if "isError" in captured:
            raise PageUnavailable(f"{url} could not be loaded. Look whether a browser can reach it.", later=True)
        if "json" not in captured:
            raise PageUnavailable(f"{url}: the page is larger than {_MOST_BYTES:,} bytes.")
        document = document_from_snapshot(read_snapshot(json.loads(captured["json"])))
        return LoadedPage(document.url, document, "rendered", url, int(captured["status"]) or 200)

    def _capture(self, browser: "WebDriver", deadline: float) -> dict[str, Any]:
        """Return the status and the snapshot of the page once it is quiet."""
        from selenium.common.exceptions import WebDriverException

        while True:
            left = max(0.0, deadline - monotonic())
            try:
                return _evaluated(browser, _CAPTURE % (_QUIET_SECONDS * 1000, left * 1000, _MOST_BYTES))
            except WebDriverException:  # its scripts opened another page
                if monotonic() >= deadline or self._ending.is_set():
                    raise

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
        self._browser = start_browser(self._name, self._page_seconds + _SECONDS_BEYOND)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the browser, even if a page is still loading."""
        self._ending.set()
        await asyncio.shield(self._in_thread(self._quit))
        self._thread.shutdown(wait=False)

    def _quit(self, *, hangs: bool = False) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            stop_browser(browser, hangs=hangs)


def _evaluated(browser: "WebDriver", expression: str) -> dict[str, Any]:
    """Return the value of an expression after the capture script.

    In Chromium it runs in an isolated world, as the extension's scripts do: it shares the page's nodes, but no
    objects of its scripts. Firefox's driver has no such world.
    """
    from selenium.common.exceptions import WebDriverException

    script = f"{_capture_script()}\n{expression}"
    to_devtools = getattr(browser, "execute_cdp_cmd", None)
    if to_devtools is None:
        value: dict[str, Any] = browser.execute_async_script(
            f"const give = arguments[0];\n{_capture_script()}\n{expression}.then(give)"
        )
        return value
    frame = to_devtools("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
    world = to_devtools("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
    options = {"contextId": world["executionContextId"], "returnByValue": True, "awaitPromise": True}
    answer = to_devtools("Runtime.evaluate", {"expression": script, **options})
    if "exceptionDetails" in answer:
        raise WebDriverException(answer["exceptionDetails"].get("text", "the capture failed"))
    result: dict[str, Any] = answer["result"]["value"]
    return result


@lru_cache(1)
def _capture_script() -> str:
    """Return the extension's own scripts, as manifest/build.py joins them."""
    return files("sitestencil.site.sources").joinpath("capture.js").read_text("utf-8")
