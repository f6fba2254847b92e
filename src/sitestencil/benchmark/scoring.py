"""Precision, recall and F1 over the scored elements of a key page."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.benchmark.labels import CONTENT, TEMPLATE


@dataclass(frozen=True, slots=True)
class Score:
    """How well a detector's answer fits the labels of one page."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Share of the elements called template that are; 0 where none was called so."""
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        """Share of the template's elements that were called so."""
        return self.right / (self.right + self.missed) if self.right else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of the two; 0 for an empty answer."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missed) if self.right else 0.0


def score(template: Sequence[bool], labels: str) -> Score:
    """Score an answer, one value per element of the key page, against its labels.

    Raises:
        ValueError: there are not as many answers as labels.
    """
    right = wrong = missed = 0
    for is_template, label in zip(template, labels, strict=True):
        if label == TEMPLATE:
            right += is_template
            missed += not is_template
        elif label == CONTENT:
            wrong += is_template
    return Score(right, wrong, missed)
