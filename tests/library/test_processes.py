"""Processes that share work."""

import pytest

from sitestencil.cli import main
from sitestencil.processes import process_count


def test_there_are_never_more_processes_than_tasks_and_always_one() -> None:
    assert process_count(8, tasks=3) == 3
    assert process_count(2, tasks=3) == 2
    assert process_count(None, tasks=0) == process_count(None, tasks=1) == 1
    assert process_count(100, tasks=1000) == 61


@pytest.mark.parametrize("jobs", ["0", "-1", "two", ""])
def test_a_number_of_jobs_that_is_none_is_wrong_usage(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["benchmark", "sites", f"--jobs={jobs}"])
    assert ended.value.code == 2
    assert "is not a whole number of at least 1" in capsys.readouterr().err
