"""Make the README's pictures, page beside template: `python -m demo.pictures` after `make demo BROWSER=both`."""

import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "firefox")
WIDTH, GAP, COLOURS = 620, 20, 200


def side_by_side(left: Path, right: Path, target: Path) -> None:
    """Write two screenshots of one page beside each other, small enough for a README."""
    pictures = [_scaled(Image.open(path).convert("RGB")) for path in (left, right)]
    both = Image.new("RGB", (2 * WIDTH + GAP, max(picture.height for picture in pictures)), "white")
    for number, picture in enumerate(pictures):
        both.paste(picture, (number * (WIDTH + GAP), 0))
    target.parent.mkdir(parents=True, exist_ok=True)
    both.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


def _scaled(picture: Image.Image) -> Image.Image:
    height = round(picture.height * WIDTH / picture.width)
    return picture.resize((WIDTH, height), Image.Resampling.LANCZOS)


def main() -> int:
    """Make the pictures of both browsers from the demo's files."""
    for browser in BROWSERS:
        left, right = (ROOT / f"out/demo/{browser}-{name}.png" for name in ("original", "template"))
        if not (left.exists() and right.exists()):
            sys.stderr.write(f"There is no {left} and {right.name}. Run: make demo BROWSER=both\n")
            return 1
        target = ROOT / f"docs/images/demo-{browser}.png"
        side_by_side(left, right, target)
        sys.stdout.write(f"{target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
