"""The classifier: one logistic regression per band of areas (PageLevel, section 5.2; definitions.md, 4.2)."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from math import exp
from pathlib import Path
from typing import Any

import msgspec

from sitestencil.detectors.pagelevel.features import FEATURES
from sitestencil.errors import UnusableModel

FORMAT = 1


class Band(msgspec.Struct, frozen=True):
    """The logistic regression for elements of about one area.

    Attributes:
        area_from: the least area in square pixels; the next band's is where this one ends.
        intercept: of the linear form.
        weights: one per feature, for the feature less its mean, divided by its scale.
        means: of the features over the training elements.
        scales: their deviations there; 1 for a feature that never changes.
        elements: how many elements it was trained on.
        template: which share of them were template, all sites counting alike.
    """

    area_from: float
    intercept: float
    weights: list[float]
    means: list[float]
    scales: list[float]
    elements: int
    template: float

    def probability(self, features: Sequence[float]) -> float:
        """Return how probable it is that an element of these features is template."""
        linear = self.intercept + sum(
            weight * (feature - mean) / scale
            for weight, feature, mean, scale in zip(self.weights, features, self.means, self.scales, strict=True)
        )
        return 1 / (1 + exp(-linear)) if linear > -700 else 0.0


class Model(msgspec.Struct, frozen=True):
    """A trained classifier, as its JSON file has it.

    Attributes:
        format: of the file.
        features: their names, in the order of the weights.
        source: the bands for geometry estimated from the source.
        browser: the bands for the browser's geometry; where there are none, ``source`` serves.
        card: how the model came to be.
    """

    format: int
    features: list[str]
    source: list[Band]
    browser: list[Band] = []
    card: dict[str, Any] = {}

    def to_json(self) -> bytes:
        """Return the model as the text of its file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    def bands(self, *, rendered: bool) -> list[Band]:
        """Return the bands for the browser's geometry, or for that estimated from the source."""
        return self.browser if rendered and self.browser else self.source

    def scores(
        self, features: Sequence[Sequence[float]], areas: Sequence[float], *, rendered: bool = False
    ) -> list[float]:
        """Return x: for each element how probable it is that it is template."""
        bands = self.bands(rendered=rendered)
        bounds = [band.area_from for band in bands[1:]]
        return [
            bands[bisect_right(bounds, area)].probability(values)
            for values, area in zip(features, areas, strict=True)
        ]


def read_model(file: Path | str) -> Model:
    """Read a model from its JSON file, as ``sitestencil train`` writes it.

    Raises:
        UnusableModel: the file cannot be read, or is no model for this version's features.
    """
    try:
        return _decode(Path(file).read_bytes())
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise UnusableModel(
            f"{file} cannot be used as a model: {error}. Make one with sitestencil train."
        ) from None


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """Return the model that comes with this package."""
    return _decode(files("sitestencil.detectors.pagelevel").joinpath("model.json").read_bytes())


def _decode(data: bytes) -> Model:
    model = msgspec.json.decode(data, type=Model)
    if model.format != FORMAT or tuple(model.features) != FEATURES:
        raise ValueError("it was made for other features")
    for band in (*model.source, *model.browser):
        if not len(band.weights) == len(band.means) == len(band.scales) == len(FEATURES):
            raise ValueError("a band has not as many weights as there are features")
        if 0 in band.scales:
            raise ValueError("a scale is 0")
    if not model.source:
        raise ValueError("it has no bands")
    return model
