"""A picture of F1 over n and t, as the thesis' Table 5.2."""

from collections.abc import Mapping
from pathlib import Path

from sitestencil.errors import SitestencilError


class PictureError(SitestencilError):
    """A picture that cannot be drawn or written."""


def draw_heatmap(f1: Mapping[tuple[int, int], float], file: Path, title: str) -> None:
    """Draw F1 per (n, t) into a PNG, SVG or PDF file, by its suffix; the same figures give the same SVG.

    Raises:
        PictureError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise PictureError(
            "The heat map is drawn with matplotlib, which is not installed: pip install 'sitestencil[report]'."
        ) from None
    sizes, votes = sorted({n for n, _ in f1}), sorted({t for _, t in f1})
    cells = [[f1.get((n, t), float("nan")) for n in sizes] for t in votes]
    figure = Figure(figsize=(1.6 + 0.75 * len(sizes), 1.4 + 0.5 * len(votes)), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(cells, cmap="viridis", aspect="auto")
    axes.set_xticks(range(len(sizes)), [str(n) for n in sizes])
    axes.set_yticks(range(len(votes)), [str(t) for t in votes])
    axes.set_xlabel("n, pages of the complete subdigraph")
    axes.set_ylabel("t, votes needed")
    axes.set_title(title, fontsize="medium")
    middle = (min(f1.values()) + max(f1.values())) / 2
    for (n, t), value in f1.items():
        colour = "black" if value > middle else "white"
        place = sizes.index(n), votes.index(t)
        axes.text(*place, f"{100 * value:.1f}", ha="center", va="center", color=colour, fontsize="small")
    figure.colorbar(image, label="mean F1")
    try:
        with rc_context({"svg.hashsalt": "sitestencil"}):
            figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise PictureError(f"{file} cannot be written: {error}.") from None
