"""Processes that share the work of a measurement."""

from operator import floordiv

import pytest
from tests.support.tables import table

from sitestencil_research.running import results_as_done


@table("processes", [1, 2])
def test_each_task_comes_with_its_own_result(processes: int) -> None:
    arguments = {name: (number, 2) for number, name in enumerate("abcdef")}
    assert dict(results_as_done(floordiv, arguments, processes)) == dict(
        zip("abcdef", (0, 0, 1, 1, 2, 2), strict=True)
    )


@table("processes", [1, 2])
def test_an_error_in_a_task_ends_the_work(processes: int) -> None:
    with pytest.raises(ZeroDivisionError):
        dict(results_as_done(floordiv, {"a": (1, 0), "b": (1, 1)}, processes))
