"""Read a command's files, and write its output to files or standard output."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.errors import SitestencilError, UnusableRules
from sitestencil.printable import printable

if TYPE_CHECKING:
    from sitestencil.corrections.rules import Rules


def read_rules(file: Path) -> "Rules":
    """Return the rules in a file.

    Raises:
        SitestencilError: the file cannot be read.
        UnusableRules: its rules are invalid.
    """
    from sitestencil.corrections.rules import MOST_BYTES, Rules

    try:
        with file.open("rb") as stream:
            text = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise SitestencilError(f"{file} cannot be read: {error.strerror}.") from None
    try:
        return Rules.from_json(text)
    except UnusableRules as error:
        raise UnusableRules(f"{file}: {error}") from None


def check_is_free(*paths: Path | None, force: bool) -> None:
    """Check before the work begins that no file is overwritten, and nothing is added to a folder with files.

    Raises:
        SitestencilError: a file or a filled folder is there.
    """
    for path in paths:
        if force or path is None:
            continue
        if path.is_file():
            raise SitestencilError(f"{path} exists already. To overwrite it, add --force.")
        if path.is_dir() and any(path.iterdir()):
            raise SitestencilError(f"{path} exists already and is not empty. To write into it, add --force.")


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file; text is encoded in UTF-8.

    Raises:
        SitestencilError: the file cannot be written.
    """
    data = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    try:
        file.write_bytes(data)
    except OSError as error:
        raise SitestencilError(f"{file} cannot be written: {error.strerror}.") from None


Output = str | Mapping[str, bytes]


def write_output(output: Output, file: Path | None) -> None:
    """Write text to a file or standard output; write several files to a folder.

    Raises:
        SitestencilError: the file cannot be written.
    """
    if not isinstance(output, str):
        assert file is not None
        write_folder(file, output)
        return
    if file is not None:
        write_file(file, output)
        return
    write_to_screen(output)


def write_to_screen(text: str) -> None:
    """Write text to standard output; for a terminal remove characters that would control it."""
    shown = printable(text) if sys.stdout.isatty() else text
    sys.stdout.buffer.write(shown.encode("utf-8", errors="replace"))
    sys.stdout.buffer.flush()


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files into a folder, by their paths in it.

    Raises:
        SitestencilError: a file cannot be written.
    """
    for path, content in contents.items():
        make_folder((folder / path).parent)
        write_file(folder / path, content)


def make_folder(folder: Path) -> Path:
    """Make a folder and its parents if they are missing; return it.

    Raises:
        SitestencilError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SitestencilError(f"{folder} cannot be made: {error.strerror}.") from None
    return folder


def write_json(file: Path, data: object) -> None:
    """Write plain data to a file as JSON.

    Raises:
        SitestencilError: the file cannot be written.
    """
    write_file(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
