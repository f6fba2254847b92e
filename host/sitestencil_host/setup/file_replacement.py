"""Files that are replaced whole: either the old content stands there or the new one, never a part of it."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(file: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file anew; it appears under its name once all of it is on the disk.

    The new content goes to a file of a name that nobody can foresee, made by this call alone, so that a link
    planted in the folder is not followed. A link that stands under the file's own name is replaced, too.

    Args:
        file: its folder is made where it is missing.
        data: the whole content.
        mode: the permissions of the new file.

    Raises:
        OSError: it cannot be written; what stood there before stands there still.
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


def _sync_folder(folder: Path) -> None:
    """Make the new name outlive a loss of power, where the system can; Windows opens no folders."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
