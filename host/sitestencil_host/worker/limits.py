"""What one extraction may take of the machine, and how a process is held to it."""

import math
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# Measured: a page of 100,000 elements and three like it take 8 s and 0.6 GB, of 200,000 elements 15 s and 1.0 GB.
PROCESSOR_SECONDS = 20.0
# All loads of an extraction together have 30 s (`sitestencil.site.loading`).
SECONDS = 60.0
MEMORY_BYTES = 1_500_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has taken.

    Attributes:
        processor_seconds: since its start.
        memory_bytes: that it holds now.
    """

    processor_seconds: float
    memory_bytes: int


def usage_of(process_id: int) -> Usage | None:
    """Return what a process has taken; None where the system has no ``/proc`` to tell, or the process is gone."""
    try:
        line = Path(f"/proc/{process_id}/stat").read_bytes()
    except OSError:
        return None
    fields = line.rpartition(b")")[2].split()
    user, system, pages = int(fields[11]), int(fields[12]), int(fields[21])
    return Usage((user + system) / _TICKS, pages * _PAGE_BYTES)


def limit_memory() -> None:
    """Let this process take not much more memory than the limit, where the system can hold it to that."""
    if sys.platform != "win32":
        _limit(resource.RLIMIT_DATA, MEMORY_BYTES * 4 // 3)
        _limit(resource.RLIMIT_CORE, 0)


def limit_processor_time(seconds: float = PROCESSOR_SECONDS) -> None:
    """Let the system end this process after so much more processor time, even where its host is gone."""
    if sys.platform != "win32":
        _limit(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds))


def limit_that_ended(status: int) -> str | None:
    """Return in words which limit the system ended a process by, given its exit status; None where it was none."""
    if sys.platform != "win32" and status == -signal.SIGXCPU:
        return "the system's limit of processor time"
    return None


if sys.platform != "win32":
    import os
    import resource
    import signal

    _TICKS, _PAGE_BYTES = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")

    def _limit(what: int, value: int) -> None:
        """Set the limit that the system acts upon; the one up to which it may be raised again stays."""
        _, most = resource.getrlimit(what)
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (value if most == resource.RLIM_INFINITY else min(value, most), most))

else:
    _TICKS, _PAGE_BYTES = 100, 4096
