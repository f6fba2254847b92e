"""Run work over many pages or sites in several processes."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

_Values = ParamSpec("_Values")
_Result = TypeVar("_Result")

_TO_END = (signal.SIGINT, signal.SIGTERM)
_MOST_PROCESSES = 61  # Windows cannot wait for more


def process_count(wanted: int | None, tasks: int = _MOST_PROCESSES) -> int:
    """Return the number of processes for some tasks: at least 1, at most one per task.

    Args:
        wanted: the wanted number; None means one per core that this process may use.
        tasks: the number of tasks.
    """
    return max(1, min(wanted or _usable_cores(), tasks, _MOST_PROCESSES))


class ProcessPool(ProcessPoolExecutor):
    """New processes, which end with this one in any case. Only this one receives signals to end.

    Args:
        count: the number of processes.
    """

    def __init__(self, count: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        super().__init__(count, mp_context=spawn, initializer=_belong_to_the_parent)

    def submit(
        self, task: Callable[_Values, _Result], /, *args: _Values.args, **named: _Values.kwargs
    ) -> "Future[_Result]":
        """Submit a task. A process that starts for it starts whole: a signal to end waits until it has.

        Raises:
            RuntimeError: the processes have ended.
        """
        with _signals_wait():
            return super().submit(task, *args, **named)

    def kill(self) -> None:
        """Kill the processes at once, with their tasks."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


def shut_down(pools: Iterable[ProcessPoolExecutor], futures: "Iterable[Future[Any]]") -> None:
    """End the processes after their current tasks.

    Cancel each future separately: an executor that cancels without waiting forgets it once nothing refers to it.
    Then it would finish all futures before the program can end.
    """
    for future in futures:
        future.cancel()
    for pool in pools:
        pool.shutdown(wait=False)


def _usable_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Answer signals to end after the block. Processes that it starts never receive them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in _TO_END}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _TO_END) if sys.platform != "win32" else None
    try:
        yield
    finally:
        if sys.platform != "win32" and mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
        for signal_number in came:
            signal.raise_signal(signal_number)


def _belong_to_the_parent() -> None:
    """Leave signals to the parent, and end with it even if it is killed."""
    for number in _TO_END:
        signal.signal(number, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
