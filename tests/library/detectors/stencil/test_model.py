"""The model of the detector stencil and its JSON."""

import json
from typing import Any

import msgspec
import pytest
from tests.support.tables import table

from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.tree_model import decode_stencil_model, shipped_stencil_model


def test_the_shipped_model_is_for_this_version_s_features_and_says_how_it_came_to_be() -> None:
    model = shipped_stencil_model()
    assert tuple(model.features) == FEATURES
    assert model.card["cross_validation"]["sites"] == len(model.card["sites"])
    assert len(model.trees.roots) == model.card["trees"]


@table("change", [{"format": 0}, {"features": ["text"]}, {"trees": {}}])
def test_json_that_is_no_model_is_refused(change: dict[str, Any]) -> None:
    content = json.loads(shipped_stencil_model().to_json())
    with pytest.raises((ValueError, msgspec.DecodeError)):
        decode_stencil_model(json.dumps({**content, **change}).encode())
