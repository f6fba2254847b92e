"""A subcommand of ``sitestencil``; other packages add theirs by entry points."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, get_args

from sitestencil.errors import SitestencilError
from sitestencil.printable import printable

ENTRY_POINTS = "sitestencil.commands"
Group = Literal["use", "setup", "crawl", "research"]
GROUPS: tuple[Group, ...] = get_args(Group)


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand.

    Attributes:
        name: the word after ``sitestencil``.
        group: its group in the list of commands.
        help: one line for the list of commands.
        description: the start of its own ``--help``.
        configure: adds its arguments.
        run: runs the command, and returns the exit status.
        epilog: examples, shown unchanged.
    """

    name: str
    group: Group
    help: str
    description: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    epilog: str = ""


@contextmanager
def writing_output() -> Iterator[None]:
    """Tell an error of standard output in a sentence; a reader that reads no further is none.

    Raises:
        SitestencilError: standard output cannot be written.
        BrokenPipeError: nobody reads on.
    """
    if sys.stdout is None:
        raise SitestencilError("Standard output is closed.")
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SitestencilError(f"Standard output cannot be written: {error.strerror}.") from None


def confirms(question: str) -> bool:
    """Ask a question on the terminal; without one nobody is asked, and the answer is no."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"{printable(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{number:,} {noun}" + ("" if number == 1 else "es" if noun.endswith("s") else "s")


def say(text: str = "") -> None:
    """Write a line to standard output."""
    with writing_output():
        sys.stdout.write(f"{printable(text)}\n")


def complain(text: str) -> None:
    """Write a line to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"{printable(text)}\n")
