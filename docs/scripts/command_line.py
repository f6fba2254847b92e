"""Writes docs/command-line.md from the program's own help: ``python -m docs.scripts.command_line``."""

import argparse
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from sitestencil.cli import command_parser, commands, grouped
from sitestencil.detectors import DETECTORS

FILE = Path(__file__).resolve().parent.parent / "command-line.md"
_HEAD = """\
# The command line

Made from the program's own help by `docs/scripts/command_line.py` (`make docs`); change the help, not this file.
"""
_PLAIN_GROUPS = ("positional arguments", "options")
# The documents of research tell of these; their help has the options and the examples.
_RESEARCH = ("benchmark", "train", "tune", "segments", "duplicates", "cluster", "classify")
# The documents that say what these do; the rest of their descriptions is in the help alone.
_TOLD_IN = {
    "site": "crawls.md#a-site-from-its-address",
    "changes": "crawls.md#what-changed-in-a-page",
    "rebuild": "rebuild.md",
    "mcp": "agents.md",
}
_COMMON = """\
## Common options

Several commands have these, and each has `--help`.
"""


def document() -> str:
    """Return the document; options that several commands have are described once."""
    parser = command_parser(commands())
    subparsers = {name: value for name, value in _subparsers(parser).items() if name not in _RESEARCH}
    counts = Counter(item for subparser in subparsers.values() for item in _options(subparser))
    common = [item for item, count in counts.items() if count > 1]
    parts = [_HEAD, *_described(parser, ()), _COMMON, "".join(common)]
    said: dict[str, str] = {}
    for name, subparser in subparsers.items():
        first, _, rest = (subparser.description or "").partition("\n\n")
        place = _TOLD_IN.get(name)
        subparser.description = first if place else _once(f"{first}\n\n{rest}".rstrip(), name, said)
        told, *others = _described(subparser, common)
        parts += [f"## sitestencil {name}\n", f"{told.rstrip()} [More]({place}).\n" if place else told, *others]
    return "\n".join(parts)


def _once(description: str, name: str, said: dict[str, str]) -> str:
    """Return a description where what an earlier command says of its INPUT is a link to that command."""
    for line in re.findall(r"^INPUT is .*?\.(?=\n|$)", description, re.MULTILINE | re.DOTALL):
        if (first := said.setdefault(line, name)) != name:
            description = description.replace(line, f"INPUT is as for sitestencil {first}.")
    return description


def _described(parser: argparse.ArgumentParser, common: Collection[str]) -> Iterator[str]:
    if parser.description:
        yield f"{_escaped(parser.description)}\n"
    yield f"`{_usage(parser)}`\n"
    for group in parser._action_groups:
        actions = list(_shown(group, own_help=not common))
        items = [_item(parser, action) for action in actions]
        shared = [action for action, item in zip(actions, items, strict=True) if item in common]
        if shared:
            names = ", ".join(f"`{action.option_strings[-1]}`" for action in shared)
            items = [*(item for item in items if item not in common), f"* [common](#common-options): {names}\n"]
        if items and group.title not in _PLAIN_GROUPS:
            yield f"{str(group.title).capitalize()}:\n"
        if items:
            yield "".join(items)
    if parser.epilog:
        yield f"```text\n{parser.epilog}\n```\n"


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:
        yield from (_item(parser, action) for action in _shown(group) if action.option_strings)


def _shown(group: argparse._ArgumentGroup, *, own_help: bool = False) -> Iterator[argparse.Action]:
    for action in group._group_actions:
        if action.help != argparse.SUPPRESS and (own_help or action.dest != "help"):
            yield action


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
        rows: list[str] = []
        for group, names in grouped(commands()).items():
            shown = [name for name in names if name not in _RESEARCH]
            rows.append(f"* {group}: {', '.join(f'[`{name}`](#sitestencil-{name})' for name in shown)}")
        rows[-1] = "* research: [commands that measure and train](../research/README.md)"
        return "\n".join(rows) + "\n"
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    text = text.replace(", ".join(DETECTORS), "the detectors of `extract`")
    first, *others = re.split(r"; (?=[\w-]+: )", _escaped(text))
    if len(others) < 2:
        return f"* `{_name(action)}`: {_escaped(text)}\n"
    lines = [f"* `{_name(action)}`:", f"  * {first}"]
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
