"""The weights of the main content's confidence, fitted to answers."""

from math import exp
from types import SimpleNamespace
from typing import cast

from sitestencil_research.gold_texts.measure import ALONE, WordScore
from sitestencil_research.training.content_card import confidence_lines
from sitestencil_research.training.content_examples import ContentExample
from sitestencil_research.training.content_training import JudgedExample


def test_the_weights_of_the_confidence_tell_unseen_hosts_apart() -> None:
    def judged(number: int) -> JudgedExample:
        expected, gone = number % 7 - 3.0, number % 3 / 3
        f1 = 1 / (1 + exp(2 * gone - expected))
        example = cast("ContentExample", SimpleNamespace(set="tides", page=SimpleNamespace(host=f"tide{number}")))
        return JudgedExample(
            example, {}, {ALONE: WordScore(f1, f1)}, {ALONE: (expected, gone, 0.0, 0.0, number % 2)}
        )

    weights, of_all, of_set = confidence_lines([judged(number) for number in range(60)])
    assert "constant 0.0" in weights.replace("-", "")
    assert "expected 1.0" in weights
    assert "gone -1.9" in weights
    assert of_all.startswith("  all : 60 answers, rank 1.00 (expected F1 alone 0.9")
    assert of_set.startswith("  tides sitestencil (alone): 60 answers, rank 1.00")
    assert list(confidence_lines([judged(number) for number in range(9)])) == []
