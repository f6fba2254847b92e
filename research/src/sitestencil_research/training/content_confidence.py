"""Fit the weights of the main content's confidence to answers of models that had not seen the host.

Only training needs this module. scikit-learn fits them: the extra ``train``.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitestencil.content.choice import SIGNS
from sitestencil_research.benchmark.calibration import rank_correlation
from sitestencil_research.training.content_training import JudgedExample

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
