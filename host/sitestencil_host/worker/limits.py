"""The limits of a worker's process, and what it has used."""

import math
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# Measured: a page of 100,000 elements and three like it take 8 s and 0.6 GB, of 200,000 elements 15 s and 1.0 GB.
PROCESSOR_SECONDS = 20.0
# All loads of an extraction have 30 s in all (`sitestencil.site.loading`).
SECONDS = 60.0
MEMORY_BYTES = 1_500_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """The resources that a process has used.

    Attributes:
        processor_seconds: used since its start.
        memory_bytes: held now.
    """

    processor_seconds: float
    memory_bytes: int


def usage_of(process_id: int) -> Usage | None:
    """Return a process's usage; None without ``/proc``, or if the process is gone."""
    try:
        line = Path(f"/proc/{process_id}/stat").read_bytes()
    except OSError:
        return None
    fields = line.rpartition(b")")[2].split()
    user, system, pages = int(fields[11]), int(fields[12]), int(fields[21])
    return Usage((user + system) / _TICKS, pages * _PAGE_BYTES)


def limit_memory() -> None:
    """Limit this process's memory, if the system can."""
    if sys.platform != "win32":
        _limit(resource.RLIMIT_DATA, MEMORY_BYTES * 4 // 3)
        _limit(resource.RLIMIT_CORE, 0)


def limit_processor_time(seconds: float = PROCESSOR_SECONDS) -> None:
    """Let the system kill this process after so much more processor time, even without its host."""
    if sys.platform != "win32":
        _limit(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds))


def limit_that_ended(status: int) -> str | None:
    """Return in words the limit that ended a process of this exit status; None for any other end."""
    if sys.platform != "win32" and status == -signal.SIGXCPU:
        return "the system's limit of processor time"
    return None


if sys.platform != "win32":
    import os
    import resource
    import signal

    _TICKS, _PAGE_BYTES = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")

    def _limit(what: int, value: int) -> None:
        """Set the soft limit; the hard limit stays."""
        _, most = resource.getrlimit(what)
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (value if most == resource.RLIM_INFINITY else min(value, most), most))

else:
    _TICKS, _PAGE_BYTES = 100, 4096
