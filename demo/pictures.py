"""Make the README's three pictures: `python -m demo.pictures` after `make store-pictures`."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from tests.support.browsers.chromium import Chromium
from tests.support.browsers.programs import ensure_browser
from tests.support.server import SiteServer

from demo.site import load_site
from demo.store import FOLDER, SCREEN
from demo.tour import ROOT, say

WIDTH, COLOURS = 640, 128


def take_site() -> Image.Image:
    """Return what the command says of the whole demo site, as its report shows it."""
    command = Path(sys.executable).with_name("sitestencil")
    with TemporaryDirectory() as folder, SiteServer(load_site()) as server:
        arguments: list[str | Path] = [command, "site", f"{server.base}/", "-o", folder]
        subprocess.run(arguments, check=True, capture_output=True)  # noqa: S603 - our own command
        with Chromium(ROOT / "dist" / "chromium", ensure_browser("chromium")) as browser:
            browser.resize(SCREEN)
            browser.open((Path(folder) / "report.html").as_uri())
            return Image.open(BytesIO(browser.screenshot())).convert("RGB")


def main() -> int:
    """Write each picture small enough for a README."""
    pictures = {
        "template": Image.open(FOLDER / "2-template.png"),
        "content": Image.open(FOLDER / "3-content.png"),
        "site": take_site(),
    }
    for name, picture in pictures.items():
        small = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
        target = ROOT / f"docs/images/readme-{name}.png"
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        say(f"{target.relative_to(ROOT)}  {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
