"""Print the manual page, made from the command's help."""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

from sitestencil.cli import command_parser, commands
from sitestencil.version import VERSION


def page(date: str) -> Iterator[str]:
    """Yield the parts of the page: the command, then each of its commands with all options."""
    parser = command_parser(commands())
    yield f'.TH SITESTENCIL 1 "{date}" "Sitestencil {VERSION}" "User Commands"\n'
    yield ".SH NAME\nsitestencil \\- show a web page's template or its main content alone\n"
    yield f".SH SYNOPSIS\n.B sitestencil\n{_text('COMMAND [options]')}"
    yield f".SH DESCRIPTION\n{_text(parser.description)}"
    yield ".SH COMMANDS\n"
    for name, subparser in _commands(parser).items():
        yield f".SS sitestencil {_escaped(name)}\n{_text(subparser.description)}"
        for action in subparser._actions:
            if action.help != argparse.SUPPRESS:
                yield _action(subparser, action)
        yield _epilog(subparser)
    yield f".SH OPTIONS\n{''.join(_action(parser, action) for action in parser._actions if action.option_strings)}"
    yield f".SH NOTES\n{_epilog(parser)}"


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (action,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(action.choices)


def _action(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()
    text = formatter._expand_help(action) if action.help else ""
    return f".TP\n.B {_escaped(formatter._format_action_invocation(action))}\n{_text(text)}"


def _epilog(parser: argparse.ArgumentParser) -> str:
    return f".PP\n.nf\n{_text(parser.epilog)}.fi\n" if parser.epilog else ""


def _text(text: str | None) -> str:
    lines = _escaped(text or "").splitlines()
    # A line that begins with a dot or a quote would be a request.
    return "".join(
        f"\\&{line}\n" if re.match(r"[.']", line) else f"{line}\n" if line else ".PP\n" for line in lines
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")


if __name__ == "__main__":
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    sys.stdout.write("".join(page(datetime.fromtimestamp(seconds, UTC).date().isoformat())))
