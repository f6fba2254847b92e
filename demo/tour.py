"""The demo without a person. `python -m demo.tour` clicks through all of the extension, after `make extension`.

It writes `out/tour/index.html`, one page with the pictures beside each other: of both browsers, or with `--all`
of both at two widths, light and dark, in each language.
"""

import argparse
import html
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.support.browsers import BROWSERS, Browser, BrowserError
from tests.support.browsers.programs import NoBrowserError, ensure_browser

from demo.walk import walk

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "out" / "tour"
SETTLE_SECONDS = 0.3
WIDTHS, HEIGHT = (1280, 480), 860
LANGUAGES = ("en", "es")
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sitestencil: {names}</title>
<style>
body {{ font: 16px system-ui, sans-serif; margin: 24px; }}
section {{ display: flex; flex-wrap: wrap; gap: 16px; margin-bottom: 32px; }}
h2 {{ flex: 1 0 100%; margin: 0; }}
img {{ height: min(420px, 30vw); border: 1px solid #999; }}
</style>
<h1>Sitestencil: {names}</h1>
{steps}
</html>
"""
SAVE_SHORTCUT = "Ctrl+Shift+8"


@dataclass(frozen=True, slots=True)
class Setting:
    """A browser as one of its users has it."""

    browser: str
    width: int = WIDTHS[0]
    dark: bool = False
    language: str = LANGUAGES[0]

    def __str__(self) -> str:
        return f"{self.browser}-{self.width}-{'dark' if self.dark else 'light'}-{self.language}"


SETTINGS = [Setting(*values) for values in product(BROWSERS, WIDTHS, (False, True), LANGUAGES)]


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


def main(arguments: list[str] | None = None) -> int:
    """Walk through the extension in each setting, and write the page with all pictures."""
    parser = argparse.ArgumentParser(prog="demo.tour", description=(__doc__ or "").partition("\n")[0])
    names = {str(one): one for one in SETTINGS}
    plain = [str(Setting(name)) for name in BROWSERS]
    parser.add_argument("--all", action="store_true", help="all settings (9 minutes)")
    parser.add_argument("settings", nargs="*", default=plain, metavar="SETTING", help=" ".join(names))
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.settings if name not in names]:
        parser.error(f"there is no setting {unknown[0]}; python -m demo.tour --help names them")
    settings = SETTINGS if chosen.all else [names[name] for name in chosen.settings]
    captions: dict[str, str] = {}
    try:
        for setting in settings:
            captions |= _take(setting)
    except (BrowserError, NoBrowserError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    page = pictures_page([str(setting) for setting in settings], captions, "{name}/{step}.png")
    (TOUR / "index.html").write_text(page, "utf-8")
    say(f"All of it: {TOUR / 'index.html'}")
    return 0


def _take(setting: Setting) -> dict[str, str]:
    """Walk in one setting, and return the captions by the pictures' names."""
    captions: dict[str, str] = {}
    name = setting.browser
    with tempfile.TemporaryDirectory() as folder:
        extension = in_language(ROOT / "dist" / name, setting.language, Path(folder))
        size = (setting.width, HEIGHT)
        with BROWSERS[name](extension, ensure_browser(name), size=size, dark=setting.dark) as browser:
            for step, caption in walk(browser):
                time.sleep(SETTLE_SECONDS)  # colours fade in
                own = browser.run("() => location.protocol.endsWith('extension:')")
                browser.screenshot(TOUR / str(setting) / f"{step}.png", full=own)
                captions[step] = caption
                say(f"{setting}: {caption}")
    return captions


def in_language(extension: Path, language: str, folder: Path) -> Path:
    """Copy an extension, with its texts in one language, whatever languages the browser has."""
    copy = shutil.copytree(extension, folder / language)
    for texts in (copy / "_locales").iterdir():
        if texts.name != language:
            shutil.rmtree(texts)
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    (copy / "manifest.json").write_text(json.dumps(manifest | {"default_locale": language}), "utf-8")
    return copy


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
    return PAGE.format(names=" and ".join(names), steps="\n".join(steps))


if __name__ == "__main__":
    sys.exit(main())
