"""The first worker, where it is a copy of the host: it has pipes of its own, and nothing else of the host's."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.host.conftest import Host

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker is started anew")

WORK = """
import os, sys
from sitestencil_host.worker.start import fork_worker

def work():
    import sys
    {work}
    sys.stdout.flush()
    os._exit(3)

worker = fork_worker(work)
{host}
"""


def run(work: str, host: str, *, passed: tuple[int, ...] = ()) -> str:
    """Return what a program prints that starts a worker."""
    command = [sys.executable, "-c", WORK.format(work=work, host=host)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, pass_fds=passed
    )
    return done.stdout + done.stderr


def test_what_is_sent_is_read_and_what_is_written_comes_back_with_the_status() -> None:
    send = "worker.stdin.write(b'one\\n'); worker.stdin.flush()"
    host = f"{send}; print(worker.stdout.read(), worker.wait(), worker.wait())"
    assert run("print(sys.stdin.readline().strip() * 2)", host) == "b'oneone\\n' 3 3\n"


def test_a_killed_worker_tells_the_signal_and_is_not_killed_again() -> None:
    host = "worker.kill(); print(worker.wait()); worker.kill()"
    assert run("sys.stdin.read()", host) == "-9\n"


def test_a_mistake_in_the_worker_is_told_and_never_goes_on_as_the_host() -> None:
    told = run("1 / 0", "print(worker.wait())")
    assert "ZeroDivisionError" in told
    assert told.count("1\n") == 1


def test_it_holds_no_file_of_the_host() -> None:
    reading, writing = os.pipe()
    try:
        told = run(
            "print(sorted(map(int, os.listdir('/proc/self/fd')))[:4])",
            "print(worker.stdout.read())",
            passed=(writing,),
        )
    finally:
        os.close(reading)
        os.close(writing)
    # The fourth is that of the listing itself.
    assert "[0, 1, 2, 3]" in told


def test_it_ends_with_its_input_also_where_standard_error_is_closed() -> None:
    program = WORK.format(work="sys.stdin.read()", host="worker.stdin.close(); print(worker.wait())")
    command = ["/bin/sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, program]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=20, check=True
    )
    assert done.stdout == "3\n"


def children_of(process_id: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()]


def test_the_hosts_first_worker_is_a_copy_of_it_in_a_group_of_its_own(start_host: Callable[..., Host]) -> None:
    host = start_host()
    host.ask({"type": "hello", "id": 1, "protocol": 1})
    (worker,) = children_of(host.process.pid)
    assert Path(f"/proc/{worker}/cmdline").read_bytes() == Path(f"/proc/{host.process.pid}/cmdline").read_bytes()
    assert os.getpgid(worker) == worker
