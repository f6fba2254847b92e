"""Processes that share work over many pages or sites: their number, start and end."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from threading import Thread
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_MOST_PROCESSES = 61  # the most that Windows can wait for


def process_count(wanted: int | None, tasks: int = _MOST_PROCESSES) -> int:
    """Return how many processes are to share some tasks; at least 1, and never more than there are tasks.

    Args:
        wanted: the number the user asks for; None means one per core that this process may use.
        tasks: the number of tasks.
    """
    return max(1, min(wanted or _usable_cores(), tasks, _MOST_PROCESSES))


class ProcessPool(ProcessPoolExecutor):
    """Fresh processes, which end with this one however it ends. Signals to end reach this one alone.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        super().__init__(count, mp_context=spawn, initializer=_belong_to_the_parent)

    def kill(self) -> None:
        """End the processes at once, whatever they have in hand."""
        for process in list((self._processes or {}).values()):
            process.kill()
        self.shutdown(cancel_futures=True)


def shut_down(pools: Iterable[ProcessPoolExecutor], futures: "Iterable[Future[Any]]") -> None:
    """End the processes after their current tasks.

    This function cancels the futures one by one. An executor told to cancel without waiting forgets to do so once
    nothing refers to it. It then finishes all futures before the program can end.
    """
    for future in futures:
        future.cancel()
    for pool in pools:
        pool.shutdown(wait=False)


def results_as_done(
    function: Callable[..., _Result], arguments: Mapping[_Task, tuple[Any, ...]], processes: int | None = None
) -> Iterator[tuple[_Task, _Result]]:
    """Call a function for each task, and yield each task with its result once it is finished.

    Args:
        function: a module's function, or a bound method of a picklable value.
        arguments: the function's arguments, by task.
        processes: see `process_count`. With one, all runs in this process and the tasks keep their order.
    """
    count = process_count(processes, len(arguments))
    if count == 1:
        for task, own in arguments.items():
            yield task, function(*own)
        return
    pool = ProcessPool(count)
    futures = {pool.submit(function, *own): task for task, own in arguments.items()}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        shut_down([pool], futures)


def _usable_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _belong_to_the_parent() -> None:
    """Leave signals to the parent, and end with it: one that was killed tells nobody."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
