"""The processes of the host, as the system names them."""

from contextlib import suppress
from pathlib import Path

from demo.browsers import Browser


def host_processes(browser: Browser) -> list[int]:
    """Return the hosts that this browser has started, their workers not among them."""
    hosts = []
    for process in browser.scratch.processes():
        with suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"sitestencil-host" in command or b"sitestencil_host\0" in command:
                hosts.append(process)
    return hosts
