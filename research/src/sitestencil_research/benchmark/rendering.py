"""Read the element boxes of stored pages from a real browser."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitestencil.errors import BrowserMissing, PackageMissing
from sitestencil.page.document import Box
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.serving import serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_WIDTH = 1280
_FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--proxy-bypass-list=<-loopback>",
    "--lang=en",
)

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
    with serving() as proxy, _browser(proxy.port) as browser:
        proxy.show(site)
        for address in addresses:
            browser.get(proxy.address(site, address))
            yield [Box(*box) for box in browser.execute_script(_BOXES)]


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
    for flag in (*_FLAGS, f"--proxy-server=http://127.0.0.1:{proxy_port}", f"--window-size={_WIDTH},900"):
        options.add_argument(flag)
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
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": _WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        yield browser
    finally:
        browser.quit()
