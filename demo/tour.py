"""The demo without a person. `python -m demo.tour` clicks through all of the extension, after `make extension`.

It writes `out/tour/index.html`, one page with the pictures of both browsers beside each other.
"""

import html
import shutil
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from tests.support.browsers import BROWSERS, Browser, BrowserError
from tests.support.browsers.programs import NoBrowserError, ensure_browser

from demo.walk import walk

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "out" / "tour"
SETTLE_SECONDS = 0.3
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sitestencil: {names}</title>
<style>
body {{ font: 16px system-ui, sans-serif; margin: 24px; }}
section {{ display: grid; grid-template-columns: repeat({columns}, 1fr); gap: 16px; margin-bottom: 32px; }}
h2 {{ grid-column: 1 / -1; margin: 0; }}
img {{ width: 100%; border: 1px solid #999; }}
</style>
<h1>Sitestencil: {names}</h1>
{steps}
</html>
"""
SAVE_SHORTCUT = "Ctrl+Shift+8"


def give_tour(browser: Browser, url: str, out: Path) -> None:
    """Open the page, show its template, save it, bring the page back.

    Args:
        browser: with the extension loaded and the host registered.
        url: the page.
        out: folder for `NAME-original.png`, `NAME-template.png` and `NAME-template.html`, made if need be.

    Raises:
        BrowserError: a step failed.
    """
    out.mkdir(parents=True, exist_ok=True)
    prefix = f"{browser.name}-"
    browser.open(url)
    original = browser.screenshot(out / f"{prefix}original.png", full=True)
    say(f"The page        {out / f'{prefix}original.png'}")

    browser.click_button()
    shown = browser.wait_for_state("template", "error", "impossible", seconds=60)
    if shown.state != "template":
        raise BrowserError(f"The button says: {shown.title}")
    browser.click_panel("close")
    browser.screenshot(out / f"{prefix}template.png", full=True)
    say(f"Its template    {out / f'{prefix}template.png'}")

    browser.press(SAVE_SHORTCUT)
    saved = browser.wait_for_download()
    shutil.copyfile(saved, out / f"{prefix}template.html")
    say(f"Saved as HTML   {out / f'{prefix}template.html'}, as the browser named it: {saved.name}")

    browser.click_button()
    browser.wait_for_state("original")
    same = browser.screenshot(full=True) == original
    say("A second click  brings the page back" + ("." if same else " (it has moved on by itself meanwhile)."))


def say(text: str) -> None:
    """Tell the person at the terminal, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Walk through the extension in each browser, and write the page with all pictures."""
    captions: dict[str, str] = {}
    try:
        for name in BROWSERS:
            captions |= _take(name)
    except (BrowserError, NoBrowserError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    page = pictures_page(BROWSERS, captions, "{name}/{step}.png")
    (TOUR / "index.html").write_text(page, "utf-8")
    say(f"All of it: {TOUR / 'index.html'}")
    return 0


def _take(name: str) -> dict[str, str]:
    """Walk in one browser, and return the captions by the pictures' names."""
    captions: dict[str, str] = {}
    with BROWSERS[name](ROOT / "dist" / name, ensure_browser(name)) as browser:
        for step, caption in walk(browser):
            time.sleep(SETTLE_SECONDS)  # colours fade in
            browser.screenshot(TOUR / name / f"{step}.png")
            captions[step] = caption
            say(f"{name}: {caption}")
    return captions


def pictures_page(names: Collection[str], captions: Mapping[str, str], file: str) -> str:
    """Return a page with the pictures of all browsers beside each other.

    Args:
        names: of the browsers.
        captions: by the names of the steps.
        file: the address of a picture, with ``{name}`` and ``{step}``.
    """
    steps = [
        f"<section><h2>{html.escape(caption)}</h2>"
        + "".join(
            f'<img src="{file.format(name=name, step=step)}" alt="{html.escape(caption)} ({name})">'
            for name in names
        )
        + "</section>"
        for step, caption in captions.items()
    ]
    return PAGE.format(columns=len(names), names=" and ".join(names), steps="\n".join(steps))


if __name__ == "__main__":
    sys.exit(main())
