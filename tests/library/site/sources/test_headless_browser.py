"""A browser without network shows files alone, whatever they name."""

from pathlib import Path
from time import sleep

import pytest
from tests.support.browsers import wait_until
from tests.support.named_files import everything_from
from tests.support.server import SiteServer

from sitestencil.errors import BrowserMissing
from sitestencil.site.sources.headless_browser import BROWSER_KINDS, start_browser, stop_browser

pytest.importorskip("selenium")
SECONDS = 30.0


def pictures_of(kind: str, page: Path, server: SiteServer, *, online: bool) -> bytes:
    """Return the picture of a page, after the time in which an open network would have been asked."""
    try:
        browser = start_browser(kind, SECONDS, online=online)
    except BrowserMissing as missing:
        pytest.skip(str(missing))
    try:
        browser.get(page.as_uri())
        if online:
            wait_until(lambda: len(server.requests) > 1, otherwise="nothing is asked")
        else:
            sleep(1.5)
        return browser.get_screenshot_as_png()
    finally:
        stop_browser(browser)


@pytest.mark.parametrize("kind", BROWSER_KINDS)
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_browser_without_network_asks_nobody(kind: str, name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with SiteServer({}) as server:
        base = f"http://{name}:{server.port}"
        page.write_text(f"<!doctype html><title>Frame</title>{everything_from(base)}<p>Text")
        assert pictures_of(kind, page, server, online=False).startswith(b"\x89PNG")
        assert server.requests == []
        pictures_of(kind, page, server, online=True)
        assert server.requests
