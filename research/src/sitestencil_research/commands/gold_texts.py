"""``sitestencil benchmark --texts``: measure the content's text against gold texts."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import compress
from typing import TYPE_CHECKING

from sitestencil.cli.command import complain
from sitestencil.cli.progress import progress_bar
from sitestencil.errors import WrongUsage
from sitestencil_research.commands.options import write_json
from sitestencil_research.commands.tables import print_table
from sitestencil_research.gold_texts.measure import (
    ALONE,
    WITH_SIBLINGS,
    PageScores,
    TextRow,
    measure_texts,
    score_page,
    text_peers,
    text_rows,
)
from sitestencil_research.gold_texts.sets import GoldPage, gold_sets

if TYPE_CHECKING:
    from sitestencil_research.training.content_training import JudgedExample


def run_texts(options: argparse.Namespace) -> int:
    """Print a table for each set: all pages, the pages with others of their host, and each kind of page."""
    if options.folders or options.perturbed:
        raise WrongUsage("--texts goes with --peers, --held-out, --jobs, --json and --markdown only.")
    sets = gold_sets(options.texts, left_out=complain)
    judged = _judged(sets, options) if options.held_out else []
    held_out = {
        each.example.page: {way: "\n".join(compress(each.example.texts, kept)) for way, kept in each.kept.items()}
        for each in judged
    }
    figures = []
    for name, pages in sets.items():
        with progress_bar(f"Pages, {name}", len(pages)) as bar:
            measured = measure_texts(
                pages, peers=text_peers() if options.peers else (), processes=options.jobs, done=bar
            )
        measured = [_held_out(each, held_out.get(each.page)) for each in measured]
        for title, part in _parts(name, measured):
            rows = text_rows(part)
            heads = [
                "",
                "pages",
                "F1 of words",
                "95 % interval",
                "precision",
                "recall",
                *(f"{kind} missing" for kind in rows[0].missing),
            ]
            print_table(title, heads, map(_cells, rows), markdown=options.markdown)
            figures.append({"pages": title, "rows": [asdict(row) for row in rows]})
    write_json(options.json, {"results": figures})
    return 0


def _judged(sets: Mapping[str, Sequence[GoldPage]], options: argparse.Namespace) -> "list[JudgedExample]":
    from sitestencil_research.training import require_packages
    from sitestencil_research.training.content_examples import content_examples
    from sitestencil_research.training.content_training import ContentGrowth, cross_validate_content

    require_packages()
    with progress_bar("Pages to learn from", sum(map(len, sets.values()))) as bar:
        examples = content_examples(sets, options.jobs, bar)
    with progress_bar("Folds", ContentGrowth().folds) as bar:
        return list(cross_validate_content(examples, done=bar))


def _held_out(measured: PageScores, texts: Mapping[str, str] | None) -> PageScores:
    """Replace our scores; where no sibling could be compared, the page alone answers for both."""
    if texts is None:
        return measured
    ways = (way for way in (ALONE, WITH_SIBLINGS) if way in measured.scores)
    own = score_page(measured.page, {way: texts.get(way, texts[ALONE]) for way in ways})
    return replace(
        measured,
        scores={**measured.scores, **own.scores},
        missing={**measured.missing, **own.missing},
    )


def _parts(name: str, measured: Sequence[PageScores]) -> list[tuple[str, list[PageScores]]]:
    parts = [(name, list(measured))]
    parts.append((f"{name}, with siblings", [each for each in measured if WITH_SIBLINGS in each.scores]))
    kinds = sorted({each.page.kind for each in measured} - {""})
    parts += [(f"{name}, {kind}", [each for each in measured if each.page.kind == kind]) for kind in kinds]
    return [(title, part) for title, part in parts if part]


def _cells(row: TextRow) -> list[str]:
    interval = f"{row.f1.low:.3f} to {row.f1.high:.3f}"
    figures = f"{row.f1.mean:.3f}", interval, f"{row.precision:.3f}", f"{row.recall:.3f}"
    return [
        row.name,
        str(row.pages),
        *figures,
        *(f"{share:.3f}" for share in row.missing.values()),
    ]
