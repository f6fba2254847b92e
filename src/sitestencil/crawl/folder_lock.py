"""One crawl at a time in a folder: a lock that the system takes away when its process ends, however that ends."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sitestencil.errors import UnusableOutput


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold a crawl's folder for the time of the block; a folder with anything else is left alone.

    Raises:
        UnusableOutput: another process holds it.
    """
    work = folder / ".work"
    if folder.exists() and not work.exists() and (not folder.is_dir() or any(folder.iterdir())):
        yield  # `open_job` refuses it
        return
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("ab") as file:
        try:
            _lock(file)
        except OSError:
            raise UnusableOutput(
                f"Another crawl is at work in {folder}. Wait until it ends, or give another folder."
            ) from None
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
