"""A worker from the host's side: a process that exchanges frames, and can be killed."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING

from sitestencil_host.errors import HostError
from sitestencil_host.messaging.frames import LONGEST_IN, FrameReader, FrameWriter, OutputClosed

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
