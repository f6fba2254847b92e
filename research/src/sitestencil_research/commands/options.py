"""Options of several commands, and what they write."""

import argparse
import json
from pathlib import Path

from sitestencil.cli.files import write_file
from sitestencil.cli.options import whole_number


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--json FILE``, which gets all figures."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here as JSON")


def add_jobs_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs N``; `sitestencil.processes.process_count` reads its value."""
    parser.add_argument(
        "--jobs", type=whole_number(1), metavar="N", help="share the work among N processes (default: one per core)"
    )


def write_json(file: Path | None, data: object) -> None:
    """Write plain data to a file as JSON, if the option was given.

    Raises:
        SitestencilError: the file cannot be written.
    """
    if file is not None:
        write_file(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
