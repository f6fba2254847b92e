"""Processes that share work over many pages or sites: their number, start and end."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_MOST_PROCESSES = 61  # the most that Windows can wait for


def process_count(wanted: int | None, tasks: int) -> int:
    """Return the number of processes for some tasks: at least 1, and never more than the tasks.

    Args:
        wanted: the number the user asks for; None means one per core that this process may use.
        tasks: the number of tasks.
    """
    return max(1, min(wanted or _usable_cores(), tasks, _MOST_PROCESSES))


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of new processes. Ctrl+C reaches only this process, which then ends them."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=spawn, initializer=_leave_interrupts_to_the_parent)


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
    pool = process_pool(count)
    futures = {pool.submit(function, *own): task for task, own in arguments.items()}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        shut_down([pool], futures)


def _usable_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
