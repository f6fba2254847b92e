"""Make the stores' pictures from the real extension: `make store-pictures` writes `store/images/`."""

import sys
import time
from io import BytesIO

from manifest.icons import STATES, draw
from PIL import Image, ImageDraw, ImageFont
from tests.support.browsers import BrowserError
from tests.support.browsers.chromium import Chromium
from tests.support.browsers.programs import NoBrowserError, ensure_browser

from demo.tour import ROOT, SETTLE_SECONDS, say
from demo.walk import walk

FOLDER = ROOT / "store" / "images"
SCREEN, TILE, LOGO = (1280, 800), (440, 280), 300
SCREENS = ("page", "template", "content", "inspect")
COLOURS = 128
NIGHT, PALE = (14, 52, 62), (214, 236, 236)


def take_screens() -> dict[str, Image.Image]:
    """Return what a person sees in Chromium, by the names of the walk's steps."""
    screens: dict[str, Image.Image] = {}
    with Chromium(ROOT / "dist" / "chromium", ensure_browser("chromium")) as browser:
        browser.resize(SCREEN)
        for step, caption in walk(browser):
            if step in SCREENS:
                time.sleep(SETTLE_SECONDS)  # colours fade in
                screens[step] = Image.open(BytesIO(browser.screenshot())).convert("RGB")
                say(caption)
            if len(screens) == len(SCREENS):
                break
    return screens


def tile(left: Image.Image, right: Image.Image) -> Image.Image:
    """Return the small tile: icon, name, and a page beside its template."""
    made = Image.new("RGB", TILE, NIGHT)
    icon = _icon(64)
    made.paste(icon, (24, 22), icon)
    pen = ImageDraw.Draw(made)
    pen.text((104, 24), "Sitestencil", "white", ImageFont.load_default(34))
    pen.text((105, 62), "The page's layout, or its content alone", PALE, ImageFont.load_default(17))
    for place, picture in ((24, left), (226, right)):
        made.paste(picture.resize((190, 119), Image.Resampling.LANCZOS), (place, 128))
    return made


def _icon(size: int) -> Image.Image:
    return Image.open(BytesIO(draw(STATES["idle"], size)))


def save(picture: Image.Image, name: str) -> None:
    """Write a picture as a small PNG of 24 bits without transparency, as the stores want them."""
    file = FOLDER / f"{name}.png"
    few = picture.quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")
    few.save(file, optimize=True)
    say(f"{file.relative_to(ROOT)}  {file.stat().st_size:,} bytes")


def main() -> int:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    try:
        screens = take_screens()
    except (BrowserError, NoBrowserError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for number, name in enumerate(SCREENS, 1):
        save(screens[name], f"{number}-{name}")
    save(tile(screens["page"], screens["template"]), "tile")
    (FOLDER / "logo.png").write_bytes(draw(STATES["idle"], LOGO))
    return 0


if __name__ == "__main__":
    sys.exit(main())
