"""Processes that share work."""

import signal
from concurrent.futures import ProcessPoolExecutor

import pytest

from sitestencil.cli import main
from sitestencil.processes import ProcessPool, process_count


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows cannot hold signals back")
def test_a_signal_to_end_waits_until_a_process_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []

    def submit(_: ProcessPoolExecutor, task: object, __: int) -> None:
        signal.raise_signal(signal.SIGINT)
        started.append(task)
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    pool = ProcessPool(1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a worker of pytest's ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            pool.submit(process_count, 1)

        assert started == [process_count]
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
        pool.shutdown()


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
