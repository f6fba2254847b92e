"""Write the card of the model of main content: its training data, and its figures on hosts it has not seen."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from sitestencil.content.features import FEATURES
from sitestencil.content.model import ContentModel
from sitestencil.version import VERSION
from sitestencil_research.gold_texts.measure import ALONE, WITH_SIBLINGS, WordScore
from sitestencil_research.training.content_examples import LABELLED, ContentExample
from sitestencil_research.training.content_training import ContentGrowth, JudgedExample

CARD = Path(__file__).with_suffix(".md")
# Alone on all pages, then both on the pages that have compared pages.
ALL_ALONE, SAME_ALONE, COMPARED = "alone", "alone, of those with siblings", "with siblings"


def held_out_figures(scores: Sequence[JudgedExample]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures of each set: of all pages alone, and of those with siblings in both ways."""
    figures = {}
    for name in sorted({score.example.set for score in scores}):
        own = [score.scores for score in scores if score.example.set == name]
        both = [of_page for of_page in own if WITH_SIBLINGS in of_page]
        figures[name] = {ALL_ALONE: _means(of_page[ALONE] for of_page in own)}
        if both:
            figures[name][SAME_ALONE] = _means(of_page[ALONE] for of_page in both)
            figures[name][COMPARED] = _means(of_page[WITH_SIBLINGS] for of_page in both)
    return figures


def mean_f1(scores: Sequence[JudgedExample]) -> float:
    """Return the mean F1 over all pages and ways."""
    return round(fmean(score.f1 for of_page in scores for score in of_page.scores.values()), 4)


def _means(scores: Iterable[WordScore]) -> dict[str, float]:
    of_pages = list(scores)
    figures = {name: fmean(getattr(score, name) for score in of_pages) for name in ("f1", "precision", "recall")}
    return {"pages": len(of_pages)} | {name: round(figure, 4) for name, figure in figures.items()}


def with_content_card(
    model: ContentModel,
    examples: Sequence[ContentExample],
    growth: ContentGrowth,
    scores: Sequence[JudgedExample],
    curve: Mapping[float, float],
    command: str,
) -> ContentModel:
    """Return a trained model with its card; the card does not depend on the time or place of training.

    Args:
        model: the model.
        examples: the pages that it learned from.
        growth: how it grew.
        scores: the pages' scores by models that had not seen their hosts.
        curve: the mean F1 by the share of hosts learned from.
        command: the command that trained it.
    """
    from lightgbm import __version__ as lightgbm

    gold = [example for example in examples if example.set != LABELLED]
    card: dict[str, Any] = {
        "command": command,
        "sitestencil": VERSION,
        "lightgbm": lightgbm,
        "growth": {"rounds": growth.rounds, "second_rounds": growth.second_rounds, "folds": growth.folds},
        "pages": len(gold),
        "hosts": len({example.page.host for example in gold}),
        "labelled_sites": len(examples) - len(gold),
        "cross_validation": held_out_figures(scores),
        "learning_curve": {f"{share:g}": f1 for share, f1 in curve.items()},
    }
    return msgspec.structs.replace(model, card=card)


def content_card_text(model: ContentModel, day: date) -> str:
    """Return the card as Markdown."""
    card = model.card
    rows = "\n".join(
        f"| {name} | {way} | {row['pages']} | {row['f1']:.3f} | {row['precision']:.3f} | {row['recall']:.3f} |"
        for name, ways in card["cross_validation"].items()
        for way, row in ways.items()
    )
    curve = ", ".join(f"{float(share):.0%} {f1:.3f}" for share, f1 in card["learning_curve"].items())
    return CARD.read_text("utf-8").format(
        card=card,
        day=day.isoformat(),
        features=len(FEATURES),
        trees=len(model.trees.roots),
        rows=rows,
        curve=curve,
    )
