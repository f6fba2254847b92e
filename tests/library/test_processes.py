"""Processes that share work."""

from operator import floordiv

import pytest
from tests.support.tables import table

from sitestencil.cli import main
from sitestencil.processes import process_count, results_as_done


def test_there_are_never_more_processes_than_tasks_and_always_one() -> None:
    assert process_count(8, tasks=3) == 3
    assert process_count(2, tasks=3) == 2
    assert process_count(None, tasks=0) == process_count(None, tasks=1) == 1
    assert process_count(100, tasks=1000) == 61


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


@pytest.mark.parametrize("jobs", ["0", "-1", "two", ""])
def test_a_number_of_jobs_that_is_none_is_wrong_usage(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["benchmark", "sites", f"--jobs={jobs}"])
    assert ended.value.code == 2
    assert "is not a whole number of at least 1" in capsys.readouterr().err
