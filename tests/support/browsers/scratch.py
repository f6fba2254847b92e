"""Folder and processes of one driven browser: nothing of them outlives it, nothing touches the user's own."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

MARK = "SITESTENCIL_SCRATCH"
OWN_VARIABLES = ("DBUS_SESSION_BUS_ADDRESS", "SITESTENCIL_LOG_DIR", "MOZ_CRASHREPORTER_DATA_DIRECTORY")


class Scratch:
    """A temporary folder with HOME, profile and downloads, and the browser's process."""

    def __init__(self, name: str) -> None:
        # the path of a socket has some 100 characters, and Chromium opens one below its TMPDIR
        folder = tempfile.gettempdir() if len(tempfile.gettempdir()) < 30 else "/tmp"
        self.root = Path(tempfile.mkdtemp(prefix=f"stencil-{name}-", dir=folder)).resolve()
        self.home = self._folder("home")
        self.profile = self._folder("profile")
        self.downloads = self._folder("downloads")
        self.log = self.root / "browser.log"
        self._process: subprocess.Popen[bytes] | None = None

    def _folder(self, name: str) -> Path:
        folder = self.root / name
        folder.mkdir(mode=0o700)
        return folder

    def environment(self) -> dict[str, str]:
        """The variables for the browser and for the project's commands, with every folder in the scratch."""
        outer = dict(os.environ)
        authority = Path(outer.get("XAUTHORITY", Path.home() / ".Xauthority"))
        for name in OWN_VARIABLES:
            outer.pop(name, None)
        if authority.is_file():
            outer["XAUTHORITY"] = str(authority)
        return outer | {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "TMPDIR": str(self.root),
            MARK: str(self.root),
        }

    def start(self, command: list[str], variables: dict[str, str], descriptors: tuple[int, ...] = ()) -> None:
        """Start the browser in a process group of its own, its output in the log."""
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                env=self.environment() | variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=descriptors,
                start_new_session=True,
                cwd=self.root,
            )

    def running(self) -> bool:
        """Whether the browser's first process is alive."""
        return self._process is not None and self._process.poll() is None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the browser's end; False if it is still running after `seconds`."""
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return False
        return True

    def last_words(self, lines: int = 8) -> str:
        """The end of the browser's log, for an error message."""
        text = self.log.read_text("utf-8", "replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:]) or "(it wrote nothing)"

    def kill(self) -> None:
        """Kill the browser's first process, as the system does that has no memory left."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)

    def remove(self) -> None:
        """Kill what still runs, and delete the folder."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for _ in range(50):  # a dying process may still write into its profile
            shutil.rmtree(self.root, ignore_errors=True)
            if not self.root.exists():
                return
            time.sleep(0.1)

    def processes(self) -> list[int]:
        """Every living process that was started with this scratch's mark (where /proc tells)."""
        mark = f"{MARK}={self.root}".encode()
        living = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    living.append(int(folder.name))
        return living
