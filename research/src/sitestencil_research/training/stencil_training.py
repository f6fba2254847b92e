"""Grow Stencil's trees, and cross-validate them on sites they have not seen.

Only training needs this module. LightGBM grows the trees: the extra ``train``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from sitestencil.detectors.stencil.comparison import ENOUGH_SIMILAR
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.detectors.stencil.evidence import Evidence
from sitestencil.detectors.stencil.features import FEATURES
from sitestencil.detectors.stencil.tree_model import (
    FORMAT,
    LEAF,
    MOST_LEAVES,
    QuickScorer,
    StencilModel,
    Trees,
    probability,
)
from sitestencil.errors import UnusableInput
from sitestencil_research.scoring import Score
from sitestencil_research.training import require_packages
from sitestencil_research.training.stencil_examples import PageExamples, StencilSiteExamples, stencil_site_examples

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]
    Places = np.ndarray[Any, np.dtype[np.intp]]
    Rows = tuple[Array, Array, Array]

Odds = Sequence[Sequence[float]]  # the log-odds of each stage's judged elements

_DECIMALS = 6

# All settings below were chosen by hand, by the cross-validated F1 of the labelled sites; no sweep of single values
# is recorded. docs/errors.md lists other attempts (monotone constraints, training without siblings). They show that
# the learner is not the limit.
_MOST_ROWS = 150  # of each class and page, so that no site outweighs the others
_SIBLINGS_WEIGHT = 1.5  # of all siblings of a site together; its key page weighs 1
_GROWING: Mapping[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.2,
    "num_leaves": MOST_LEAVES,  # as many as the scorer's bits can hold
    "max_depth": 4,
    "min_data_in_leaf": 20,
    "min_sum_hessian_in_leaf": 0.05,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10,
    "use_missing": False,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


@dataclass(frozen=True, slots=True)
class Growth:
    """The number of trees to grow.

    Attributes:
        rounds: the number of trees per seed.
        seeds: the number of seeds; each takes other samples, and the mean of their log-odds decides.
        folds: the number of folds of the cross-validation, by organisations.
    """

    rounds: int = 15
    seeds: int = 4
    folds: int = 8


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """The scores of sites by trees that have not seen their organisations.

    Attributes:
        sites: per site, a score for each draw of pages.
        loads: the number of pages requested, as the mean over sites and draws.
    """

    sites: Mapping[str, Sequence[Score]]
    loads: float

    @property
    def f1(self) -> dict[str, float]:
        """F1 of each site, as the mean over the draws."""
        return {site: mean(score.f1 for score in scores) for site, scores in self.sites.items()}

    def figures(self) -> dict[str, float]:
        """Return the figures for the model card."""
        f1 = list(self.f1.values())
        of_draws = [mean(score.f1 for score in scores) for scores in zip(*self.sites.values(), strict=True)]
        return {
            "mean_f1": round(mean(f1), 4),
            "median_f1": round(median(f1), 4),
            "least_f1": round(min(f1), 4),
            "sites": len(f1),
            "sites_below_0.95": sum(value < 0.95 for value in f1),
            "sites_below_0.85": sum(value < 0.85 for value in f1),
            "pages_loaded": round(self.loads, 2),
            "draws": len(of_draws),
            "mean_f1_worst_draw": round(min(of_draws), 4),
            "mean_f1_best_draw": round(max(of_draws), 4),
        }


def cross_validate_stencil(sites: Sequence[StencilSiteExamples], growth: Growth = Growth()) -> CrossValidation:
    """Judge each site by trees grown from the others; sites of one organisation stay together.

    Each seed divides the sites anew. The shipped model's rule decides: the mean of the log-odds.

    Raises:
        UnusableInput: there are fewer than two organisations.
    """
    rows = {site.site: training_rows(site) for site in sites}
    odds: dict[str, list[list[Odds]]] = {site.site: [[] for _ in site.draws] for site in sites}
    for seed in range(growth.seeds):
        parts = _parts(sites, growth.folds, seed)
        for part in sorted(set(parts.values())):
            seen = [rows[site.site] for site in sites if parts[site.organisation] != part]
            scorer = QuickScorer(trees_of([_grow(seen, growth.rounds, seed)]))
            for site in sites:
                if parts[site.organisation] == part:
                    for of_draw, key_page in zip(odds[site.site], site.draws, strict=True):
                        of_draw.append([scorer.log_odds(stage.evidence.columns) for stage in key_page.stages])
    settled = {
        site.site: [
            key_page.settle(_mean_probabilities(of_draw))
            for key_page, of_draw in zip(site.draws, odds[site.site], strict=True)
        ]
        for site in sites
    }
    scores = {name: [score for score, _ in of_site] for name, of_site in settled.items()}
    return CrossValidation(scores, mean(loads for of_site in settled.values() for _, loads in of_site))


def _mean_probabilities(odds: Sequence[Odds]) -> list[list[float]]:
    """Return the probabilities of each stage's judged elements; the log-odds are averaged over the seeds."""
    return [
        [probability(mean(of_element)) for of_element in zip(*of_stage, strict=True)]
        for of_stage in zip(*odds, strict=True)
    ]


def fit_stencil(sites: Sequence[StencilSiteExamples], growth: Growth = Growth()) -> StencilModel:
    """Return the model learned from the sites, without a card; the same sites give the same model, bit for bit."""
    rows = [training_rows(site) for site in sites]
    boosters = [_grow(rows, growth.rounds, seed) for seed in range(growth.seeds)]
    return StencilModel(FORMAT, list(FEATURES), trees_of(boosters))


