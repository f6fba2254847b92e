"""The one door for files and folders that a person keeps: each is whole, or as it was before."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO
from uuid import uuid4

# The names of unfinished files. Other programs name theirs much the same.
UNFINISHED = f".*.{'[0-9a-f]' * 32}.part"
_MOST_NAMED = 40  # characters of a name, which has at most 255 bytes
_SCRATCH = ".sitestencil-"
# A mounted file cannot be replaced, and some folders take no new files.
_IN_PLACE = frozenset({errno.EBUSY, errno.EACCES, errno.EPERM, errno.EROFS})


def _unfinished(file: Path) -> Path:
    # Nobody can predict it and plant a link there. Readers of tables ignore names that begin with a dot.
    return file.with_name(f".{file.name[:_MOST_NAMED]}.{uuid4().hex}.part")


@contextmanager
def written(file: Path, finish: Callable[[Path], object] | None = None) -> Iterator[BinaryIO]:
    """Give a new file to write, which replaces a file or a link when the block succeeds.

    Args:
        file: its name; its folder exists.
        finish: takes the finished file, instead of renaming it.

    Raises:
        OSError: the file cannot be written; the old one stays.
    """
    fresh = _unfinished(file)
    try:
        with fresh.open("xb") as stream:
            if file.is_file():
                shutil.copymode(file, fresh)
            yield stream
        finish(fresh) if finish is not None else fresh.replace(file)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def write_file(file: Path, data: bytes, mode: int | None = None, *, sync: bool = False) -> None:
    """Write a file, and its folder if it is missing; see `written`.

    Args:
        file: its name.
        data: the whole content.
        mode: its permissions; None for those of the old file, or of any new one.
        sync: whether it is to survive a loss of power from now on.

    Raises:
        OSError: the file cannot be written; the old one stays.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with written(file) as stream:
        stream.write(data)
        if sync:
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            Path(stream.name).chmod(mode)
    if sync:
        _sync_folder(file.parent)


def write_named(file: Path, data: bytes) -> None:
    """Write what a person named: a link's file, a pipe or a device keeps its place; see `write_file`."""
    try:
        is_open = file.absolute().is_relative_to("/dev") or file.absolute().is_relative_to("/proc")
        if not is_open and (file.is_file() or not file.exists()):
            write_file(file.resolve() if file.is_file() or file.is_symlink() else file, data)
            return
    except OSError as error:
        if error.errno not in _IN_PLACE or not file.is_file():
            raise
    file.write_bytes(data)


def check_writable(file: Path) -> None:
    """Raise `OSError` if `write_named` would."""
    if file.exists():
        file.open("ab").close()
    else:
        with written(file, Path.unlink):
            pass


def _sync_folder(folder: Path) -> None:
    """Let the new name survive a loss of power; Windows cannot, as it opens no folders."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def written_folder(folder: Path) -> Iterator[Path]:
    """Give the path of a new folder to make and fill, which takes a folder's place when the block succeeds.

    Raises:
        OSError: the folder cannot be written; the old one stays.
    """
    scratch = Path(mkdtemp(prefix=f"{_SCRATCH}{folder.name}.", dir=folder.parent))
    try:
        yield scratch / "new"
        had = os.path.lexists(folder)
        if had:
            folder.rename(scratch / "old")
        try:
            (scratch / "new").rename(folder)
        except BaseException:
            if had:
                (scratch / "old").rename(folder)
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def restore_folder(folder: Path) -> None:
    """Remove what a killed `written_folder` left, and put back a folder that it had moved there."""
    for left in folder.parent.glob(f"{_SCRATCH}{folder.name}.*"):
        if (
            not left.is_symlink()
            and left.is_dir()
            and {"old", "new"}.issuperset(file.name for file in left.iterdir())
        ):
            if (left / "old").exists() and not folder.exists():
                (left / "old").rename(folder)
            shutil.rmtree(left)
