"""The detector as an entrant of a comparison on the very sites it learns from, judged fairly."""

from collections.abc import Sequence
from pathlib import Path

from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.evaluation.benchmark.comparison import Entrant, Kind
from sitestencil.evaluation.training.stencil_examples import site_examples
from sitestencil.evaluation.training.stencil_training import Growth, fit_unseen, require_lightgbm

NAME = "stencil (unseen)"
TITLE = "Stencil, each site by trees that have not seen its organisation"


def unseen_entrant(folders: Sequence[Path], growth: Growth | None = None) -> Entrant:
    """Return the detector as an entrant that judges each site by trees that have seen no page of its organisation.

    Raises:
        StencilTrainingError: LightGBM is not installed, or there are sites of one organisation only.
        SiteError: a site's files are not as they should be.
    """
    require_lightgbm()
    models = fit_unseen([site_examples(folder) for folder in folders], growth or Growth())
    detectors = {folder: Stencil(model) for folder, model in zip(folders, models, strict=True)}
    return Entrant(NAME, TITLE, Kind.DETECTOR, NAME, detectors)
