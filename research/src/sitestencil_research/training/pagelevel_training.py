"""Fit the regression on the examples (PageLevel, section 5.2; definitions.md, 4.2).

Only training needs this module. scikit-learn does the fitting: the extra ``train``.
"""

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any

from sitestencil.detectors.pagelevel.features import FEATURES
from sitestencil.detectors.pagelevel.model import FORMAT, Band, Model
from sitestencil.errors import UnusableInput
from sitestencil_research.training.pagelevel_examples import Example, PageLevelSiteExamples, TrainingParameters

if TYPE_CHECKING:
    import numpy as np

# In square pixels; ours, set by hand, without a sweep (definitions.md, choice 21).
BOUNDS = (10_000, 40_000, 200_000)
DECIMALS = 6


def fit_pagelevel(
    sites: Sequence[PageLevelSiteExamples], parameters: TrainingParameters = TrainingParameters()
) -> Model:
    """Return the model learned from the sites' elements, without a card.

    All sites weigh the same, whatever their number of elements, for sites are few (definitions.md, choice 23). The
    bands' bounds are ours too (choice 21): up to a few words, up to a line across the page, up to a paragraph or a
    menu, and above. Numbers are rounded to six decimals, and the solver settles many more. So the same sites give
    the same model, bit for bit.

    Raises:
        UnusableInput: all elements are of one class.
    """
    browser = [site.browser for site in sites]
    return Model(
        FORMAT,
        list(FEATURES),
        source=_fit_bands([site.source for site in sites], parameters.strength),
        browser=_fit_bands(browser, parameters.strength) if any(browser) else [],
    )


def _fit_bands(sites: Sequence[Sequence[Example]], strength: float) -> list[Band]:
    import numpy as np

    used = [examples for examples in sites if examples]
    if len({example.template for examples in used for example in examples}) < 2:
        raise UnusableInput(
            f"The elements of {len(used)} sites are all template or all content, so there is nothing to learn. "
            "Give more sites, or sites with more pages."
        )
    features = np.array([example.features for examples in used for example in examples])
    areas = np.array([example.area for examples in used for example in examples])
    labels = np.array([example.template for examples in used for example in examples])
    weights = np.concatenate([np.full(len(examples), 1 / len(examples)) for examples in used])
    number = np.digitize(areas, BOUNDS)
    bands = []
    for band, area_from in enumerate([0, *BOUNDS]):
        rows = number == band
        bands.append(_fit_band(area_from, features[rows], labels[rows], weights[rows], strength))
    return bands


def _fit_band(
    area_from: float,
    features: "np.ndarray[Any, np.dtype[np.float64]]",
    labels: "np.ndarray[Any, np.dtype[np.bool_]]",
    weights: "np.ndarray[Any, np.dtype[np.float64]]",
    strength: float,
) -> Band:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    if labels.all() or not labels.any():
        return _constant_band(area_from, int(labels.sum()), len(labels))
    with threadpool_limits(1):
        weights = weights * len(weights) / weights.sum()
        means = np.average(features, axis=0, weights=weights).round(DECIMALS)
        scales = np.sqrt(np.average((features - means) ** 2, axis=0, weights=weights)).round(DECIMALS)
        scales[scales == 0] = 1.0
        regression = LogisticRegression(C=strength, solver="newton-cholesky", tol=1e-10, max_iter=200)
        regression.fit((features - means) / scales, labels, sample_weight=weights)
    return Band(
        area_from=area_from,
        intercept=_rounded(regression.intercept_)[0],
        weights=_rounded(regression.coef_[0]),
        means=_rounded(means),
        scales=_rounded(scales),
        elements=len(labels),
        template=round(float(np.average(labels, weights=weights)), DECIMALS),
    )


def _constant_band(area_from: float, template: int, elements: int) -> Band:
    """Return a band whose elements are all of one class; their number gives the probability."""
    zeros = [0.0] * len(FEATURES)
    intercept = round(log((template + 1) / (elements - template + 1)), DECIMALS)
    share = template / elements if elements else 0.0
    return Band(area_from, intercept, zeros, zeros, [1.0] * len(FEATURES), elements, share)


def _rounded(values: "np.ndarray[Any, np.dtype[np.float64]]") -> list[float]:
    # Adding 0.0 turns -0.0 into 0.0.
    return [round(float(value), DECIMALS) + 0.0 for value in values]
