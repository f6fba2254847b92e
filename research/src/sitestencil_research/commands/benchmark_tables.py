"""The tables of ``sitestencil benchmark``."""

from statistics import median

from sitestencil.cli.command import say
from sitestencil_research.benchmark.comparison import Comparison, ComparisonRow
from sitestencil_research.benchmark.run import FIGURES, BenchmarkResult
from sitestencil_research.commands.tables import Table, table_console

_COLUMNS = {
    "precision": "{:.3f}",
    "recall": "{:.3f}",
    "f1": "{:.3f}",
    "content_words_f1": "{:.3f}",
    "content_visible": "{:.1%}",
    "template_hidden": "{:.1%}",
    "pages_loaded": "{:.1f}",
    "ms": "{:.0f}",
}


def print_sites(result: BenchmarkResult) -> None:
    """Print a detector's figures on each site."""
    table = Table(title=f"{result.detector} on {len(result.sites)} sites", show_footer=True)
    table.add_column("site", footer="mean\nmedian")
    for name, form in _COLUMNS.items():
        figure = FIGURES[name]
        footer = f"{form.format(result.mean(figure))}\n{form.format(result.median(figure))}"
        table.add_column(name.replace("_", " "), justify="right", footer=footer)
    for site in result.sites:
        table.add_row(site.site, *(form.format(FIGURES[name](site)) for name, form in _COLUMNS.items()))
    table_console(130).print(table)


def print_summary(comparison: Comparison, name: str = "") -> None:
    """Print a line per entrant: means with the interval of F1, and F1 by the other measures."""
    table = Table(title=_title(comparison, name))
    heads, *rows = _summary(comparison)
    for number, head in enumerate(heads):
        table.add_column(head, justify="left" if number == 0 else "right")
    for row in rows:
        table.add_row(*row)
    table_console(190).print(table)


def print_markdown(comparison: Comparison, name: str = "") -> None:
    """Print the same as a Markdown table, with one line per program: its best settings."""
    heads, *rows = _summary(comparison, best_ways=True)
    if name:
        say(f"\n{_title(comparison, name)}\n")
    say(f"| {' | '.join(heads)} |")
    say(f"|---|{'---:|' * (len(heads) - 1)}")
    for row in rows:
        say(f"| {' | '.join(row)} |")


def _title(comparison: Comparison, name: str) -> str:
    return f"Means over {len(comparison.sites)} sites" + (f" ({name})" if name else "")


def _summary(comparison: Comparison, *, best_ways: bool = False) -> list[list[str]]:
    others = [measure for measure in comparison.measures if measure.name != "elements"]
    heads = ["", "F1", "95 % interval", "precision", "recall", "median F1"]
    heads += [
        *(f"F1 of {measure.title}" for measure in others),
        "content visible",
        "template hidden",
        "pages",
        "ms",
    ]
    rows = comparison.best_ways() if best_ways else comparison.rows
    return [heads, *(_line(row, [measure.name for measure in others]) for row in rows)]


def _line(row: ComparisonRow, others: list[str]) -> list[str]:
    result = row.result
    f1 = row.mean_of("elements", "f1")
    return [
        row.entrant.name,
        f"{f1.mean:.3f}",
        f"{f1.low:.3f} to {f1.high:.3f}",
        f"{result.mean(FIGURES['precision']):.3f}",
        f"{result.mean(FIGURES['recall']):.3f}",
        f"{result.median(FIGURES['f1']):.3f}",
        *(f"{row.mean_of(measure, 'f1').mean:.3f}" for measure in others),
        f"{result.mean(FIGURES['content_visible']):.1%}",
        f"{result.mean(FIGURES['template_hidden']):.1%}",
        f"{result.mean(FIGURES['pages_loaded']):.1f}",
        f"{median(site.milliseconds for site in result.sites):.0f}",
    ]
