"""Read the element boxes of stored pages from a real browser, which reaches nothing but a proxy on localhost."""

import mimetypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

from sitestencil.errors import BrowserMissing, PackageMissing
from sitestencil.page.document import Box
from sitestencil.site.sources.stored import StoredSite
from sitestencil.urls import host, resolve

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_WIDTH = 1280
# Not the site's own name: browsers turn http into https for names on their preload list.
_STORED_HOST = "stored.test"
_FLAGS = (
    "headless=new disable-gpu hide-scrollbars force-color-profile=srgb no-first-run disable-background-networking "
    "disable-component-update disable-sync disable-extensions disable-dev-shm-usage proxy-bypass-list=<-loopback> "
    "lang=en"
).split()

# The extension's snapshot has the same format (host/PROTOCOL.md, `boxes`).
_BOXES = """
const root = document.documentElement, corner = root.getBoundingClientRect();
return Array.from(document.querySelectorAll("*"), (element) => {
  const box = element.getBoundingClientRect();
  return element === root
    ? [0, 0, root.scrollWidth, root.scrollHeight]
    : [box.left - corner.left, box.top - corner.top, box.width, box.height].map(Math.round);
});
"""


def rendered_boxes(site: StoredSite, addresses: Sequence[str]) -> Iterator[list[Box]]:
    """Yield the boxes of each page's elements in Chromium, scripts off, in a window 1,280 pixels wide.

    Resources that the stored site lacks, such as other hosts' style sheets, are missing in the browser too.

    Raises:
        BrowserMissing: Chromium, its driver or selenium is not installed.
    """
    with _proxy(site) as port, _browser(port) as browser:
        for address in addresses:
            browser.get(f"http://{_STORED_HOST}/{address.partition('://')[2].partition('/')[2]}")
            yield [Box(*box) for box in browser.execute_script(_BOXES)]


@contextmanager
def _proxy(site: StoredSite) -> Iterator[int]:
    """Serve a stored site, and yield the port; all other addresses get 404."""
    own = host(site.base_url)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = resolve(self.path.replace(f"//{_STORED_HOST}/", f"//{own}/", 1), self.path)
            file = site.file(address) if address is not None else None
            body, media_type = b"", "text/plain"
            if file is not None:
                body, media_type = file.read_bytes(), mimetypes.guess_type(file.name)[0] or "text/html"
            if media_type in {"text/html", "text/css"}:
                for scheme in ("https", "http"):
                    body = body.replace(f"{scheme}://{own}/".encode(), f"http://{_STORED_HOST}/".encode())
            self.send_response(404 if file is None else 200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):  # the browser hangs up when it goes on to the next page
                self.end_headers()
                self.wfile.write(body)

        def do_CONNECT(self) -> None:
            with suppress(ConnectionError):
                self.send_error(403, "Only stored pages are served")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


@contextmanager
def _browser(proxy_port: int) -> Iterator["Chrome"]:
    """Yield a browser that runs no page scripts and can reach only the proxy.

    Raises:
        PackageMissing: selenium is not installed.
        BrowserMissing: Chromium and its driver are not installed.
    """
    try:
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver import Chrome, ChromeOptions
    except ImportError:
        raise PackageMissing("Element boxes need selenium.", "render") from None
    options = ChromeOptions()
    for flag in (*_FLAGS, f"proxy-server=http://127.0.0.1:{proxy_port}", f"window-size={_WIDTH},900"):
        options.add_argument(f"--{flag}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    os.environ.setdefault("SE_OFFLINE", "true")  # else selenium downloads a driver and reports its use
    os.environ.setdefault("SE_AVOID_STATS", "true")
    try:
        browser = Chrome(options=options)
    except WebDriverException as error:
        raise BrowserMissing(
            f"Element boxes need Chromium or Chrome with its chromedriver, and it did not start: {error.msg}"
        ) from None
    try:
        browser.set_page_load_timeout(60)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        screen = {"width": _WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        yield browser
    finally:
        browser.quit()
