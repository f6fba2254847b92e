"""Cross-validate by whole sites: score a choice of parameters on sites that took no part in it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from sitestencil.errors import UnusableGrid
from sitestencil_research.tuning.search import GridPoint, Search


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold.

    Attributes:
        sites: the names of the held-out sites.
        chosen: the best point on all other sites.
        f1_on_others: its mean F1 on those sites.
        f1: its mean F1 on the held-out sites.
    """

    sites: tuple[str, ...]
    chosen: GridPoint
    f1_on_others: float
    f1: float


def cross_validate_grid(search: Search, folds: int) -> list[Fold]:
    """Choose the best point once per fold, without the fold's sites, and score it on them.

    Raises:
        UnusableGrid: there are fewer than two folds, or fewer sites than folds.
    """
    check_folds(len(search.sites), folds)
    sites = list(range(len(search.sites)))
    random.Random(0).shuffle(sites)  # noqa: S311 - no secret
    return [_fold(search, sites[fold::folds], sites) for fold in range(folds)]


def check_folds(sites: int, folds: int) -> None:
    """Raise an error if this number of sites cannot be divided into this number of folds.

    Raises:
        UnusableGrid: it cannot.
    """
    if not 2 <= folds <= sites:
        raise UnusableGrid(f"{sites} sites cannot be divided into {folds} folds: give 2 to {sites}.")


def cross_validated_f1(folds: Sequence[Fold]) -> float:
    """Return the mean F1 over all sites, each with the parameters chosen without it."""
    return sum(fold.f1 * len(fold.sites) for fold in folds) / sum(len(fold.sites) for fold in folds)


def _fold(search: Search, left_out: Sequence[int], sites: Sequence[int]) -> Fold:
    others = [site for site in sites if site not in left_out]
    chosen = max(search.points, key=lambda point: fmean(point.f1[site] for site in others))
    return Fold(
        sites=tuple(search.sites[site] for site in sorted(left_out)),
        chosen=chosen,
        f1_on_others=fmean(chosen.f1[site] for site in others),
        f1=fmean(chosen.f1[site] for site in left_out),
    )
