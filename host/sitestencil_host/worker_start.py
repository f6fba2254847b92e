"""Starting a worker. This is the first that the host does, so that it imports next to nothing."""

import subprocess
import sys

# -P: no module is taken from the folder that the browser happened to be started in.
COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "sitestencil_host.worker")
# The key that ends a program at a terminal is for the host; it ends its workers itself.
_OWN_GROUP = None if sys.platform == "win32" else 0
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)


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


def first_worker() -> "subprocess.Popen[bytes] | None":
    """Start a worker for the first request; where that fails, it is tried again and told then."""
    try:
        return start_worker()
    except OSError:
        return None
