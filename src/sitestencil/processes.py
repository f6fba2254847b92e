"""Run work over many pages or sites in several processes."""

import multiprocessing
import os
import signal
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from threading import Thread
from typing import Any

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


def _belong_to_the_parent() -> None:
    """Leave signals to the parent, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
