"""The commands' tables, as rich prints them (the extra ``report``) or as Markdown."""

import sys
from collections.abc import Collection, Iterable, Sequence

from sitestencil.cli.command import say
from sitestencil.errors import PackageMissing

try:
    from rich.console import Console
    from rich.table import Table
except ModuleNotFoundError:
    raise PackageMissing("This command's tables need rich.", "report") from None


def print_table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    footer: Sequence[str] = (),
    caption: str | None = None,
    bold: Collection[str] = (),
    width: int = 116,
) -> None:
    """Print a table as wide as the terminal, or of a fixed width without one.

    Args:
        title: the line above it.
        heads: the columns' names.
        rows: the cells of each row.
        left: the columns that are set on the left; numbers stand on the right.
        footer: the cells of a last row.
        caption: the line below it.
        bold: the rows in bold type, by their first cells.
        width: the width without a terminal.
    """
    table = Table(title=title, caption=caption, show_footer=bool(footer))
    for number, head in enumerate(heads):
        justify = "left" if number in left else "right"
        table.add_column(head, footer[number] if footer else "", justify=justify)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*row, style="bold" if row[0] in bold else None)
    Console(width=None if sys.stdout.isatty() else width).print(table)


def print_markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> None:
    """Print a table as Markdown."""
    say(f"| {' | '.join(heads)} |")
    say(f"|{'|'.join('---' if number in left else '---:' for number in range(len(heads)))}|")
    for row in rows:
        say(f"| {' | '.join(row)} |")
