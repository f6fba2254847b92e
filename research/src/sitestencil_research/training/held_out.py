"""Benchmark Stencil on its own training sites: each site is held out from the model that judges it."""

from collections.abc import Sequence
from pathlib import Path

from sitestencil.detectors.stencil.detector import Stencil
from sitestencil_research.benchmark.comparison import Entrant, EntrantKind
from sitestencil_research.training.stencil_examples import stencil_site_examples
from sitestencil_research.training.stencil_training import Growth, fit_held_out, require_lightgbm

NAME = "stencil (held out)"
TITLE = "Stencil, each site by trees that have not seen its organisation"


def held_out_entrant(folders: Sequence[Path], growth: Growth | None = None) -> Entrant:
    """Return Stencil as an entrant that judges each site by trees that have not seen its organisation.

    Raises:
        TooFewSites: all sites belong to one organisation.
        PackageMissing: LightGBM is not installed.
        UnusableSite: a site's files are missing or invalid.
    """
    require_lightgbm()
    models = fit_held_out([stencil_site_examples(folder) for folder in folders], growth or Growth())
    detectors = {folder: Stencil(model) for folder, model in zip(folders, models, strict=True)}
    return Entrant(NAME, TITLE, EntrantKind.DETECTOR, NAME, detectors)
