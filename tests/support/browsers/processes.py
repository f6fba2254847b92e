"""The processes of the host, as the system names them."""

from contextlib import suppress
from pathlib import Path

from tests.support.browsers.browser import Browser


def host_processes(browser: Browser, *, with_workers: bool = False) -> list[int]:
    """Return the hosts that this browser has started, and their workers where they are wanted."""
    names = (b"sitestencil-host", b"sitestencil_host" if with_workers else b"sitestencil_host\0")
    hosts = []
    for process in browser.scratch.processes():
        with suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            if any(name in command for name in names):
                hosts.append(process)
    return hosts
