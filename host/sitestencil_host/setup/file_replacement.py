"""Replaces files whole: a file holds the old content or the new, never a part."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace a file once all its new content is on the disk.

    The new content goes to a new file with an unpredictable name, so that no planted link is followed. A link under
    the file's own name is replaced, too.

    Args:
        file: a missing folder is made.
        data: the whole content.
        mode: the permissions of the new file.

    Raises:
        OSError: the file cannot be written; the old content stays.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        fresh.chmod(mode)
        fresh.replace(file)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    _sync_folder(file.parent)


def swap(scratch: Path, target: Path) -> None:
    """Put the folder ``new`` of a scratch folder in a target's place; the older one becomes ``old`` beside it.

    Raises:
        OSError: a folder cannot be renamed; the older one stays.
    """
    had = os.path.lexists(target)
    if had:
        target.rename(scratch / "old")
    try:
        (scratch / "new").rename(target)
    except OSError:
        if had:
            (scratch / "old").rename(target)
        raise


def _sync_folder(folder: Path) -> None:
    """Let the new name survive a loss of power; Windows cannot, as it opens no folders."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
