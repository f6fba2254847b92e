"""Limit the memory of a block, so that a page that would take all costs only itself.

Only Linux keeps such a limit. A child process inherits it, but for the browser of `--render`.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path

from sitestencil.errors import OutOfMemory, WrongUsage

VARIABLE = "SITESTENCIL_MEMORY_GB"
_GB = 4.0


def most_gb() -> float:
    """Return the GB that a page may take: 4, or what ``SITESTENCIL_MEMORY_GB`` says.

    Raises:
        WrongUsage: it says no positive number.
    """
    text = os.environ.get(VARIABLE) or str(_GB)
    with suppress(ValueError):
        if (gb := float(text)) > 0 and isfinite(gb):
            return gb
    raise WrongUsage(f"{VARIABLE} is a number of GB above 0, and not {text[:100]!r}.")


@contextmanager
def memory_limit() -> Iterator[None]:
    """Limit the memory that the block adds to this process; outside the main thread there is no limit.

    Raises:
        OutOfMemory: the block took more.
        WrongUsage: see `most_gb`.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        yield
        return
    import resource

    gb = most_gb()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bounds = [bound for bound in (soft, hard) if bound != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min(_held_bytes() + int(gb * 1e9), sys.maxsize, *bounds), hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    except MemoryError:
        raise OutOfMemory(f"It takes more than {gb:g} GB of memory; {VARIABLE} sets another limit.") from None


@contextmanager
def without_memory_limit() -> Iterator[None]:
    """Lift the limit for a program that the block starts: a browser reserves more than it uses."""
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held_bytes() -> int:
    """Return what the limit counts: private memory that can be written, also where nothing is yet."""
    return int(Path("/proc/self/statm").read_bytes().split()[5]) * os.sysconf("SC_PAGE_SIZE")
