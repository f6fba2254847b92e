"""The commands' tables, which the extra ``report`` brings."""

import sys

from sitestencil.errors import PackageMissing

try:
    from rich.console import Console
    from rich.table import Table
except ModuleNotFoundError:
    raise PackageMissing("This command's tables need rich.", "report") from None

__all__ = ["Console", "Table", "table_console"]


def table_console(width: int = 116) -> Console:
    """Return the console for tables: as wide as the terminal, or of a fixed width without one."""
    return Console(width=None if sys.stdout.isatty() else width)
