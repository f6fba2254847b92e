"""Processes that share work over many pages or sites: how many there are, how they start and how they end."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from threading import Thread
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_MOST_PROCESSES = 61  # what Windows can wait for


def process_count(wanted: int | None, tasks: int = _MOST_PROCESSES) -> int:
    """Return how many processes are to share some tasks; at least 1, and never more than there are tasks.

    Args:
        wanted: how many the user asks for; None: one for each core that this process may use.
        tasks: how many there are.
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
    """End processes after what each is doing now.

    The futures are cancelled here, one by one. An executor that is asked to cancel them without waiting forgets to
    do so as soon as nothing refers to the executor, and finishes all of them before the program can end.
    """
    for future in futures:
        future.cancel()
    for pool in pools:
        pool.shutdown(wait=False)


def results_as_done(
    function: Callable[..., _Result], arguments: Mapping[_Task, tuple[Any, ...]], processes: int | None = None
) -> Iterator[tuple[_Task, _Result]]:
    """Call a function for each task, and yield each task with its result as soon as it is there.

    Args:
        function: of a module, or a bound method of a value that can be pickled.
        arguments: of the function, by task.
        processes: see `process_count`. With one, nothing leaves this process and the tasks keep their order.
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
