"""Writing what a command makes: into a file, or to standard output."""

import json
import sys
from pathlib import Path

from sitestencil.errors import SitestencilError


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file; text is written in UTF-8.

    Raises:
        SitestencilError: it cannot be written.
    """
    data = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    try:
        file.write_bytes(data)
    except OSError as error:
        raise SitestencilError(f"{file} cannot be written: {error.strerror}.") from None


def write_output(text: str, file: Path | None) -> None:
    """Write text into a file, or to standard output where no file is given.

    Raises:
        SitestencilError: the file cannot be written.
    """
    if file is not None:
        write_file(file, text)
        return
    sys.stdout.buffer.write(text.encode("utf-8", errors="replace"))
    sys.stdout.buffer.flush()


def write_json(file: Path, data: object) -> None:
    """Write plain data into a file as JSON.

    Raises:
        SitestencilError: the file cannot be written.
    """
    write_file(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
