"""A root of its own: this machine's, with all changes in memory, without network, and gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

_TOOLS = ("unshare", "nsenter", "setpriv", "mount", "pivot_root", "apt-get", "ip")
_NAMESPACES = ("--mount", "--pid", "--net", "--fork", "--kill-child", "--propagation", "private")
# Another root, such as one of debootstrap's with the browsers in it, may be named.
BELOW = os.environ.get("SITESTENCIL_ROOT", "/")
_START = """
set -e
mount -t tmpfs -o size=$2 tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=$3,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /sys "$1/root/sys"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs -o mode=1777,size=600m tmpfs "$1/root/tmp"
ip link set lo up
# Not chroot, in which Chromium's sandbox could not start.
mkdir -p "$1/root/mnt/machine"
cd "$1/root"
pivot_root . mnt/machine
umount -l /mnt/machine
rmdir /mnt/machine
echo ready
exec sleep infinity
"""


class NoCleanRootError(Exception):
    """A clean root cannot be made here; the message says why."""


def check() -> None:
    """Check that this machine can make one.

    Raises:
        NoCleanRootError: it cannot.
    """
    if os.geteuid() != 0:
        raise NoCleanRootError("installing the Debian package into a clean root needs root")
    if missing := [tool for tool in _TOOLS if shutil.which(tool) is None]:
        raise NoCleanRootError(f"installing the Debian package into a clean root needs {', '.join(missing)}")


class CleanRoot:
    """Use as a context manager; leaving it ends every process in it.

    Args:
        size: the room for all changes, as mount(8) takes it.
    """

    def __init__(self, size: str = "1500m") -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="sitestencil-root-"))
        self._process = subprocess.Popen(
            ["unshare", *_NAMESPACES, "sh", "-c", _START, "sh", self._folder, size, BELOW],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            error = self._process.communicate()[1]
            self.close()
            raise NoCleanRootError(f"a clean root could not be made: {error.strip()}")
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        self._inside = children[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._process.kill()
        self._process.wait(10)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        with suppress(OSError):
            self._folder.rmdir()

    def run(self, *command: str, user: str = "root", seconds: float = 240) -> "subprocess.CompletedProcess[str]":
        """Run a command in it, with output and errors together."""
        entered = ["nsenter", "--target", self._inside, "--mount", "--pid", "--net"]
        as_user = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        home = "/root" if user == "root" else f"/home/{user}"
        return subprocess.run(
            [*entered, *as_user, *command],
            env={"HOME": home, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
            | {"DEBIAN_FRONTEND": "noninteractive", "USER": user},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
            cwd="/",
        )

    def done(self, *command: str, user: str = "root") -> str:
        """Run a command that has to succeed; return its output."""
        finished = self.run(*command, user=user)
        assert finished.returncode == 0, f"{' '.join(command)}:\n{finished.stdout}"
        return finished.stdout

    def copy(self, source: Path, target: str) -> None:
        """Copy a file or a folder of the machine into it, readable for everybody."""
        with tempfile.TemporaryFile() as packed:
            subprocess.run(["tar", "-C", source.parent, "-c", source.name], stdout=packed, check=True)
            packed.seek(0)
            inside = ["nsenter", "--target", self._inside, "--mount"]
            script = 'mkdir -p "$1" && tar -C "$1" --no-same-owner -x && chmod -R a+rX "$1"'
            subprocess.run([*inside, "sh", "-c", script, "sh", target], stdin=packed, check=True)
