"""Hosts with a part of them exchanged, for tests."""

import sys


def patched(host: str = "", worker: str = "") -> tuple[str, ...]:
    """Return the command of a host that runs a program first, and whose workers run another one first."""
    worker = f"{worker}\nfrom sitestencil_host.worker.loop import main\nmain()"
    return (
        sys.executable,
        "-c",
        f"import sys, sitestencil_host.worker.start\n"
        f"sitestencil_host.worker.start.FORKS = False\n"
        f"sitestencil_host.worker.start.COMMAND = (sys.executable, '-c', {worker!r})\n"
        f"{host}\nfrom sitestencil_host.main import main\nmain()",
    )
