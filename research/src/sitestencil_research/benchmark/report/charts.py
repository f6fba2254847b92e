"""Draw the report's charts as inline SVG: few marks, labels beside them, no legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import log10

from sitestencil_research.benchmark.intervals import Interval

_FONT = "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\""
_INK, _SOFT, _GRID = "#1f2933", "#66727f", "#e4e8ec"
OWN, OTHER = "#2369a8", "#8a94a0"


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of the forest plot: a name, its figure with the interval, and whether it is one of our detectors."""

    name: str
    interval: Interval
    own: bool


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point of a scatter plot."""

    name: str
    x: float
    y: float
    own: bool


def forest(bars: Sequence[Bar], *, title: str, unit: str, low: float = 0.0) -> str:
    """Return a row per entrant: a dot at the mean and a bar over its confidence interval."""
    left, right, top, step, width = 190, 70, 46, 26, 760
    height = top + step * len(bars) + 34
    span = width - left - right

    def x(value: float) -> float:
        return left + span * (min(max(value, low), 1.0) - low) / (1.0 - low)

    parts = [_open(width, height, title), _text(0, 18, title, size=15, weight=600)]
    for tick in _ticks(low):
        across = x(tick)
        parts.append(_line(across, top - 12, across, height - 30, _GRID))
        parts.append(_text(across, height - 14, f"{tick:.1f}", anchor="middle", colour=_SOFT))
    parts.append(_text(width, height - 14, unit, anchor="end", colour=_SOFT))
    for number, bar in enumerate(bars):
        y, colour = top + step * number, OWN if bar.own else OTHER
        interval = bar.interval
        parts.append(_text(left - 14, y + 4, bar.name, anchor="end", weight=600 if bar.own else 400))
        parts.append(_line(x(interval.low), y, x(interval.high), y, colour, 5, opacity=0.35))
        parts.append(f'<circle cx="{x(interval.mean):.1f}" cy="{y}" r="5" fill="{colour}"/>')
        parts.append(_text(width, y + 4, f"{interval.mean:.3f}", anchor="end", weight=600, colour=colour))
    return "".join([*parts, "</svg>"])


def scatter(points: Sequence[ChartPoint], *, title: str, x_title: str, ticks: Sequence[float]) -> str:
    """Return F1 against a cost, on a logarithmic scale from the first tick to the last, with names at the dots."""
    left, right, top, bottom, width, height = 40, 30, 40, 46, 560, 360
    low = int(min(0.9, *(point.y for point in points)) * 10) / 10

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
    dots = [(x(point.x), y(point.y)) for point in points]
    labels = _Labels(dots, width)
    for point, (across, down) in sorted(zip(points, dots, strict=True), key=lambda place: place[1][1]):
        colour = OWN if point.own else OTHER
        tip = f"<title>{escape(point.name)}: {point.x:,.1f}, {point.y:.3f}</title>"
        parts.append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="5" fill="{colour}">{tip}</circle>')
        parts.append(labels.beside(point.name, across, down, colour))
    return "".join([*parts, "</svg>"])


def reliability(
    bins: Sequence[tuple[float, float]],
    answers: Sequence[tuple[float, float]],
    *,
    title: str,
    titles: tuple[str, str],
) -> str:
    """Return predicted (across) against true (up) values from 0 to 1: a faint dot per answer, a strong one per bin.

    On the diagonal, prediction and truth are equal.

    Args:
        bins: the mean prediction and mean truth of each bin.
        answers: the prediction and truth of each answer.
        title: the plot's title.
        titles: the titles of the two axes.
    """
    left, top, side, width, height = 50, 40, 400, 480, 500

    def x(value: float) -> float:
        return left + side * value

    def y(value: float) -> float:
        return top + side * (1 - value)

    parts = [_open(width, height, title), _text(0, 18, title, size=15, weight=600)]
    for tick in _ticks(0.0):
        parts += [_line(x(0), y(tick), x(1), y(tick), _GRID), _line(x(tick), y(0), x(tick), y(1), _GRID)]
        parts.append(_text(left - 8, y(tick) + 4, f"{tick:.1f}", anchor="end", colour=_SOFT))
        parts.append(_text(x(tick), y(0) + 18, f"{tick:.1f}", anchor="middle", colour=_SOFT))
    parts.append(_line(x(0), y(0), x(1), y(1), _SOFT))
    parts.append(_text(left + side / 2, y(0) + 40, titles[0], anchor="middle", colour=_SOFT))
    parts.append(_text(left, top - 8, titles[1], colour=_SOFT))
    parts += [_dot(x(predicted), y(true), 3, OTHER, opacity=0.45) for predicted, true in answers]
    for (predicted, true), (further, further_true) in pairwise(bins):
        parts.append(_line(x(predicted), y(true), x(further), y(further_true), OWN, 2))
    parts += [_dot(x(predicted), y(true), 6, OWN) for predicted, true in bins]
    return "".join([*parts, "</svg>"])


class _Labels:
    """Finds a place for each name near its dot, clear of dots and other names."""

    def __init__(self, dots: Sequence[tuple[float, float]], width: float) -> None:
        self._width = width
        self._taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in dots]

    def beside(self, name: str, x: float, y: float, colour: str) -> str:
        """Return the name's text; a thin line leads to the dot if the name had to move away."""
        length = 7.3 * len(name)
        for shift in (0, -11, 11, -18, 18, -26, 26, -34, 34, -44, 44, -56, 56, -70, 70):
            for start in (x + 9, x - 9 - length):
                box = (start, y + shift - 7, start + length, y + shift + 6)
                if box[0] < 0 or box[2] > self._width or any(_overlap(box, other) for other in self._taken):
                    continue
                self._taken.append(box)
                near = start - 1 if start > x else start + length + 1
                lead = _line(x, y, near, y + shift, colour, opacity=0.5) if abs(shift) > 18 else ""
                return lead + _text(start, y + shift + 4, name, colour=colour)
        return _text(x + 9, y + 4, name, colour=colour)


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _ticks(low: float) -> list[float]:
    first = round(low * 10)
    step = 2 if first == 0 else 1
    return [tick / 10 for tick in range(first, 11, step)]


def _open(width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -8 {width + 32} {height + 16}" role="img" '
        f'aria-label="{escape(title)}" font-size="12.5" {_FONT}>'
        f'<rect x="-16" y="-8" width="{width + 32}" height="{height + 16}" fill="#fff"/>'
    )


def _dot(x: float, y: float, radius: int, colour: str, opacity: float = 1) -> str:
    more = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"{more}/>'


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
