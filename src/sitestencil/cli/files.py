"""Reading what a command is given as a file, and writing what it makes: into a file, or to standard output."""

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
    """Return the rules that a file holds.

    Raises:
        SitestencilError: it cannot be read.
        UnusableRules: it holds no rules that can be used.
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


Output = str | Mapping[str, bytes]


def write_output(output: Output, file: Path | None) -> None:
    """Write text into a file, or to standard output where no file is given; several files into a folder.

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
    """Write text to standard output; a terminal gets it without characters that would move its cursor."""
    shown = printable(text) if sys.stdout.isatty() else text
    sys.stdout.buffer.write(shown.encode("utf-8", errors="replace"))
    sys.stdout.buffer.flush()


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files into a folder, by their paths in it.

    Raises:
        SitestencilError: one of them cannot be written.
    """
    for path, content in contents.items():
        make_folder((folder / path).parent)
        write_file(folder / path, content)


def make_folder(folder: Path) -> Path:
    """Make a folder, and those it is in, where they are not there yet; return it.

    Raises:
        SitestencilError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SitestencilError(f"{folder} cannot be made: {error.strerror}.") from None
    return folder


def write_json(file: Path, data: object) -> None:
    """Write plain data into a file as JSON.

    Raises:
        SitestencilError: the file cannot be written.
    """
    write_file(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
