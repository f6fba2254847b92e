"""Run work over sites or pages in several processes, with the results in order."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sitestencil.processes import results_as_done

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
