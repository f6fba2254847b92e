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
    """The logistic regression for elements of one band of areas.

    Attributes:
        area_from: the least area in square pixels; the band ends where the next begins.
        intercept: the intercept of the linear form.
        weights: one per feature; it applies to the feature minus its mean, divided by its scale.
        means: the features' means over the training elements.
        scales: the features' deviations over them; 1 for a constant feature.
        elements: the number of training elements.
        template: the share of template among them; all sites weigh the same.
    """

    area_from: float
    intercept: float
    weights: list[float]
    means: list[float]
    scales: list[float]
    elements: int
    template: float

    def probability(self, features: Sequence[float]) -> float:
        """Return the probability that an element with these features is template."""
        linear = self.intercept + sum(
            weight * (feature - mean) / scale
            for weight, feature, mean, scale in zip(self.weights, features, self.means, self.scales, strict=True)
        )
        return 1 / (1 + exp(-linear)) if linear > -700 else 0.0


class Model(msgspec.Struct, frozen=True):
    """A trained classifier, as in its JSON file.

    Attributes:
        format: the file format's number.
        features: the features' names, in the order of the weights.
        source: the bands for geometry estimated from the source.
        browser: the bands for the browser's geometry; if empty, ``source`` serves.
        card: the facts of the training.
    """

    format: int
    features: list[str]
    source: list[Band]
    browser: list[Band] = []
    card: dict[str, Any] = {}

    def to_json(self) -> bytes:
        """Return the model as JSON text."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    def bands(self, *, rendered: bool) -> list[Band]:
        """Return the bands for the browser's geometry, or for geometry estimated from the source."""
        return self.browser if rendered and self.browser else self.source

    def scores(
        self, features: Sequence[Sequence[float]], areas: Sequence[float], *, rendered: bool = False
    ) -> list[float]:
        """Return x: per element, the probability that it is template."""
        bands = self.bands(rendered=rendered)
        bounds = [band.area_from for band in bands[1:]]
        return [
            bands[bisect_right(bounds, area)].probability(values)
            for values, area in zip(features, areas, strict=True)
        ]


def read_model(file: Path | str) -> Model:
    """Read a model from its JSON file, as ``sitestencil train`` writes it.

    Raises:
        UnusableModel: the file cannot be read, or holds no model for this version's features.
    """
    try:
        return _decode(Path(file).read_bytes())
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise UnusableModel(
            f"{file} cannot be used as a model: {error}. Make one with sitestencil train."
        ) from None


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """Return the model in this package."""
    return _decode(files("sitestencil.detectors.pagelevel").joinpath("model.json").read_bytes())


def _decode(data: bytes) -> Model:
    model = msgspec.json.decode(data, type=Model)
    if model.format != FORMAT or tuple(model.features) != FEATURES:
        raise ValueError("it was made for other features")
    for band in (*model.source, *model.browser):
        if not len(band.weights) == len(band.means) == len(band.scales) == len(FEATURES):
            raise ValueError("a band's weights do not match the features")
        if 0 in band.scales:
            raise ValueError("a scale is 0")
    if not model.source:
        raise ValueError("it has no bands")
    return model
