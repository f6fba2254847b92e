"""Processes that share work over many pages."""

import multiprocessing
import signal
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any


def pool(processes: int) -> ProcessPoolExecutor:
    """Return an executor of so many fresh processes; Ctrl+C reaches this process only, which ends them."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=spawn, initializer=_leave_interrupts_to_the_parent)


def leave(pools: Iterable[ProcessPoolExecutor], futures: "Iterable[Future[Any]]") -> None:
    """End processes after what each is doing now.

    Their futures are cancelled here: an executor that is told to do it without waiting forgets that as soon as
    nobody refers to it, and works off all of them before the program can end.
    """
    for future in futures:
        future.cancel()
    for each in pools:
        each.shutdown(wait=False)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
