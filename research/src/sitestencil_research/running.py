"""Run work over sites or pages in several processes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from typing import Any, TypeVar

from sitestencil.processes import ProcessPool, process_count, shut_down

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
Done = Callable[[int, int], None]


def ignored(_done: int, _total: int) -> None:
    """Tell nobody what is done."""


def results_in_order(
    function: Callable[..., _Result],
    tasks: Sequence[tuple[Any, ...]],
    processes: int | None = None,
    done: Done = ignored,
    sizes: Sequence[int] | None = None,
) -> list[_Result]:
    """Call a module's function with the arguments of each task; the number of processes changes no result.

    Args:
        function: a module's function, or a bound method of a picklable value.
        tasks: the arguments of each call.
        processes: the number of processes; one per core by default.
        done: is told the finished size and the whole one.
        sizes: the size of each task; 1 by default.
    """
    weights = [1] * len(tasks) if sizes is None else sizes
    results: dict[int, _Result] = {}
    for number, result in results_as_done(function, dict(enumerate(tasks)), processes):
        results[number] = result
        done(sum(weights[one] for one in results), sum(weights))
    return [results[number] for number in range(len(tasks))]


def results_as_done(
    function: Callable[..., _Result], arguments: Mapping[_Task, tuple[Any, ...]], processes: int | None = None
) -> Iterator[tuple[_Task, _Result]]:
    """Call a function for each task, and yield each task with its result as it completes.

    Args:
        function: a module's function, or a bound method of a picklable value.
        arguments: the function's arguments, by task.
        processes: see `sitestencil.processes.process_count`; one is this process, and the tasks keep their order.
    """
    count = process_count(processes, len(arguments))
    if count == 1:
        for task, task_arguments in arguments.items():
            yield task, function(*task_arguments)
        return
    pool = ProcessPool(count)
    futures = {pool.submit(function, *task_arguments): task for task, task_arguments in arguments.items()}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        shut_down([pool], futures)
