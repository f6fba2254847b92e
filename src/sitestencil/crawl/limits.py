"""Limit the time and memory of a page, so that an endless one cannot stop a crawl, and return free memory.

The limit of time counts the CPU time of this process, so a busy machine skips no page. It works between Python's
steps; `sitestencil.page.limits` bounds the parser, which is one step. Both need the main thread, where works run;
that of time a signal that Windows lacks, that of memory Linux.
"""

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from sitestencil.page.memory_limit import memory_limit

MOST_SECONDS = 30.0


class TimeIsUp(BaseException):
    """A page took too long. It is no `Exception`, so that no handler on the way catches it."""


@contextmanager
def page_limits(seconds: float | None) -> Iterator[None]:
    """Limit time and memory of the block; None sets no limit and leaves the signal alone.

    Raises:
        TimeIsUp: the block took longer.
        OutOfMemory: it took too much memory, where `sitestencil.page.memory_limit` works.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if seconds is None or not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return
    with memory_limit(), _time_limit(seconds):
        yield


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TimeIsUp


_PAGES = 60  # trimming takes as long as extracting one page


def _malloc_trim() -> Callable[[int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError):  # the C library is not glibc
        return None
    return trim


class FreeMemory:
    """Return free memory to the operating system at intervals."""

    def __init__(self) -> None:
        self._trim = _malloc_trim()
        self._pages = 0

    def after(self, pages: int) -> None:
        """Trim if enough pages are done since the last time. Call this after their trees are freed."""
        self._pages += pages
        if self._pages >= _PAGES and self._trim is not None:
            self._trim(0)
            self._pages = 0
