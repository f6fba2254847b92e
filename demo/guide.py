"""Make the user guide's pictures, one for each view: `python -m demo.guide` after `make extension`."""

import io
import sys
import time
from pathlib import Path

from PIL import Image
from tests.support.browsers import BROWSERS, Browser
from tests.support.browsers.programs import ensure_browser
from tests.support.server import SiteServer

from demo.site import DEMO_PAGE, load_site

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "images"
BROWSER = "chromium"
WIDTH, COLOURS = 640, 64
HEADING = "#content h1"


def main() -> int:
    """Show each view of the demo page, and write a picture of the window."""
    with (
        BROWSERS[BROWSER](ROOT / "dist" / BROWSER, ensure_browser(BROWSER)) as browser,
        SiteServer(load_site()) as site,
    ):
        browser.open(browser.extension_address("pages/welcome.html"))
        _take(browser, "welcome")
        browser.register_host()
        browser.open(site.base + DEMO_PAGE)
        _take(browser, "page")
        browser.click_button()
        browser.wait_for_state("template", seconds=60)
        _take(browser, "template")
        for view in ("content", "inspect"):
            browser.click_panel(view)
            browser.wait_for_state(view)
            if view == "inspect":
                browser.point_at(HEADING)
                time.sleep(0.5)
            _take(browser, view)
    return 0


def _take(browser: Browser, name: str) -> None:
    """Write a picture of the window, small enough for a document."""
    picture = Image.open(io.BytesIO(browser.screenshot())).convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    small = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
    target = TARGET / f"guide-{name}.png"
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    sys.stdout.write(f"{target} {target.stat().st_size} bytes\n")


if __name__ == "__main__":
    sys.exit(main())
