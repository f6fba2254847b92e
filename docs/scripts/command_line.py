"""Writes docs/command-line.md from the program's own help: ``python -m docs.scripts.command_line``."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from sitestencil.cli import command_parser

FILE = Path(__file__).resolve().parent.parent / "command-line.md"
_HEAD = """\
# The command line

Made from the program's own help by `docs/scripts/command_line.py` (`make docs`); change the help, not this file.
"""


def document() -> str:
    """Return the document."""
    parser = command_parser()
    parts = [_HEAD, *_described(parser)]
    for name, subparser in _subparsers(parser).items():
        parts += [f"## sitestencil {name}\n", *_described(subparser)]
    return "\n".join(parts)


def _described(parser: argparse.ArgumentParser) -> Iterator[str]:
    if parser.description:
        yield f"{_escaped(parser.description)}\n"
    yield f"```sh\n{_usage(parser)}\n```\n"
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        if actions:
            yield f"{str(group.title).capitalize()}:\n"
            yield "".join(_item(parser, action) for action in actions)
    if parser.epilog:
        yield f"```text\n{parser.epilog}\n```\n"


def _usage(parser: argparse.ArgumentParser) -> str:
    optional = any(action.option_strings for action in parser._actions)
    places = [_place(action) for action in parser._actions if not action.option_strings]
    return " ".join([parser.prog, *(["[options]"] if optional else []), *places])


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    if isinstance(action, argparse._SubParsersAction):
        return "COMMAND"
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}.get(str(action.nargs), name)


def _item(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    if isinstance(action, argparse._SubParsersAction):
        rows = (
            f"* [`{choice.dest}`](#sitestencil-{choice.dest}): {choice.help}" for choice in action._choices_actions
        )
        return "\n".join(rows) + "\n"
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    first, *others = re.split(r"; (?=[\w-]+: )", _escaped(text))
    lines = [f"* `{_name(action)}`: {first}"] if not others else [f"* `{_name(action)}`:", f"  * {first}"]
    return "\n".join([*lines, *(f"  * {other}" for other in others)]) + "\n"


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return _place(action)
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(f"{option}{value}" for option in action.option_strings)


def _value(action: argparse.Action) -> str:
    if action.metavar is not None:
        return str(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _escaped(text: str) -> str:
    return re.sub(r"([<>*_\[\]])", r"\\\1", text)


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (action,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(action.choices)


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
