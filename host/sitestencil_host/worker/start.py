"""Starts a worker. The host does this first, so this module imports almost nothing."""

import sys
from typing import TYPE_CHECKING, NoReturn, Protocol

if TYPE_CHECKING:
    from typing import IO

# -P: take no module from the browser's working directory.
COMMAND = (sys.executable, "-P", "-m", "sitestencil_host.worker.loop")
# macOS restricts forked processes, and Windows has none.
FORKS = sys.platform == "linux"


class StartedWorker(Protocol):
    """A worker's process, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int:
        """The process id."""

    @property
    def stdin(self) -> "IO[bytes] | None":
        """Takes its frames."""

    @property
    def stdout(self) -> "IO[bytes] | None":
        """Gives its frames."""

    def kill(self) -> None:
        """Kill the process, unless it has ended."""

    def wait(self) -> int:
        """Wait for the exit status; a signal gives its negative number."""


def start_worker() -> StartedWorker:
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


def first_worker() -> StartedWorker | None:
    """Start a worker for the first request; a failure is retried and reported later.

    If possible, it forks this process, which saves an interpreter's start and imports. The process must not yet
    have threads or have read its input.
    """
    try:
        return _copy_of_this_process() if FORKS else start_worker()
    except OSError:
        return None


def _copy_of_this_process() -> StartedWorker:
    import gc
    from importlib import import_module

    gc.disable()
    import_module("sitestencil_host.messaging.request_parts")  # imports most of what both need
    from sitestencil_host.worker.forked import fork_worker

    gc.freeze()
    gc.enable()
    return fork_worker(_work)


def _work() -> NoReturn:
    if not sys.flags.safe_path:
        del sys.path[0]
    from sitestencil_host.worker.loop import main

    main()
