"""The report's charts, as inline SVG: few marks, labels beside them, no legend to look up."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10

from sitestencil.benchmark.intervals import Interval

_FONT = "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\""
_INK, _SOFT, _GRID = "#1f2933", "#66727f", "#e4e8ec"
OWN, OTHER = "#2369a8", "#8a94a0"


@dataclass(frozen=True, slots=True)
class Bar:
    """A line of the forest plot: a name, its figure with the interval, and whether it is one of ours."""

    name: str
    interval: Interval
    own: bool


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scatter plot."""

    name: str
    x: float
    y: float
    own: bool


def forest(bars: Sequence[Bar], *, title: str, unit: str, low: float = 0.0) -> str:
    """Return a line for each entrant: a dot at the mean and a bar over its confidence interval."""
    left, right, top, step, width = 190, 70, 46, 26, 760
    height = top + step * len(bars) + 34
    span = width - left - right

    def x(value: float) -> float:
        return left + span * (min(max(value, low), 1.0) - low) / (1.0 - low)

    parts = [_open(width, height, title), _text(0, 18, title, size=15, weight=600)]
    for tick in _ticks(low):
        place = x(tick)
        parts.append(_line(place, top - 12, place, height - 30, _GRID))
        parts.append(_text(place, height - 14, f"{tick:.1f}", anchor="middle", colour=_SOFT))
    parts.append(_text(width, height - 14, unit, anchor="end", colour=_SOFT))
    for number, bar in enumerate(bars):
        y, colour = top + step * number, OWN if bar.own else OTHER
        interval = bar.interval
        parts.append(_text(left - 14, y + 4, bar.name, anchor="end", weight=600 if bar.own else 400))
        parts.append(_line(x(interval.low), y, x(interval.high), y, colour, 5, opacity=0.35))
        parts.append(f'<circle cx="{x(interval.mean):.1f}" cy="{y}" r="5" fill="{colour}"/>')
        parts.append(_text(width, y + 4, f"{interval.mean:.3f}", anchor="end", weight=600, colour=colour))
    return "".join([*parts, "</svg>"])


def scatter(points: Sequence[Point], *, title: str, x_title: str, ticks: Sequence[float]) -> str:
    """Return F1 against a cost on a logarithmic scale from the first tick to the last; names beside the dots."""
    left, right, top, bottom, width, height = 40, 20, 40, 46, 560, 340
    low = min(0.5, *(point.y for point in points))
    low = int(low * 10) / 10

    def x(value: float) -> float:
        share = (log10(max(value, ticks[0])) - log10(ticks[0])) / (log10(ticks[-1]) - log10(ticks[0]))
        return left + (width - left - right) * min(share, 1.0)

    def y(value: float) -> float:
        return height - bottom - (height - top - bottom) * (value - low) / (1.0 - low)

    parts = [_open(width, height, title), _text(0, 18, title, size=15, weight=600)]
    for tick in _ticks(low):
        parts.append(_line(left, y(tick), width - right, y(tick), _GRID))
        parts.append(_text(left - 8, y(tick) + 4, f"{tick:.1f}", anchor="end", colour=_SOFT))
    for tick in ticks:
        parts.append(_line(x(tick), top, x(tick), height - bottom, _GRID))
        parts.append(_text(x(tick), height - bottom + 18, f"{tick:,g}", anchor="middle", colour=_SOFT))
    parts.append(_text((left + width - right) / 2, height - 8, x_title, anchor="middle", colour=_SOFT))
    taken: list[tuple[float, float, float]] = []
    for point in sorted(points, key=lambda point: -point.y):
        colour = OWN if point.own else OTHER
        place = x(point.x), y(point.y)
        tip = f"<title>{escape(point.name)}: {point.x:,.1f}, {point.y:.3f}</title>"
        parts.append(f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="5" fill="{colour}">{tip}</circle>')
        parts.append(_label(point.name, *place, width - right, colour, taken))
    return "".join([*parts, "</svg>"])


def _label(name: str, x: float, y: float, most: float, colour: str, taken: list[tuple[float, float, float]]) -> str:
    """Write a name beside its dot, below the names that stand there already."""
    length = 6.6 * len(name)
    start = x + 9 if x + 9 + length <= most else x - 9 - length
    while any(start < end and begin < start + length and abs(y - line) < 13 for begin, end, line in taken):
        y += 3
    taken.append((start, start + length, y))
    return _text(start, y + 4, name, colour=colour)


def _ticks(low: float) -> list[float]:
    first = round(low * 10)
    step = 2 if first == 0 else 1
    return [tick / 10 for tick in range(first, 11, step)]


def _open(width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}" font-size="12.5" {_FONT}>'
    )


def _line(x: float, y: float, x2: float, y2: float, colour: str, width: int = 1, opacity: float = 1) -> str:
    more = f' stroke-opacity="{opacity}" stroke-linecap="round"' if opacity < 1 else ""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{more}/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: float = 12.5,
    weight: int = 400,
    colour: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )
