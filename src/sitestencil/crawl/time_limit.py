"""A limit to the time that a page may take: one that goes on for ever must not stop a crawl.

The time is that of this process, not the clock's, so that a busy machine skips no page. The limit holds between
Python's steps: what the parser does, which is one step, `sitestencil.page.limits` bounds. It holds in a process's
main thread, where works run, and not on Windows, which has no such signal.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST_SECONDS = 30.0


class TimeIsUp(BaseException):
    """A page took too long; no `except Exception` on the way shall hold it up."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Limit the time of the block; None sets no limit, and leaves the signal to whom it belongs.

    Raises:
        TimeIsUp: it took longer.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if seconds is None or not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TimeIsUp