def fit_held_out(sites: Sequence[StencilSiteExamples], growth: Growth = Growth()) -> list[StencilModel]:
    """Return, per site, a model that has not seen its organisation.

    Raises:
        UnusableInput: there are fewer than two organisations.
    """
    parts = _parts(sites, growth.folds, 0)
    models = {
        part: fit_stencil([site for site in sites if parts[site.organisation] != part], growth)
        for part in sorted(set(parts.values()))
    }
    return [models[parts[site.organisation]] for site in sites]


def held_out_detectors(folders: Sequence[Path], growth: Growth = Growth()) -> dict[Path, Stencil]:
    """Return, per site, Stencil with trees that have not seen its organisation.

    Raises:
        UnusableInput: all sites belong to one organisation.
        PackageMissing: a package of training is not installed.
        UnusableSite: a site's files are missing or invalid.
    """
    require_packages()
    models = fit_held_out([stencil_site_examples(folder) for folder in folders], growth)
    return {folder: Stencil(model) for folder, model in zip(folders, models, strict=True)}


def _parts(sites: Sequence[StencilSiteExamples], folds: int, seed: int) -> dict[str, int]:
    import numpy as np

    organisations = sorted({site.organisation for site in sites})
    if len(organisations) < 2:
        raise UnusableInput("Give sites of at least two organisations: each part needs others to learn from.")
    np.random.RandomState(seed).shuffle(organisations)
    return {name: number % folds for number, name in enumerate(organisations)}


def training_rows(site: StencilSiteExamples) -> "Rows":
    """Return the features, labels and weights that a site gives; all sites weigh the same."""
    import numpy as np

    pages = [(key_page, 1 / len(site.draws)) for key_page in site.draws]
    pages += [(page, _SIBLINGS_WEIGHT / len(site.siblings)) for page in site.siblings]
    none = np.empty((0, len(FEATURES))), np.empty(0), np.empty(0)
    rows_of_pages = [none, *(rows for page, weight in pages for rows in _rows_of_stages(page, weight))]
    features, labels, weights = (np.concatenate([rows[column] for rows in rows_of_pages]) for column in range(3))
    return features, labels, weights


def _rows_of_stages(page: PageExamples, weight: float) -> "list[Rows]":
    """Return the rows of each stage at which loading may end; all stages together weigh as much as one page."""
    stages = [stage.evidence for stage in page.stages[ENOUGH_SIMILAR - 1 :] or page.stages[-1:]]
    if page.many is not None:
        stages.append(page.many)
    evidence = [(of_stage, 1 / len(stages)) for of_stage in stages]
    return [_page_rows(page, each, weight * share) for each, share in [*evidence, *page.few]]


def _page_rows(page: PageExamples, evidence: Evidence, weight: float) -> "Rows":
    """Return a row per judged element and label, weighed by the elements it decides; content weighs less."""
    import numpy as np

    template, content = np.array(page.masses(evidence), float).T
    most_template = max(1.0, template.sum())
    most_content = max(most_template, content.sum() / 2)
    features = np.array(evidence.columns, float).T
    features = np.concatenate([features, features])
    labels = np.repeat([1.0, 0.0], len(template))
    weights = np.concatenate([template / most_template, content / most_content])
    random = np.random.RandomState(0)
    kept = np.sort(np.concatenate([_sample(np.flatnonzero(labels == label), weights, random) for label in (1, 0)]))
    return features[kept], labels[kept], weights[kept] * weight


def _sample(rows: "Places", weights: "Array", random: "np.random.RandomState") -> "Places":
    """Return at most `_MOST_ROWS` rows, drawn by weight; they also take the weight of the dropped rows."""
    rows = rows[weights[rows] > 0]
    if len(rows) <= _MOST_ROWS:
        return rows
    total = weights[rows].sum()
    drawn = random.choice(rows, _MOST_ROWS, replace=False, p=weights[rows] / total)
    weights[drawn] *= total / weights[drawn].sum()
    return drawn


def _grow(rows: Sequence["Rows"], rounds: int, seed: int) -> dict[str, Any]:
    import lightgbm
    import numpy as np

    features, labels, weights = (np.concatenate([of_site[column] for of_site in rows]) for column in range(3))
    data = lightgbm.Dataset(features, labels, weight=weights * len(weights) / weights.sum())
    booster = lightgbm.train({**_GROWING, "seed": seed + 1}, data, rounds)
    dumped: dict[str, Any] = booster.dump_model()
    return dumped


def trees_of(boosters: Sequence[dict[str, Any]]) -> Trees:
    """Return LightGBM's trees as columns; the boosters share the leaves' values."""
    trees = Trees([], [], [], [])
    for booster in boosters:
        for tree in booster["tree_info"]:
            trees.roots.append(len(trees.feature))
            _append(trees, tree["tree_structure"], len(boosters))
    return trees


def _append(trees: Trees, node: Mapping[str, Any], share: int) -> None:
    number = len(trees.feature)
    if "leaf_value" in node:
        trees.feature.append(LEAF)
        trees.value.append(round(node["leaf_value"] / share, _DECIMALS) + 0.0)
        trees.right.append(0)
        return
    trees.feature.append(node["split_feature"])
    trees.value.append(node["threshold"])
    trees.right.append(0)
    _append(trees, node["left_child"], share)
    trees.right[number] = len(trees.feature)
    _append(trees, node["right_child"], share)
