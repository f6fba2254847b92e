"""A browser without network shows files alone, whatever they name.

Firefox's driver is in no package of Debian 12, so these run in Chromium.
"""

from pathlib import Path
from time import sleep

import pytest
from tests.support.browsers import wait_until
from tests.support.named_files import everything_from
from tests.support.server import SiteServer

from sitestencil.site.sources.headless_browser import start_browser, stop_browser

SECONDS = 30.0


def picture_of(page: Path, server: SiteServer, *, online: bool) -> bytes:
    """Return the picture of a page, after the time in which an open network would have been asked."""
    browser = start_browser("chromium", SECONDS, online=online)
    try:
        browser.get(page.as_uri())
        if online:
            wait_until(lambda: len(server.requests) > 1, otherwise="nothing is asked")
        else:
            sleep(1.5)
        return browser.get_screenshot_as_png()
    finally:
        stop_browser(browser)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_browser_without_network_asks_nobody(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with SiteServer({}) as server:
        base = f"http://{name}:{server.port}"
        page.write_text(f"<!doctype html><title>Frame</title>{everything_from(base)}<p>Text")
        assert picture_of(page, server, online=False).startswith(b"\x89PNG")
        assert server.requests == []
        picture_of(page, server, online=True)
        assert server.requests
