"""A worker as the host sees it: a process with frames to it and from it, which can be killed."""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from sitestencil_host.errors import HostError
from sitestencil_host.frames import LONGEST_IN, FrameReader, FrameWriter, OutputClosed

# -P: no module is taken from the folder that the browser happened to be started in.
COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "sitestencil_host.worker")
# The key that ends a program at a terminal is for the host; it ends its workers itself.
_OWN_GROUP = None if sys.platform == "win32" else 0
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)

log = logging.getLogger(__name__)


def start_worker() -> "subprocess.Popen[bytes]":
    """Start a worker, which then gets ready; it ends when this process does, for its input ends then.

    Raises:
        OSError: no process can be started.
    """
    return subprocess.Popen(  # noqa: S603 - our own program
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        creationflags=_NO_WINDOW,
        process_group=_OWN_GROUP,
    )


class WorkerProcess:
    """Speaks with a worker.

    Args:
        process: the worker, just started.
        on_frame: is called with each frame from it, from a thread of its own.
        on_end: is called once, from that thread, with its exit status.
    """

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
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
        """The system's number of the process."""
        return self._process.pid

    def send(self, payload: bytes) -> None:
        """Send a frame; without waiting until the worker has read it."""
        self._frames.put(payload)

    def kill(self) -> None:
        """End it at once, whatever it does."""
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
