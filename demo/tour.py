"""The demo without a person: each step of a first visit, with a picture."""

import shutil
import sys
from pathlib import Path

from tests.support.browsers import Browser, BrowserError

SAVE_SHORTCUT = "Ctrl+Shift+8"


def give_tour(browser: Browser, url: str, out: Path, prefix: str = "") -> None:
    """Open the page, show its template, save it, bring the page back.

    Args:
        browser: with the extension loaded and the host registered.
        url: the page.
        out: folder for `original.png`, `template.png` and `template.html`, made if need be.
        prefix: for the names of the files.

    Raises:
        BrowserError: a step failed.
    """
    out.mkdir(parents=True, exist_ok=True)
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
