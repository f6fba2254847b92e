"""A subcommand of ``sitestencil``; other packages add theirs by entry points."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

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


def say(text: str = "") -> None:
    """Write a line to standard output."""
    sys.stdout.write(f"{printable(text)}\n")


def complain(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{printable(text)}\n")
