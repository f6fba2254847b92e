"""Draw the toolbar button's icons, one set per state, into `extension/icons/`.

Each icon shows a small page on a tile: header, menu and content. The tile's own colour makes it readable on light
and dark toolbars. The grid has 16 units, so that edges fall on pixels at 16, 32, 48 and 128.
"""

import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

SIZES = (16, 32, 48, 128)
ICONS = Path(__file__).resolve().parent.parent / "extension" / "icons"
Colour = tuple[float, float, float, float]
Paint = Callable[[float, float], Colour | None]

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
TEAL: Colour = (0.04, 0.48, 0.47, 1.0)
BLUE: Colour = (0.15, 0.36, 0.66, 1.0)
AMBER: Colour = (0.76, 0.43, 0.02, 1.0)
RED: Colour = (0.77, 0.17, 0.18, 1.0)
GREY: Colour = (0.50, 0.53, 0.56, 1.0)
SKY: Colour = (0.72, 0.91, 0.93, 1.0)
GREEN: Colour = (0.27, 0.60, 0.31, 1.0)
SUN: Colour = (1.0, 0.83, 0.35, 1.0)
CLEAR: Colour = (0.0, 0.0, 0.0, 0.0)


def box(left: float, top: float, right: float, bottom: float, colour: Colour, radius: float = 0.0) -> Paint:
    """Paint a rectangle with rounded corners."""

    def paint(x: float, y: float) -> Colour | None:
        if not (left <= x <= right and top <= y <= bottom):
            return None
        inner_x = min(max(x, left + radius), right - radius)
        inner_y = min(max(y, top + radius), bottom - radius)
        return colour if (x - inner_x) ** 2 + (y - inner_y) ** 2 <= radius**2 or radius == 0 else None

    return paint


def disc(centre_x: float, centre_y: float, radius: float, colour: Colour) -> Paint:
    """Paint a disc."""
    return lambda x, y: colour if (x - centre_x) ** 2 + (y - centre_y) ** 2 <= radius**2 else None


def hill(top_x: float, top_y: float, bottom: float, slope: float, colour: Colour) -> Paint:
    """Paint a triangle that stands on `bottom`."""
    return lambda x, y: colour if y <= bottom and y - top_y >= abs(x - top_x) * slope else None


def page(tile: Colour) -> list[Paint]:
    """Paint the tile, and on it the site's template: a header and a menu."""
    return [box(0, 0, 16, 16, tile, 3), box(2, 2, 14, 4, WHITE), box(2, 5, 5, 14, WHITE)]


def picture(frame: Colour, hills: Colour) -> list[Paint]:
    """Paint the content: a picture in the page's content area."""
    ground = box(6, 5, 14, 14, frame)

    def within(paint: Paint) -> Paint:
        return lambda x, y: paint(x, y) if ground(x, y) else None

    shapes = [disc(11.7, 7.4, 1.3, SUN), hill(8.6, 8.6, 14, 1.2, hills), hill(12.2, 10.6, 14, 1.1, hills)]
    return [ground, *map(within, shapes)]


STATES: dict[str, list[Paint]] = {
    "idle": page(TEAL) + picture(SKY, GREEN),
    "working": [*page(AMBER), *(box(x, 9, x + 2, 11, WHITE) for x in (6, 9, 12))],
    "template": [*page(BLUE), box(6, 5, 14, 14, WHITE), box(7, 6, 13, 13, BLUE)],
    "error": [*page(RED), box(9, 5, 11, 11, WHITE), box(9, 12, 11, 14, WHITE)],
    "impossible": [*page(GREY), box(6, 9, 14, 11, WHITE)],
}


def draw(shapes: list[Paint], size: int, samples: int = 4) -> bytes:
    """Return an icon of `size` pixels as PNG; each pixel is the mean of `samples` by `samples` points."""
    rows = bytearray()
    for row in range(size):
        rows.append(0)
        for column in range(size):
            rows += _pixel(shapes, column, row, size, samples)
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _pixel(shapes: list[Paint], column: int, row: int, size: int, samples: int) -> bytes:
    red = green = blue = alpha = 0.0
    for step in range(samples * samples):
        x = (column + (step % samples + 0.5) / samples) * 16 / size
        y = (row + (step // samples + 0.5) / samples) * 16 / size
        colour = next((found for paint in reversed(shapes) if (found := paint(x, y))), CLEAR)
        red += colour[0] * colour[3]
        green += colour[1] * colour[3]
        blue += colour[2] * colour[3]
        alpha += colour[3]
    if not alpha:
        return bytes(4)
    return bytes(round(255 * part) for part in (red / alpha, green / alpha, blue / alpha, alpha / samples**2))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def main() -> int:
    """Write all icons."""
    ICONS.mkdir(parents=True, exist_ok=True)
    for state, shapes in STATES.items():
        for size in SIZES:
            (ICONS / f"{state}-{size}.png").write_bytes(draw(shapes, size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
