"""Make the pictures of `sitestencil extension` from the browsers: `python -m demo.steps` after `make extension`."""

import io
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from tests.support.browsers import BROWSERS, Browser
from tests.support.browsers.browser import Json, wait_until
from tests.support.browsers.programs import ensure_browser

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "host/sitestencil_host/setup/pictures"
COLOUR, COLOURS = "#b3125b", 128
# The browser's page, the part of it that is shown, and what is marked there: the step's number, and a function that
# finds the element, or nothing until it is there.
PAGES = {
    "chromium": (
        "chrome://extensions",
        (0, 0, 1280, 440),
        {
            2: """() => {
                const bar = document.querySelector("extensions-manager")?.shadowRoot
                    .querySelector("extensions-toolbar")?.shadowRoot;
                const mode = bar?.querySelector("#devMode");
                if (mode && !mode.checked) mode.click();
                return mode?.checked && BOX(mode);
            }""",
            3: """() => {
                const bar = document.querySelector("extensions-manager").shadowRoot
                    .querySelector("extensions-toolbar").shadowRoot;
                return BOX(bar.querySelector("#loadUnpacked"));
            }""",
        },
    ),
    "firefox": (
        "about:debugging#/runtime/this-firefox",
        (0, 50, 1060, 310),
        {2: "() => BOX(document.querySelector('.qa-temporary-extension-install-button'))"},
    ),
}
BOX = """(element => {
    const box = element?.getBoundingClientRect();
    return box?.width > 0 ? [box.left, box.top, box.right, box.bottom] : null;
})"""


def main() -> int:
    """Write a picture for each family of browsers."""
    TARGET.mkdir(exist_ok=True)
    for name in BROWSERS:
        with BROWSERS[name](ROOT / "dist" / name, ensure_browser(name)) as browser:
            picture = _marked(browser, name)
        target = TARGET / f"{name}.png"
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        sys.stdout.write(f"{target} {target.stat().st_size} bytes\n")
    return 0


def _marked(browser: Browser, name: str) -> Image.Image:
    address, part, marked = PAGES[name]
    browser.open(address)
    boxes = {number: _box(browser, function) for number, function in marked.items()}
    picture = Image.open(io.BytesIO(browser.screenshot())).convert("RGB")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(24)
    for number, (left, top, right, bottom) in boxes.items():
        draw.rounded_rectangle((left - 7, top - 7, right + 7, bottom + 7), 12, outline=COLOUR, width=4)
        x = left - 30 if right > picture.width - 60 else right + 30
        y = (top + bottom) / 2 + 34 * (right > picture.width - 60)
        draw.ellipse((x - 17, y - 17, x + 17, y + 17), fill=COLOUR)
        draw.text((x, y), str(number), "white", font, anchor="mm")
    return picture.crop(part)


def _box(browser: Browser, function: str) -> tuple[float, float, float, float]:
    """Return where an element is once it moves no more."""
    seen: list[Json] = [None]

    def at_rest() -> Json:
        seen.append(browser.run(function.replace("BOX", BOX)))
        return seen[-1] if seen[-1] == seen[-2] else None

    left, top, right, bottom = wait_until(at_rest, f"{browser.name}: there is nothing to mark")
    return left, top, right, bottom


if __name__ == "__main__":
    sys.exit(main())
