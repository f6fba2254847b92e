"""What the benchmarks share: a figure beside its bound, and the peak memory of a process."""

import sys


def print_figure(what: str, figure: str, bound: str = "", *, holds: bool = True) -> bool:
    """Print a figure, beside its bound where it has one, and return whether it holds."""
    limit = f"at most {bound}" if bound else ""
    print(f"{what:<58} {figure:>12}   {limit}{'' if holds else '  NOT HELD'}", flush=True)
    return holds


def peak_megabytes() -> float:
    """Return the peak resident memory of this process so far."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
