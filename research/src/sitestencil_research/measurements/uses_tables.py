"""Make the tables of research/docs/uses.md.

``python -m sitestencil_research.measurements.uses_tables FILE.json ...``.

The files come from ``sitestencil duplicates``, ``cluster`` and ``classify`` with ``--json``; each becomes a
Markdown table.
"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

UsesRow = dict[str, Any]
_MEASURES = ("F-measure", "purity", "NMI", "NCE")


def _name(row: UsesRow) -> str:
    name = str(row["detector"])
    return name if " " in name else f"`{name}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def generated_duplicates(rows: Sequence[UsesRow]) -> str:
    """Return the table of generated duplicates."""
    head = ("template removed", "duplicates found, %", "others told apart, %", "ms per page")
    return _table(
        head,
        (
            (
                _name(row),
                f"{100 * row['duplicates_right'] / row['duplicates']:.1f}",
                f"{100 * row['others_right'] / row['others']:.1f}",
                f"{row['ms_per_page']:.0f}",
            )
            for row in rows
        ),
    )


def stored_duplicates(rows: Sequence[UsesRow]) -> str:
    """Return the table of duplicates among stored pages."""
    head = ("template removed", "pairs within a site", "between sites", "HTML left, kB", "no answer")
    return _table(
        head,
        (
            (
                _name(row),
                f"{row['within_a_site']:,}",
                f"{row['between_sites']}",
                f"{row['bytes'] / 1000:,.0f}",
                f"{row['unanswered']}",
            )
            for row in rows
        ),
    )


def clusters(rows: Sequence[UsesRow]) -> str:
    """Return the table of clusterings, with both word weights in one line."""
    halves = [[row for row in rows if row["idf"] == idf] for idf in (True, False)]
    head = [
        "template removed",
        "tf-idf: F",
        "purity",
        "NMI",
        "NCE",
        "frequency: F",
        "purity",
        "NMI",
        "NCE",
        "size, kB",
    ]
    return _table(
        head,
        (
            (
                _name(first),
                *(f"{row[measure]:.3f}".lstrip("0") for row in (first, second) for measure in _MEASURES),
                f"{first['bytes'] / 1000:,.0f}",
            )
            for first, second in zip(*halves, strict=True)
        ),
    )


def classes(rows: Sequence[UsesRow]) -> str:
    """Return the table of accuracies per pair of classes."""
    lines = [[pair, *(f"{100 * row['pairs'][pair]:.2f}" for row in rows)] for pair in rows[0]["pairs"]]
    average = ["**average**", *(f"{100 * row['accuracy']:.2f}" for row in rows)]
    return _table(["classes", *map(_name, rows)], [*lines, average])


_KINDS: dict[str, Callable[[Sequence[UsesRow]], str]] = {
    "duplicates_right": generated_duplicates,
    "within_a_site": stored_duplicates,
    "purity": clusters,
    "pairs": classes,
}


def main() -> None:
    """Print a table per file."""
    for file in map(Path, sys.argv[1:]):
        rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
        kind = next(table for key, table in _KINDS.items() if key in rows[0])
        sys.stdout.write(f"{kind(rows)}\n\n")


if __name__ == "__main__":
    main()
