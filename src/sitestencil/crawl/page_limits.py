"""Limit the time and memory of a page, so that an endless one cannot stop a crawl.

The limit of time counts the CPU time of this process, so a busy machine skips no page. It works between Python's
steps; `sitestencil.page.limits` bounds the parser, which is one step. Both need the main thread, where works run;
that of time a signal that Windows lacks, that of memory Linux.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from sitestencil.memory_limit import memory_limit

MOST_SECONDS = 30.0


class TimeIsUp(BaseException):
    """A page took too long. It is no `Exception`, so that no handler on the way catches it."""


@contextmanager
def page_limits(seconds: float | None) -> Iterator[None]:
    """Limit time and memory of the block; None sets no limit and leaves the signal alone.

    Raises:
        TimeIsUp: the block took longer.
        OutOfMemory: it took too much memory, where `sitestencil.memory_limit` works.
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
