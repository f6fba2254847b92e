"""A worker that is a copy of the process that starts it."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import IO, NoReturn

# After standard input, output and error.
_FIRST_OTHER_FILE = 3


class ForkedWorker:
    """A worker's process, with the part of `subprocess.Popen` that the host needs.

    Attributes:
        pid: the system's number of it.
        stdin: where its frames go.
        stdout: where frames come from.
    """

    def __init__(self, process_id: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = process_id
        self.stdin = stdin
        self.stdout = stdout
        self._status: int | None = None
        self._ending = threading.Lock()

    def kill(self) -> None:
        """End it at once, if it has not ended."""
        with self._ending:
            if self._status is None:
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Return its exit status when it has ended; the negative number of the signal that ended it."""
        if self._status is None:
            # Its number stays its own until it is asked for its status, which is not done while it is killed.
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._ending:
            if self._status is None:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            return self._status


def fork_worker(work: Callable[[], NoReturn]) -> ForkedWorker:
    """Start a worker; this process must have no threads, and must have read nothing of its input.

    Args:
        work: what it does, its frames on standard input and output.

    Raises:
        OSError: no process can be started.
    """
    for_worker, to_worker = os.pipe()
    from_worker, of_worker = os.pipe()
    process_id = os.fork()
    if process_id == 0:
        # Here by name: where standard error is closed, one of them is in its place, and would stay.
        os.close(to_worker)
        os.close(from_worker)
        _work(for_worker, of_worker, work)
    os.close(for_worker)
    os.close(of_worker)
    return ForkedWorker(process_id, os.fdopen(to_worker, "wb"), os.fdopen(from_worker, "rb"))


def _work(incoming: int, outgoing: int, work: Callable[[], NoReturn]) -> NoReturn:
    """Work in the copy, which never does anything of what the process goes on to do that it is of."""
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
