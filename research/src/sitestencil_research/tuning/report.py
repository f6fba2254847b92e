"""Summarise a grid search: F1 over n and t, and the effect of each parameter alone."""

from collections.abc import Mapping

from sitestencil.detectors.temex.mapping import MappingParameters
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
