"""The resources of a process, and the system's limits on them."""

import mmap
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitestencil_host.worker.limits import limit_that_ended, usage_of

on_unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
on_linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@on_linux
def test_the_processor_time_of_a_process_is_told_as_it_tells_it_itself() -> None:
    while time.process_time() < 0.3:
        continue
    usage = usage_of(os.getpid())
    assert usage is not None
    assert abs(usage.processor_seconds - time.process_time()) < 0.1


@on_linux
def test_the_memory_of_a_process_grows_by_what_it_takes() -> None:
    # Python may keep freed memory, and give that.
    before = usage_of(os.getpid())
    taken = mmap.mmap(-1, 50_000_000, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for start in range(0, len(taken), mmap.PAGESIZE):
        taken[start] = 1
    after = usage_of(os.getpid())
    assert before is not None
    assert after is not None
    assert 0.8 < (after.memory_bytes - before.memory_bytes) / len(taken) < 1.2


def test_a_process_that_is_gone_takes_nothing() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert usage_of(gone.pid) is None


@on_unix
def test_the_system_ends_a_process_at_its_processor_time_and_the_status_tells() -> None:
    program = (
        "from sitestencil_host.worker.limits import limit_processor_time\nlimit_processor_time(1)\nwhile True: pass"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert limit_that_ended(ended.returncode) == "the system's limit of processor time"
    assert limit_that_ended(0) is limit_that_ended(1) is limit_that_ended(-9) is None


@on_linux
def test_the_system_refuses_memory_beyond_the_limit() -> None:
    program = (
        "from sitestencil_host.worker.limits import limit_memory\nlimit_memory()\n"
        "try: b'x' * 2_500_000_000\nexcept MemoryError: raise SystemExit(7)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 7
