"""Write the card of the model of main content: its training data, and its figures on hosts it has not seen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from sitestencil.content.choice import SIGNS
from sitestencil.content.features import FEATURES
from sitestencil.content.model import ContentModel
from sitestencil.version import VERSION
from sitestencil_research.benchmark.calibration import rank_correlation
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


_PARTS = 10  # of the hosts; the answers of each are predicted by the weights of the others
_FEWEST_ANSWERS = 20  # of a set, for a rank correlation


class _Answer(NamedTuple):
    set: str
    way: str
    host: str
    signs: Sequence[float]
    f1: float


def confidence_lines(judged: Sequence[JudgedExample]) -> Iterator[str]:
    """Yield the weights, then the rank correlations with the true F1: of all answers, and of each set and way.

    The correlations are those of weights that have not seen the host, and of the expected F1 alone. With fewer
    than ten hosts there is nothing to say.
    """
    answers = [
        _Answer(each.example.set, way, each.example.page.host, signs, each.scores[way].f1)
        for each in judged
        for way, signs in each.signs.items()
    ]
    hosts = sorted({answer.host for answer in answers})
    if len(hosts) < _PARTS or len(answers) < _FEWEST_ANSWERS:
        return
    constant, *weights = _weights(answers)
    yield f"Confidence: constant {constant:.2f}, " + ", ".join(
        f"{name} {weight:.2f}" for name, weight in zip(SIGNS, weights, strict=True)
    )
    part_of = {host: number % _PARTS for number, host in enumerate(hosts)}
    held_out: dict[_Answer, float] = {}
    for part in range(_PARTS):
        constant, *weights = _weights([answer for answer in answers if part_of[answer.host] != part])
        for answer in answers:
            if part_of[answer.host] == part:
                signs = zip(weights, answer.signs, strict=True)
                held_out[answer] = constant + sum(weight * sign for weight, sign in signs)
    for name, way in (("all", ""), *dict.fromkeys((answer.set, answer.way) for answer in answers)):
        own = [answer for answer in answers if not way or (answer.set, answer.way) == (name, way)]
        if len(own) >= _FEWEST_ANSWERS:
            f1s = [answer.f1 for answer in own]
            rank = rank_correlation([held_out[answer] for answer in own], f1s)
            expected = rank_correlation([answer.signs[0] for answer in own], f1s)
            yield f"  {name} {way}: {len(own)} answers, rank {rank:.2f} (expected F1 alone {expected:.2f})"


def _weights(answers: Sequence[_Answer]) -> list[float]:
    """Return the constant and the weights of a logistic regression of F1: each answer counts as right by its F1."""
    from sklearn.linear_model import LogisticRegression

    rows = [answer.signs for answer in answers]
    shares = [answer.f1 for answer in answers]
    regression = LogisticRegression(C=100.0, max_iter=1000)
    regression.fit(rows * 2, [1] * len(rows) + [0] * len(rows), [*shares, *(1 - share for share in shares)])
    return [*map(float, regression.intercept_), *map(float, regression.coef_[0])]
