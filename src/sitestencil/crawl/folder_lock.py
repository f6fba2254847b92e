"""Lock a crawl's folder. The operating system releases the lock when the process ends."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO

from sitestencil.crawl.input.places import Place, RemotePath, home_of
from sitestencil.errors import UnusableOutput


@contextmanager
def folder_lock(folder: Place) -> Iterator[None]:
    """Hold the lock of a crawl's folder during the block; leave a folder with other files alone.

    The lock of a folder in a bucket is on this machine, and holds there.

    Raises:
        UnusableOutput: another process holds the lock.
    """
    home = home_of(folder)
    work = home / ".work"
    if (
        isinstance(folder, Path)
        and home.exists()
        and not work.exists()
        and (not home.is_dir() or any(home.iterdir()))
    ):
        yield  # `open_job` refuses this folder
        return
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("ab") as file:
        try:
            _lock(file)
        except OSError:
            raise UnusableOutput(
                f"Another crawl is at work in {folder}. Wait until it ends, or give another folder."
            ) from None
        try:
            yield
        finally:
            if isinstance(folder, RemotePath) and not any(home.glob(".work/spill/*")):
                rmtree(home, ignore_errors=True)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
