"""Read a command's files, and write its output to files or standard output."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sitestencil.cli.command import writing_output
from sitestencil.errors import SitestencilError, UnusableRules
from sitestencil.kept_files import check_writable, write_named
from sitestencil.printable import printable

if TYPE_CHECKING:
    from sitestencil.corrections.rules import Rules

_T = TypeVar("_T")


def read_rules(file: Path) -> "Rules":
    """Return the rules in a file.

    Raises:
        SitestencilError: the file cannot be read.
        UnusableRules: its rules are invalid.
    """
    from sitestencil.corrections.rules import MOST_BYTES, Rules

    return read_checked(file, MOST_BYTES, Rules.from_json)


def read_checked(file: Path, most_bytes: int, read: Callable[[bytes], _T]) -> _T:
    """Return what is read from a file of rules; one byte more than allowed tells that it is too large.

    Raises:
        SitestencilError: the file cannot be read.
        UnusableRules: its rules are invalid.
    """
    try:
        with file.open("rb") as stream:
            return read(stream.read(most_bytes + 1))
    except OSError as error:
        raise SitestencilError(f"{file} cannot be read: {error.strerror}.") from None
    except UnusableRules as error:
        raise UnusableRules(f"{file}: {error}") from None


def check_is_free(*files: Path | None, force: bool) -> None:
    """Check before the work begins that files can be written, and that none is overwritten.

    Raises:
        SitestencilError: a file is there already, or its folder is not.
    """
    for file in files:
        if file is None:
            continue
        if file.is_dir():
            raise SitestencilError(f"{file} is a folder: name a file.")
        if not file.parent.is_dir():
            raise SitestencilError(f"{file} cannot be written: there is no folder {file.parent}.")
        if file.is_file() and not force:
            raise SitestencilError(f"{file} exists already. To overwrite it, add --force.")
        with _told(file):
            check_writable(file)


def check_is_free_folder(*folders: Path | None, force: bool) -> None:
    """Check before the work begins that nothing is added to a folder with files.

    Raises:
        SitestencilError: a folder is not empty, or a file has its name.
    """
    for folder in folders:
        if folder is None:
            continue
        if folder.exists() and not folder.is_dir():
            raise SitestencilError(f"{folder} is a file: name a folder.")
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise SitestencilError(f"{folder} exists already and is not empty. To write into it, add --force.")


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file; text is encoded in UTF-8.

    Raises:
        SitestencilError: the file cannot be written.
    """
    data = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    with _told(file):
        write_named(file, data)


@contextmanager
def _told(file: Path) -> Iterator[None]:
    try:
        yield
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
    """Write text to standard output; for a terminal remove characters that would control it.

    Raises:
        SitestencilError: it cannot be written.
        BrokenPipeError: nobody reads on.
    """
    with writing_output():
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
