"""The ``sitestencil`` command."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import NoReturn

from sitestencil.cli.changes import CHANGES
from sitestencil.cli.command import ENTRY_POINTS, GROUPS, Command, Group, complain
from sitestencil.cli.completion import COMPLETION, complete
from sitestencil.cli.crawl import CRAWL
from sitestencil.cli.extract import EXTRACT
from sitestencil.cli.mcp import MCP
from sitestencil.cli.memory import MEMORY
from sitestencil.cli.rebuild import REBUILD
from sitestencil.cli.records import RECORDS
from sitestencil.cli.rules import CHECK, RULES
from sitestencil.cli.site import SITE
from sitestencil.errors import (
    InvalidAddress,
    NothingFound,
    SitestencilError,
    UnknownDetector,
    WrongArgument,
    WrongUsage,
)
from sitestencil.printable import printable
from sitestencil.version import VERSION

_DESCRIPTION = """\
Sitestencil shows a page's template (header, menus, sidebars, footer) without its content, or its content alone.

It loads the page and a few other pages of its site, and compares them."""

_EPILOG = """\
examples:
  sitestencil extract https://example.org/ -o template.html
  sitestencil extract https://example.org/ --format markdown
  sitestencil site https://docs.example.org/ -o docs-example
  sitestencil install
  sitestencil COMMAND --help

exit status:
  0    done
  1    failed, or one of several pages did
  2    wrong usage
  3    nothing to read, or to write
  130  interrupted"""

# Commands of the distribution sitestencil-research.
_RESEARCH = ("benchmark", "tune", "train", "segments", "duplicates", "cluster", "classify")

_BETWEEN_VALUES = re.compile(r"; (?=[\w-]+: )")
# Options and arguments that no run could take.
_WRONG_USE = (WrongUsage, WrongArgument, InvalidAddress, UnknownDetector)


def commands() -> list[Command]:
    """Return the library's own commands and those of other packages, but for packages that cannot be imported."""
    added: list[Command] = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            added.append(point.load())
        except ImportError as error:
            complain(f"sitestencil: the command {point.name} is left out: {error}.")
    return [EXTRACT, SITE, CHANGES, CRAWL, RULES, CHECK, RECORDS, REBUILD, MEMORY, MCP, COMPLETION, *added]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0 done, 1 failed, 2 wrong usage, 3 no page, 130 interrupted."""
    available = commands()
    parser = command_parser(available)
    if "_ARGCOMPLETE" in os.environ:
        complete(parser)
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in _RESEARCH and given[0] not in {command.name for command in available}:
        complain(f"sitestencil: {given[0]} is in sitestencil-research: pipx inject sitestencil ./research")
        return 2
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help()
        return 0
    command: Command = options.command
    try:
        return command.run(options)
    except SitestencilError as error:
        complain(f"sitestencil: {error}")
        return 2 if isinstance(error, _WRONG_USE) else 3 if isinstance(error, NothingFound) else 1
    except KeyboardInterrupt:
        complain("sitestencil: interrupted")
        return 130
    except BrokenPipeError:
        # The reader has enough; otherwise Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class _Parser(argparse.ArgumentParser):
    """Tell wrong usage in a line, without the list of all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, printable(f"{self.prog}: {message}. See {self.prog} --help\n"))


class _Help(argparse.RawDescriptionHelpFormatter):
    """Give each value of an option that has several a line of its own."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        parts = _BETWEEN_VALUES.split(text)
        return [line for part in parts for line in super(_Help, self)._split_lines(part, width)]


class _GroupedHelp(_Help):
    """List the commands by their groups."""

    def _format_action(self, action: argparse.Action) -> str:
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        help_of = {choice.dest: choice for choice in action._choices_actions}
        text = ""
        self._action_max_length += self._indent_increment
        available: list[Command] = [subparser.get_default("command") for subparser in action.choices.values()]
        for group, names in grouped(available).items():
            text += f"\n  {group}:\n"
            self._indent()
            text += "".join(super(_GroupedHelp, self)._format_action(help_of[name]) for name in names)
            self._dedent()
        return text.lstrip("\n")


def grouped(commands: Sequence[Command]) -> dict[Group, list[str]]:
    """Return the names of commands by their groups, in the groups' order; no group is empty."""
    of_groups = {group: [command.name for command in commands if command.group == group] for group in GROUPS}
    return {group: names for group, names in of_groups.items() if names}


def command_parser(available: Sequence[Command]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with a subparser for each command."""
    parser = _Parser(prog="sitestencil", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=_GroupedHelp)
    parser.add_argument("--version", action="version", version=f"sitestencil {VERSION}")
    parser.set_defaults(command=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in available:
        subparser = subparsers.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            epilog=command.epilog,
            formatter_class=_Help,
        )
        command.configure(subparser)
        subparser.set_defaults(command=command)
    return parser
