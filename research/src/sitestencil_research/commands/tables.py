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
    markdown: bool = False,
) -> None:
    """Print a table as wide as the terminal, or of a fixed width without one; or as Markdown.

    Args:
        title: the line above it.
        heads: the columns' names.
        rows: the cells of each row.
        left: the columns that are set on the left; numbers stand on the right.
        footer: the cells of a last row; not in Markdown.
        markdown: whether to print it as Markdown.
    """
    if markdown:
        say(f"\n{title}\n")
        print_markdown(heads, rows, left)
        return
    table = Table(title=title, show_footer=bool(footer))
    for number, head in enumerate(heads):
        justify = "left" if number in left else "right"
        table.add_column(head, footer[number] if footer else "", justify=justify)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 190).print(table)


def print_markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)) -> None:
    """Print a table as Markdown."""
    say(f"| {' | '.join(heads)} |")
    say(f"|{'|'.join('---' if number in left else '---:' for number in range(len(heads)))}|")
    for row in rows:
        say(f"| {' | '.join(row)} |")
