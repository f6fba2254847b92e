"""`make demo`: a browser with a scratch profile, the extension and the host, on the demo site.

With a display the browser is yours. Without one the demo clicks the button itself, headless, and writes
`NAME-original.png`, `NAME-template.png` and `NAME-template.html` into `out/demo/`, and the page with its pictures.
"""

import argparse
import os
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.support.browsers import BROWSERS, Browser, BrowserError
from tests.support.browsers.programs import NoBrowserError, ensure_browser
from tests.support.server import SiteServer

from demo.site import DEMO_PAGE, load_site
from demo.tour import give_tour, pictures_page, say

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run the demo; return 0 on success."""
    options = _parser().parse_args(arguments)
    names = list(BROWSERS) if options.browser == "both" else [options.browser]
    try:
        headless = options.headless or not _has_display()
        with ExitStack() as stack:
            url = options.url or stack.enter_context(SiteServer(load_site())).base + DEMO_PAGE
            for name in names:
                with _start(name, options.dist, headless=headless) as browser:
                    _show(browser, url, options.out)
        if headless:
            _show_pictures(names, options.out)
    except (BrowserError, NoBrowserError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _show_pictures(names: Sequence[str], out: Path) -> None:
    """Write the page with the pictures of these browsers, and open it where there is a display."""
    page = out / "index.html"
    captions = {"original": "The page", "template": "Its template, after one click"}
    page.write_text(pictures_page(names, captions, "{name}-{step}.png"), "utf-8")
    say(f"Both pictures   {page}")
    if _has_display():
        webbrowser.open(page.as_uri())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="demo", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", default="", help="a page to show instead of the bundled site's")
    parser.add_argument("--browser", choices=[*BROWSERS, "both"], default="chromium")
    parser.add_argument("--headless", action="store_true", help="no window, even where there is a display")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder of the built extensions")
    parser.add_argument("--out", type=Path, default=ROOT / "out/demo", help="folder for the pictures")
    return parser


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _start(name: str, dist: Path, *, headless: bool) -> Browser:
    extension = dist / name
    if not (extension / "manifest.json").is_file():
        raise BrowserError(f"There is no extension in {extension}. Run: make extension")
    program = ensure_browser(name)
    say(f"Starting {program} with a scratch profile ...")
    return BROWSERS[name](extension, program, headless=headless)


def _show(browser: Browser, url: str, out: Path) -> None:
    say(browser.register_host().partition("\n\n")[0])
    if browser.headless:
        give_tour(browser, url, out)
        return
    browser.open(url)
    say(
        f"\nThe browser is open at {url}\n"
        "Click the Sitestencil button in its toolbar (or press Ctrl+Shift+9): only the template stays.\n"
        "Click again and the page is back. Ctrl+Shift+8 saves the template as HTML.\n"
        "The demo ends, and its scratch profile goes, when you close the browser."
    )
    browser.wait_for_end()


if __name__ == "__main__":
    sys.exit(main())
