"""Make the user guide's pictures from the tour's: `python -m demo.guide` after `python -m demo.tour`."""

import sys
from pathlib import Path

from PIL import Image

from demo.tour import ROOT, TOUR, Setting

TARGET = ROOT / "docs" / "images"
SETTING = Setting("chromium")
WIDTH, COLOURS = 640, 64
PICTURES = {
    **{name: name for name in ("welcome", "page", "template", "content", "reading", "inspect")},
    "selected": "correct",
    "save-template": "save",
}


def main() -> int:
    """Write each picture small enough for a document."""
    for step, name in PICTURES.items():
        source = TOUR / str(SETTING) / f"{step}.png"
        if not source.exists():
            sys.stderr.write(f"There is no {source}. Run: python -m demo.tour\n")
            return 1
        _make_small(source, TARGET / f"guide-{name}.png")
    return 0


def _make_small(source: Path, target: Path) -> None:
    picture = Image.open(source).convert("RGB")
    small = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    sys.stdout.write(f"{target} {target.stat().st_size} bytes\n")


if __name__ == "__main__":
    sys.exit(main())
