"""``sitestencil benchmark --texts``: measure the content's text against gold texts."""

import argparse
from collections.abc import Sequence

from rich.table import Table

from sitestencil.cli.command import say
from sitestencil.cli.files import write_json
from sitestencil.cli.progress import progress_bar
from sitestencil.cli.tables import table_console
from sitestencil.errors import WrongUsage
from sitestencil.evaluation.gold_texts.measure import (
    ALONE,
    WITH_SIBLINGS,
    PageScores,
    TextRow,
    measure_texts,
    text_peers,
    text_rows,
)
from sitestencil.evaluation.gold_texts.sets import gold_sets


def run_texts(options: argparse.Namespace) -> int:
    """Print a table for each set: all pages, the pages with others of their host, and each kind of page."""
    if options.folders or options.perturbed or options.held_out or options.report or options.plot:
        raise WrongUsage("--texts goes with --peers, --jobs, --json and --markdown only.")
    sets = gold_sets(options.texts)
    figures = []
    for name, pages in sets.items():
        with progress_bar(f"Pages, {name}", len(pages)) as bar:
            measured = measure_texts(
                pages, peers=text_peers() if options.peers else (), processes=options.jobs, done=bar
            )
        for title, part in _parts(name, measured):
            rows = text_rows(part)
            (_print_markdown if options.markdown else _print)(title, rows)
            figures.append({"pages": title, "rows": [row.to_dict() for row in rows]})
    if options.json is not None:
        write_json(options.json, {"results": figures})
    return 0


def _parts(name: str, measured: Sequence[PageScores]) -> list[tuple[str, list[PageScores]]]:
    parts = [(name, list(measured))]
    parts.append((f"{name}, with siblings", [each for each in measured if WITH_SIBLINGS in each.scores]))
    kinds = sorted({each.page.kind for each in measured} - {""})
    parts += [(f"{name}, {kind}", [each for each in measured if each.page.kind == kind]) for kind in kinds]
    return [(title, part) for title, part in parts if part]


def _cells(row: TextRow) -> list[str]:
    interval = f"{row.f1.low:.3f} to {row.f1.high:.3f}"
    figures = f"{row.f1.mean:.3f}", interval, f"{row.precision:.3f}", f"{row.recall:.3f}"
    return [row.name, str(row.pages), *figures]


_HEADS = ("", "pages", "F1 of words", "95 % interval", "precision", "recall")


def _print(title: str, rows: Sequence[TextRow]) -> None:
    table = Table(title=title)
    for number, head in enumerate(_HEADS):
        table.add_column(head, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*_cells(row), style="bold" if row.name in {ALONE, WITH_SIBLINGS} else None)
    table_console(110).print(table)


def _print_markdown(title: str, rows: Sequence[TextRow]) -> None:
    say(f"\n{title}\n\n| {' | '.join(_HEADS)} |\n|---|{'---:|' * (len(_HEADS) - 1)}")
    for row in rows:
        say(f"| {' | '.join(_cells(row))} |")
