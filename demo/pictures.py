"""Make the pictures of README and docs/rebuild.md: `python -m demo.pictures` after `make store-pictures`."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont
from tests.support.browsers.chromium import Chromium
from tests.support.browsers.programs import ensure_browser
from tests.support.server import SiteServer

from demo.site import DEMO_PAGE, load_site
from demo.store import FOLDER, NIGHT, PALE, SCREEN
from demo.tour import ROOT, say

WIDTH, COLOURS = 640, 128
COMMANDS = "sitestencil rebuild museum -o project && python project/build.py"
NEW_PAGE = """\
---
title: "How a splice is made"
description: "Two ropes become one."
kind: {kind}
---
<h1>How a splice is made</h1>
<p>A splice joins two ropes without a knot. Its strands go over one and under one, three times, and then it holds as
much as the rope itself.</p>
<p>This page is a file of ten lines in the folder content. Header, menu, sidebar and footer are the site's own.</p>
"""


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


def take_rebuilt() -> Image.Image:
    """Return a page of the demo site, the same one rebuilt, and a new one of its kind, side by side."""
    command = Path(sys.executable).with_name("sitestencil")
    with (
        TemporaryDirectory() as scratch,
        Chromium(ROOT / "dist" / "chromium", ensure_browser("chromium")) as browser,
    ):
        folder, project = Path(scratch) / "museum", Path(scratch) / "project"
        for path, answer in load_site().items():
            file = folder / "pages" / path.lstrip("/")
            if path != "/":
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(answer.body)
        (folder / "site.json").write_text(
            json.dumps({"base_url": "https://museum.example/", "key_page": "index.html"})
        )
        subprocess.run([command, "rebuild", folder, "-o", project], check=True, capture_output=True)  # noqa: S603
        page = DEMO_PAGE.lstrip("/")
        lines = (project / "content" / page).read_text("utf-8").splitlines()
        kind = next(line.partition(": ")[2] for line in lines if line.startswith("kind: "))
        (project / "content" / "new.html").write_text(NEW_PAGE.format(kind=kind), "utf-8")
        subprocess.run([sys.executable, project / "build.py"], check=True, capture_output=True)  # noqa: S603
        browser.resize(SCREEN)
        screens = list[Image.Image]()
        for file in (folder / "pages" / page, project / "public" / page, project / "public" / "new.html"):
            browser.open(file.as_uri())
            screens.append(Image.open(BytesIO(browser.screenshot())).convert("RGB"))
    return beside(dict(zip(("The page", "Rebuilt", "A new page of its kind"), screens, strict=True)), COMMANDS)


def beside(screens: dict[str, Image.Image], line: str) -> Image.Image:
    """Return screens side by side, each with its caption, below a line of text."""
    width, height, top = SCREEN[0] // 2, SCREEN[1] // 2, 90
    made = Image.new("RGB", (width * len(screens) + 20 * (len(screens) + 1), height + top + 20), NIGHT)
    pen = ImageDraw.Draw(made)
    pen.text((20, 10), f"$ {line}", "white", ImageFont.load_default(30))
    for number, (caption, screen) in enumerate(screens.items()):
        left = 20 + number * (width + 20)
        pen.text((left, 52), caption, PALE, ImageFont.load_default(26))
        made.paste(screen.resize((width, height), Image.Resampling.LANCZOS), (left, top))
    return made


def main() -> int:
    """Write each picture small enough for a README."""
    pictures = {
        "template": Image.open(FOLDER / "2-template.png"),
        "content": Image.open(FOLDER / "3-content.png"),
        "site": take_site(),
        "rebuilt": take_rebuilt(),
    }
    for name, picture in pictures.items():
        width = 2 * WIDTH if name == "rebuilt" else WIDTH
        small = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
        target = ROOT / f"docs/images/readme-{name}.png"
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
        say(f"{target.relative_to(ROOT)}  {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
