"""Shared by the benchmarks: the best time of some runs, a figure with its bound, and a process's peak memory."""

import sys
from collections.abc import Callable
from time import perf_counter


def best_of(runs: int, work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Return the least time of some runs, in seconds."""
    times = []
    for _ in range(runs):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def print_figure(what: str, figure: str, bound: str = "", *, holds: bool = True) -> bool:
    """Print a figure, with its bound if it has one, and return whether it holds."""
    limit = f"at most {bound}" if bound else ""
    print(f"{what:<58} {figure:>12}   {limit}{'' if holds else '  NOT HELD'}", flush=True)
    return holds


def peak_megabytes() -> float:
    """Return the peak resident memory of this process so far."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
