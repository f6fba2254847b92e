"""Precision, recall and F1 over the scored elements of a key page."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil_research.labels import CONTENT, TEMPLATE


@dataclass(frozen=True, slots=True)
class Score:
    """How well a detector's answer fits the labels of one page."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of the elements called template that are template; 0 if none was called so."""
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        """The share of the template that was called template."""
        return self.right / (self.right + self.missed) if self.right else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 for an empty answer."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missed) if self.right else 0.0

    @property
    def is_defined(self) -> bool:
        """Whether there is anything to find: a template without links, for example, has no recall by links."""
        return self.right + self.missed > 0


def score(template: Sequence[bool], labels: str, weights: Sequence[int] | None = None) -> Score:
    """Score an answer against the labels; it has one value per element of the key page, or per text.

    Raises:
        ValueError: the numbers of answers, weights and labels differ.
    """
    right = wrong = missed = 0
    each = [1] * len(labels) if weights is None else weights
    for is_template, label, weight in zip(template, labels, each, strict=True):
        if label == TEMPLATE:
            right += weight * is_template
            missed += weight * (not is_template)
        elif label == CONTENT:
            wrong += weight * is_template
    return Score(right, wrong, missed)
