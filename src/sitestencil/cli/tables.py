"""The console for the commands' tables."""

import sys

from rich.console import Console


def table_console(width: int = 116) -> Console:
    """Return the console for tables: as wide as the terminal, or of a fixed width without one."""
    return Console(width=None if sys.stdout.isatty() else width)
