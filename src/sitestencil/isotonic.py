"""Regularised isotonic regression on a tree (Chakrabarti, Kumar, Punera 2007, section 4; methods, 4.3).

Given a score x(i) for every node, find y with y(parent) <= y(child) that minimises the sum of
``weight(i) * |x(i) - y(i)|`` plus ``penalty(i)`` for every node whose y differs from its parent's.

The paper's dynamic program tabulates err(i, j), the least cost of the subtree of i when its parent has the value
x(j), for all n values. Seen as a function of the parent's value v, err(i, .) is piecewise linear, with few pieces
where the subtree is small; so a list of its kinks replaces the row of the table, and nothing of exactness is lost:

    own(v) = weight * |x - v| + the children's err(v)
    err(v) = the lesser of own(v): keep the parent's value,
             and penalty + the least own(u) with u > v: take the best higher one.

Where the second is the lesser, own(v) is cut off flat. Right of the last falling piece nothing can be cut, so the
kinks that lie there are not even looked at.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

# A kink: where the slope of a function changes, and by how much.
_Kink = tuple[float, float]


class _Cut(NamedTuple):
    """Parent's values from ``low`` to ``high`` for which a node takes the value ``best`` of its own."""

    low: float
    high: float
    best: float


@dataclass(slots=True)
class _Cost:
    """The cost of a subtree by a value v, up to a constant: piecewise linear.

    Attributes:
        kinks: in order.
        weight: its slope right of all kinks: the weight of the whole subtree.
        falls_until: nothing right of here falls.
    """

    kinks: list[_Kink]
    weight: int
    falls_until: float


@dataclass(frozen=True, slots=True)
class Smoothed:
    """The smoothed scores of a tree and what they cost.

    Attributes:
        values: y, one per node.
        cost: distance and penalties together.
    """

    values: Sequence[float]
    cost: float


def isotonic_smooth(
    parents: Sequence[int], scores: Sequence[float], penalties: Sequence[float], weights: Sequence[int]
) -> Smoothed:
    """Return the best monotone values of a tree's nodes.

    Args:
        parents: per node its parent's number, smaller than its own; -1 for the root, which is node 0.
        scores: x.
        penalties: what it costs that a node's value differs from its parent's; the root's is not used.
        weights: how many nodes each one stands for, 1 or more.

    Raises:
        ValueError: the columns differ in length, or the parents make no tree with the root first.

    Time and memory grow with the number of kinks: at most the square of the number of nodes, on trees as
    pages have them close to linear.
    """
    _check(parents, scores, penalties, weights)
    count = len(parents)
    open_costs: list[list[_Cost]] = [[] for _ in parents]
    cuts: list[list[_Cut]] = [[] for _ in parents]
    for node in range(count - 1, -1, -1):
        own = _own_cost(scores[node], weights[node], open_costs[node])
        open_costs[node] = []
        if node:
            err, cuts[node] = _cut_off(own, penalties[node])
            open_costs[parents[node]].append(err)
        else:
            values = [_least(own)]
    for node in range(1, count):
        value = values[parents[node]]
        values.append(next((cut.best for cut in cuts[node] if cut.low < value < cut.high), value))
    return Smoothed(values, cost(parents, scores, penalties, weights, values))


def cost(
    parents: Sequence[int],
    scores: Sequence[float],
    penalties: Sequence[float],
    weights: Sequence[int],
    values: Sequence[float],
) -> float:
    """Return c(y): the weighted distance of values from the scores, and the penalties (equation 4)."""
    distance = sum(weight * abs(x - y) for weight, x, y in zip(weights, scores, values, strict=True))
    return distance + sum(
        penalties[node]
        for node, parent in enumerate(parents)
        if parent >= 0 and values[node] != values[parent]
    )


def segments(parents: Sequence[int], values: Sequence[float]) -> list[int]:
    """Return for each node the topmost node of its segment: the run of equal values down the tree it is in."""
    tops: list[int] = []
    for node, parent in enumerate(parents):
        same = parent >= 0 and values[node] == values[parent]
        tops.append(tops[parent] if same else node)
    return tops


def _check(
    parents: Sequence[int], scores: Sequence[float], penalties: Sequence[float], weights: Sequence[int]
) -> None:
    if not len(parents) == len(scores) == len(penalties) == len(weights):
        raise ValueError("Parents, scores, penalties and weights must be as many as there are nodes.")
    if not parents or parents[0] != -1:
        raise ValueError("The first node must be the root, with the parent -1.")
    if any(not 0 <= parents[node] < node for node in range(1, len(parents))):
        raise ValueError("Each node's parent must come before it.")
    if any(penalty < 0 for penalty in penalties) or any(weight < 1 for weight in weights):
        raise ValueError("Penalties must not be negative, and weights must be 1 or more.")


def _own_cost(score: float, weight: int, children: Sequence[_Cost]) -> _Cost:
    """Return the cost of a subtree by the value of its topmost node."""
    kinks = [(score, 2.0 * weight)]
    falls_until = score
    for child in children:
        kinks += child.kinks
        weight += child.weight
        falls_until = max(falls_until, child.falls_until)
    if len(kinks) > 1:
        kinks.sort()
    return _Cost(kinks, weight, falls_until)


def _cut_off(own: _Cost, penalty: float) -> tuple[_Cost, list[_Cut]]:
    """Return the cost by the value of the node's parent, and where it is the cost of a value of its own.

    The kinks are gone through from the right. ``height`` is the cost there above the least cost of all higher
    values, which is at ``best``. Where it exceeds the penalty, it is cut off.
    """
    looked_at = bisect_right(own.kinks, (own.falls_until, float("inf")))
    slope = own.weight - sum(change for _, change in own.kinks[looked_at:])
    kept: list[_Kink] = []
    cuts: list[_Cut] = []
    best = right = own.falls_until
    height = 0.0
    falls_until = float("-inf")
    cut_from = float("inf")
    for position, change in reversed(own.kinks[:looked_at]):
        below = height - slope * (right - position)
        if height <= penalty < below:
            high = position + (below - penalty) / -slope if slope else right
            kept.append((high, slope))
            cut_from = high
        elif height > penalty >= below:
            low = position + (penalty - below) / slope
            kept.append((low, -slope))
            cuts.append(_Cut(low, cut_from, best))
            cut_from = float("inf")
        elif height > penalty < below:
            pass
        if below < 0:
            best = position
            below = 0.0
        if below <= penalty:
            kept.append((position, change))
        height, right, slope = below, position, slope - change
    if slope < 0:
        pass
    return _Cost(kept, own.weight, falls_until), cuts


def _least(own: _Cost) -> float:
    """Return the value at which the cost is least."""
    raise NotImplementedError
