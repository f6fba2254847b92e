"""Summarise a grid search: F1 over n and t, the effect of each parameter alone, and all data."""

from collections.abc import Mapping, Sequence
from typing import Any

from sitestencil.detectors.temex.mapping import MappingParameters
from sitestencil_research.tuning.folds import Fold, cross_validated_f1
from sitestencil_research.tuning.grid import listed, weights_of
from sitestencil_research.tuning.search import GridPoint, Search

WEIGHTS_NAME = "wc,wp,wa,wch"


def base_point(search: Search) -> GridPoint | None:
    """Return the point of the grid's base configuration; None if it was not tried."""
    base = search.grid.base
    return search.find(base.mapping, base.subdigraph_size, base.votes)


def f1_over_votes(search: Search) -> dict[tuple[int, int], float]:
    """Return the mean F1 per n and t, with the best point's mapping (thesis, Table 5.2)."""
    best = search.best.mapping
    return {(point.n, point.t): point.mean_f1 for point in search.points if point.mapping == best}


def one_at_a_time(search: Search) -> dict[str, dict[str, float]]:
    """Return the mean F1 by parameter and value; all other parameters are as in the base.

    The four weights count as one parameter. The result is empty if the base was not tried.
    """
    base = base_point(search)
    if base is None:
        return {}
    own = _values(base.mapping)
    by_parameter: dict[str, dict[str, float]] = {}
    for point in search.points:
        theirs = _values(point.mapping)
        differ = [name for name in own if own[name] != theirs[name]]
        if (point.n, point.t) == (base.n, base.t) and len(differ) <= 1:
            for name in differ or own:
                by_parameter.setdefault(name, {})[theirs[name]] = point.mean_f1
    return {name: values for name, values in by_parameter.items() if len(values) > 1}


def to_dict(search: Search, folds: Sequence[Fold]) -> dict[str, Any]:
    """Return a search and its cross-validation as plain data."""
    base = base_point(search)
    return {
        "sites": search.sites,
        "interrupted": search.interrupted,
        "evaluations": search.evaluations,
        "seconds": search.seconds,
        "cores": search.cores,
        "pages_loaded": search.pages_loaded,
        "best": _plain(search.best, search.sites),
        "base": _plain(base, search.sites) if base is not None else None,
        "f1_over_n_and_t": [{"n": n, "t": t, "f1": f1} for (n, t), f1 in f1_over_votes(search).items()],
        "one_at_a_time": one_at_a_time(search),
        "folds": [
            {"sites": fold.sites, "f1": fold.f1, "f1_on_others": fold.f1_on_others, "chosen": _plain(fold.chosen)}
            for fold in folds
        ],
        "cross_validated_f1": cross_validated_f1(folds) if folds else None,
        "points": [_plain(point) for point in search.points],
    }


def _plain(point: GridPoint, sites: Sequence[str] = ()) -> dict[str, Any]:
    equality = point.mapping.equality
    wc, wp, wa, wch = weights_of(point.mapping)
    data: dict[str, Any] = {
        "n": point.n,
        "t": point.t,
        "wc": wc,
        "wp": wp,
        "wa": wa,
        "wch": wch,
        "Pnc": equality.no_classes,
        "Pna": equality.no_attributes,
        "Pnch": equality.no_children,
        "Pt": equality.threshold,
        "keep_order": point.mapping.keep_order,
        "f1": point.mean_f1,
        "precision": point.precision,
        "recall": point.recall,
    }
    if sites:
        data["f1_by_site"] = dict(zip(sites, point.f1, strict=True))
    return data


def _values(mapping: MappingParameters) -> Mapping[str, str]:
    equality = mapping.equality
    return {
        WEIGHTS_NAME: listed(weights_of(mapping)),
        "Pnc": f"{equality.no_classes:g}",
        "Pna": f"{equality.no_attributes:g}",
        "Pnch": f"{equality.no_children:g}",
        "Pt": f"{equality.threshold:g}",
        "order": "kept" if mapping.keep_order else "free",
    }
