"""Draw F1 over n and t, as in the thesis' Table 5.2."""

from collections.abc import Mapping
from io import BytesIO

from sitestencil.errors import CannotWrite, PackageMissing


def heatmap_picture(f1: Mapping[tuple[int, int], float], title: str, suffix: str) -> bytes:
    """Return F1 per (n, t) as a picture: PNG, SVG or PDF. The same figures give the same SVG.

    Args:
        f1: the mean F1 by n and t.
        title: the text above the picture.
        suffix: the file's suffix, such as ``.svg``; it sets the format.

    Raises:
        PackageMissing: matplotlib is not installed.
        CannotWrite: matplotlib does not know this format.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise PackageMissing("The heat map needs matplotlib, which is not installed.", "report") from None
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
        axes.text(
            sizes.index(n),
            votes.index(t),
            f"{100 * value:.1f}",
            ha="center",
            va="center",
            color=colour,
            fontsize="small",
        )
    figure.colorbar(image, label="mean F1")
    kind = suffix.removeprefix(".").lower()
    picture = BytesIO()
    try:
        with rc_context({"svg.hashsalt": "sitestencil"}):
            figure.savefig(picture, format=kind or None, metadata={"Date": None} if kind == "svg" else None)
    except ValueError as error:
        raise CannotWrite(f"The heat map cannot be drawn as {suffix!r}: {error}.") from None
    return picture.getvalue()
