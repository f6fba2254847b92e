"""Take pictures of the key pages in a real browser; colours show where an answer is right, wrong or misses."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.errors import BrowserMissing, PackageMissing, SitestencilError
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.report.serving import StoredSiteProxy, serving
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labels

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WIDTH = 1280
MOST_HEIGHT = 2400
_PAGE_SCALE = 0.6
_PAINT_SCALE = 0.25
_QUALITY = 55
COLOURS: Mapping[str, str] = {"R": "#5b9bd5", "M": "#f5a300", "W": "#d7301f"}
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


@dataclass(frozen=True, slots=True)
class Picture:
    """A key page, and for each answer a layer to lay over it; all are data URLs.

    Attributes:
        site: the site's id.
        page: the page as the browser shows it, cut off at the bottom.
        layers: per answer, a transparent layer with colours for right, wrong and missed elements.
        width: the page's width, in its own pixels.
        height: the height of the part shown.
        cut: whether the page continues below.
    """

    site: str
    page: str
    layers: tuple[str, ...]
    width: int
    height: int
    cut: bool


def take_pictures(folders: Sequence[Path], answers: Mapping[str, Sequence[Sequence[bool]]]) -> Iterator[Picture]:
    """Yield the picture of each site's key page, with scripts off, as for the labels.

    Args:
        folders: the sites.
        answers: the answers to paint, by site id; an empty one means no answer.

    Raises:
        PackageMissing: selenium is not installed.
        BrowserMissing: Chromium and its driver are not installed.
        SitestencilError: the browser's page differs from the labelled page.
    """
    with serving() as proxy, rendering_browser(proxy.port) as browser:
        for folder in folders:
            facts, labels = read_labels(folder)
            yield _picture(browser, proxy, folder, [_states(labels, answer) for answer in answers[facts.id]])


def check_browser() -> None:
    """Start the browser and close it.

    Raises:
        BrowserMissing: it does not start; the message says how to install it.
    """
    with rendering_browser(proxy_port=9):
        pass


def _states(labels: str, answer: Sequence[bool]) -> str:
    letters = {(TEMPLATE, True): "R", (TEMPLATE, False): "M", (CONTENT, True): "W"}
    given = answer or [False] * len(labels)
    return "".join(letters.get((label, called), ".") for label, called in zip(labels, given, strict=True))


def _picture(browser: "Chrome", proxy: StoredSiteProxy, folder: Path, states: Sequence[str]) -> Picture:
    browser.get(proxy.show(StoredSite(folder)))
    elements, page_height = browser.execute_script(
        "return [document.querySelectorAll('*').length, document.documentElement.scrollHeight]"
    )
    if any(len(answer) != elements for answer in states):
        raise SitestencilError(
            f"{folder.name}: the browser's page has {elements} elements, but the labels are for another number. "
            "Leave the pictures out with --no-pictures."
        )
    height = min(page_height, MOST_HEIGHT)
    page = _screenshot(browser, height)
    paint = files("sitestencil_research.benchmark.report").joinpath("paint.js").read_text("utf-8")
    options = {"height": height, "scale": _PAINT_SCALE, "colours": dict(COLOURS)}
    layers: list[str] = browser.execute_script(paint, list(states), options)
    return Picture(folder.name, page, tuple(layers), WIDTH, height, page_height > height)


def _screenshot(browser: "Chrome", height: int) -> str:
    answer: dict[str, Any] = browser.execute_cdp_cmd(
        "Page.captureScreenshot",
        {
            "format": "webp",
            "quality": _QUALITY,
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": _PAGE_SCALE},
        },
    )
    return f"data:image/webp;base64,{answer['data']}"


@contextmanager
def rendering_browser(proxy_port: int) -> Iterator["Chrome"]:
    """Yield a browser that runs no page scripts and can reach only the proxy.

    Raises:
        PackageMissing: selenium is not installed.
        BrowserMissing: Chromium and its driver are not installed.
    """
    try:
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver import Chrome, ChromeOptions
    except ImportError:
        raise PackageMissing(
            "Pictures need selenium.", "report", ", or leave them out with --no-pictures"
        ) from None
    options = ChromeOptions()
    for flag in (*_FLAGS, f"--proxy-server=http://127.0.0.1:{proxy_port}", f"--window-size={WIDTH},900"):
        options.add_argument(flag)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    os.environ.setdefault("SE_OFFLINE", "true")  # else selenium downloads a driver and reports its use
    os.environ.setdefault("SE_AVOID_STATS", "true")
    try:
        browser = Chrome(options=options)
    except WebDriverException as error:
        raise BrowserMissing(
            f"Pictures need Chromium or Chrome with its chromedriver, and it did not start: {error.msg} "
            "Install them, or leave the pictures out with --no-pictures."
        ) from None
    try:
        browser.set_page_load_timeout(60)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        yield browser
    finally:
        browser.quit()
