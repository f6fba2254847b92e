"""Starts a worker. The host does this first, so this module imports almost nothing."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NoReturn, TypeAlias

if TYPE_CHECKING:
    import subprocess

    StartedWorker: TypeAlias = "subprocess.Popen[bytes] | ForkedWorker"

# -P: take no module from the browser's working directory.
COMMAND = (sys.executable, "-EP", "-m", "sitestencil_host.worker.loop")
# macOS restricts forked processes, and Windows has none.
FORKS = sys.platform == "linux"
# After standard input, output and error.
_FIRST_OTHER_FILE = 3


def start_worker() -> "StartedWorker":
    """Start a worker. It ends with this process, because its input then ends.

    Raises:
        OSError: no process can be started.
    """
    import subprocess

    return subprocess.Popen(  # noqa: S603 - our own program
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        # Ctrl-C at a terminal is for the host, which ends its workers itself.
        process_group=None if sys.platform == "win32" else 0,
    )


def first_worker() -> "StartedWorker | None":
    """Start a worker for the first request; a failure is retried and reported later.

    If possible, it forks this process, which saves an interpreter's start and imports. The process must not yet
    have threads or have read its input.
    """
    try:
        if not FORKS:
            return start_worker()
        import gc
        from importlib import import_module

        gc.disable()
        import_module("sitestencil_host.messaging.messages")  # imports most of what both need
        gc.freeze()
        gc.enable()
        return fork_worker(_work_for_host)
    except OSError:
        return None


def _work_for_host() -> NoReturn:
    if not sys.flags.safe_path:
        del sys.path[0]
    from sitestencil_host.worker.loop import main

    main()


class ForkedWorker:
    """A forked worker, with the part of `subprocess.Popen` that the host needs.

    Attributes:
        pid: of the process.
        stdin: takes its frames.
        stdout: gives its frames.
    """

    def __init__(self, process_id: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = process_id
        self.stdin = stdin
        self.stdout = stdout
        self._status: int | None = None
        self._ending = threading.Lock()

    def kill(self) -> None:
        """Kill the process, unless it has ended."""
        with self._ending:
            if self._status is None:
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for the exit status; a signal gives its negative number."""
        if self._status is None:
            # The pid stays valid until its status is read, which never happens during a kill.
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._ending:
            if self._status is None:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            return self._status


def fork_worker(work: Callable[[], NoReturn]) -> "ForkedWorker":
    """Fork a worker that has its frames on standard input and output.

    This process must have no threads, and must not have read its input.

    Raises:
        OSError: no process can be started.
    """
    for_worker, to_worker = os.pipe()
    from_worker, of_worker = os.pipe()
    process_id = os.fork()
    if process_id == 0:
        # Closed by name: if standard error is closed, one of them has its number.
        os.close(to_worker)
        os.close(from_worker)
        _work(for_worker, of_worker, work)
    with suppress(OSError):  # it may have ended
        os.setpgid(process_id, process_id)  # as the worker does itself, whichever comes first
    os.close(for_worker)
    os.close(of_worker)
    return ForkedWorker(process_id, os.fdopen(to_worker, "wb"), os.fdopen(from_worker, "rb"))


def _work(incoming: int, outgoing: int, work: Callable[[], NoReturn]) -> NoReturn:
    """Run in the child, and never return."""
    try:
        os.setpgid(0, 0)
        os.dup2(incoming, sys.stdin.fileno())
        os.dup2(outgoing, sys.stdout.fileno())
        os.closerange(_FIRST_OTHER_FILE, os.sysconf("SC_OPEN_MAX"))
        work()
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        os._exit(1)
