"""Starting a worker. This is the first that the host does, so that it imports next to nothing."""

import sys
from typing import TYPE_CHECKING, NoReturn, Protocol

if TYPE_CHECKING:
    from typing import IO

# -P: no module is taken from the folder that the browser happened to be started in.
COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "sitestencil_host.worker.loop")
# macOS lets a copy of a process use only a part of the system, and Windows knows no copies.
FORKS = sys.platform == "linux"


class StartedWorker(Protocol):
    """A worker's process, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int:
        """The system's number of it."""

    @property
    def stdin(self) -> "IO[bytes] | None":
        """Where its frames go."""

    @property
    def stdout(self) -> "IO[bytes] | None":
        """Where frames come from."""

    def kill(self) -> None:
        """End it at once, if it has not ended."""

    def wait(self) -> int:
        """Return its exit status when it has ended; the negative number of the signal that ended it."""


def start_worker() -> StartedWorker:
    """Start a worker, which then gets ready; it ends when this process does, for its input ends then.

    Raises:
        OSError: no process can be started.
    """
    import subprocess

    return subprocess.Popen(  # noqa: S603 - our own program
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        # The key that ends a program at a terminal is for the host; it ends its workers itself.
        process_group=None if sys.platform == "win32" else 0,
    )


def first_worker() -> StartedWorker | None:
    """Start a worker for the first request; where that fails, it is tried again and told then.

    It is a copy of this process where that is possible, which spares it the start of an interpreter and what both
    import. This has to come before this process has threads or has read of its input.
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
