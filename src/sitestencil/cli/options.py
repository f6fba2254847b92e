"""Options of several commands."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitestencil.content.parts import Part


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Add ``-o FILE``, which replaces standard output, and ``--force``."""
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write here instead of to standard output"
    )
    add_force_option(parser)


def add_force_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--force``."""
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")


def add_content_options(parser: argparse.ArgumentParser, where: str) -> None:
    """Add ``--with-around`` and ``--without PARTS``; `where` begins their help."""
    parser.add_argument(
        "--with-around", action="store_true", help=f"{where}give all content, with teasers and the like"
    )
    parser.add_argument(
        "--without",
        type=_parts,
        default=(),
        metavar="PARTS",
        help=f"{where}leave out these parts, with commas: title, byline, date, captions, comments",
    )


def add_loading_options(parser: argparse._ActionsContainer) -> None:
    """Add ``--render``, ``--browser`` and ``--cookie-file``."""
    parser.add_argument(
        "--render",
        action="store_true",
        help="load the pages in a browser without a window, for pages built by JavaScript (extra: render)",
    )
    parser.add_argument(
        "--browser",
        choices=("chromium", "firefox"),
        help="with --render: use this browser (default: the first one that has its driver)",
    )
    parser.add_argument(
        "--cookie-file",
        type=Path,
        metavar="FILE",
        help="send the cookies of this cookies.txt to the page's own server",
    )


def add_all_links_option(parser: argparse._ActionsContainer, others: str = "") -> None:
    """Add ``--all-links``; `others` begins its help with what else it follows."""
    parser.add_argument(
        "--all-links",
        action="store_true",
        help=f"{others}on private networks, and with cookies or headers, also follow links that may act, but none "
        "that says so",
    )


def _parts(text: str) -> "tuple[Part, ...]":
    from sitestencil.content.parts import PARTS

    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in names)


def folder_path(name: str) -> Path:
    """Return the folder that an option names: an empty name would be the current one."""
    if not name:
        raise argparse.ArgumentTypeError("it names no folder")
    return Path(name)


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser for an option's whole number of at least `least`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return read


def delay(text: str) -> float:
    """Return an option's number of seconds, which may be 0."""
    return 0.0 if text.strip("0.") == "" and "0" in text else seconds(text)


def seconds(text: str) -> float:
    """Return an option's number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number
