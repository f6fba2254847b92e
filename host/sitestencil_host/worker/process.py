"""A worker from the host's side: a process that exchanges frames, has limits, and can be killed."""

import logging
import math
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import LONGEST_IN, FrameReader, FrameWriter, OutputClosed

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


if TYPE_CHECKING:
    from sitestencil_host.worker.start import StartedWorker

log = logging.getLogger(__name__)


class WorkerProcess:
    """Exchanges frames with a worker.

    Args:
        process: the worker, just started.
        on_frame: called with each of its frames, in a separate thread.
        on_end: called once, in that thread, with the exit status.
    """

    def __init__(
        self,
        process: "StartedWorker",
        on_frame: Callable[["WorkerProcess", bytes], None],
        on_end: Callable[["WorkerProcess", int], None],
    ) -> None:
        self._process = process
        self._on_frame = on_frame
        self._on_end = on_end
        self._frames: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._write, name="to worker", daemon=True).start()
        threading.Thread(target=self._read, name="from worker", daemon=True).start()

    @property
    def process_id(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, payload: bytes) -> None:
        """Send a frame without waiting for the worker."""
        self._frames.put(payload)

    def kill(self) -> None:
        """Kill the worker."""
        self._process.kill()

    def _write(self) -> None:
        assert self._process.stdin is not None
        output = FrameWriter(self._process.stdin, LONGEST_IN)
        with suppress(OutputClosed):
            while (payload := self._frames.get()) is not None:
                output.write(payload)
        with suppress(OSError):
            self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            try:
                for frame in FrameReader(stream):
                    if isinstance(frame, HostError):
                        break
                    self._on_frame(self, frame)
            except Exception:
                log.exception("what a worker sent could not be handled")
            self._process.kill()
        status = self._process.wait()
        self._frames.put(None)
        self._on_end(self, status)
