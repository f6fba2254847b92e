"""Templateness of a page's elements: scores smoothed over the tree (PageLevel, 4 and 5.3; definitions.md, 4.3).

Given a score x(i) for every node, find y with y(parent) <= y(child). It minimises the sum of ``weight(i) * |x(i) -
y(i)|``, plus ``penalty(i)`` for every node whose y differs from its parent's.

The paper's dynamic program tabulates err(i, j) for all n values. This is the least cost of the subtree of i if its
parent has the value x(j). As a function of the parent's value v, err(i, .) is piecewise linear, with few pieces if
the subtree is small. So a list of its kinks replaces the row of the table, without any loss:

    err'(v) = weight * |x - v| + the sum of the children's err(v)
    err(v) = min(err'(v), penalty + least err'(u) of all u > v)

The second function is the smaller of err' and a flat line. Right of the last falling piece of err' there is nothing
to cut, so the kinks there are not visited.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sitestencil.detectors.pagelevel.features import area, element_features
from sitestencil.detectors.pagelevel.model import Model
from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import page_boxes

_ENDLESS = float("inf")

# The point where a function's slope changes, and the change. Weights are whole numbers, so slopes are exact.
_Kink = tuple[float, float]


class _Cut(NamedTuple):
    """A range of the parent's values, ``low`` to ``high``, in which a node takes its own value ``best``."""

    low: float
    high: float
    best: float


class _Cost(NamedTuple):
    """The cost of a subtree as a function of a value v, up to a constant: a piecewise linear function.

    ``kinks`` go from left to right. ``slope`` is the slope left of all kinks. The function never falls right of
    ``rises_from``. ``weight`` is the weight of all nodes, which is the slope right of all kinks.
    """

    kinks: list[_Kink]
    slope: float
    rises_from: float
    weight: int


def isotonic_smooth(
    parents: Sequence[int], scores: Sequence[float], penalties: Sequence[float], weights: Sequence[int]
) -> list[float]:
    """Return the best monotone values of a tree's nodes (Algorithms BuildError and IsotoneSmooth).

    Args:
        parents: per node, its parent's number, which is smaller than its own; -1 for the root, node 0.
        scores: x.
        penalties: the cost if a node's value differs from its parent's; the root's is not used.
        weights: the number of nodes that each node stands for, at least 1.

    If several values cost the same, a node keeps its parent's value. Time and memory grow with the number of kinks.
    In the worst case that is quadratic in the nodes; on real pages it is almost linear.
    """
    children: list[list[_Cost]] = [[] for _ in parents]
    cuts: list[list[_Cut]] = [[] for _ in parents]
    root_value = 0.0
    for node in range(len(parents) - 1, -1, -1):
        cost = _with_children(scores[node], weights[node], children[node])
        children[node] = []
        cost_for_parent, cuts[node], root_value = _cut_off(cost, penalties[node])
        if node:
            children[parents[node]].append(cost_for_parent)
    values = [root_value]
    for node in range(1, len(parents)):
        value = values[parents[node]]
        for low, high, best in cuts[node]:
            if low < value < high:
                value = best
                break
        values.append(value)
    return values


def segments(parents: Sequence[int], values: Sequence[float]) -> list[int]:
    """Return, per node, the topmost node of its segment: the connected nodes of equal value."""
    tops: list[int] = []
    for node, parent in enumerate(parents):
        tops.append(tops[parent] if parent >= 0 and values[node] == values[parent] else node)
    return tops


def _with_children(score: float, weight: int, children: Sequence[_Cost]) -> _Cost:
    """Return err': the cost of a subtree as a function of its top node's value."""
    kink = (score, 2.0 * weight)
    if not children:
        return _Cost([kink], -float(weight), score, weight)
    slope = -float(weight)
    rises_from = score
    for child in children:
        slope += child.slope
        weight += child.weight
        rises_from = max(rises_from, child.rises_from)
    kinks = children[0].kinks
    if len(children) > 1:
        kinks = [kink for child in children for kink in child.kinks]
        kinks.sort()
    insort(kinks, kink)
    return _Cost(kinks, slope, rises_from, weight)


def _last_fall(cost: _Cost) -> tuple[int, float]:
    """Return the number of kinks before the function only rises, and its slope right of them."""
    kinks = cost.kinks
    count = bisect_right(kinks, (cost.rises_from, _ENDLESS))
    if 2 * count < len(kinks):
        slope = cost.slope + sum([change for _, change in kinks[:count]])
    else:
        slope = cost.weight - sum([change for _, change in kinks[count:]])
    while slope >= 0:
        count -= 1
        slope -= kinks[count][1]
    return count + 1, slope + kinks[count][1]


def _cut_off(cost: _Cost, penalty: float) -> tuple[_Cost, list[_Cut], float]:
    """Return err as a function of the parent's value, the cuts, and the value with the least err'.

    The kinks are visited from the right. ``height`` is err' minus the least err' of all higher values; that least
    is at ``best``. Where ``height`` exceeds the penalty, err is flat.
    """
    looked_at, kept_slope = _last_fall(cost)
    slope = kept_slope
    kinks: list[_Kink] = []
    cuts: list[_Cut] = []
    best = cut_to = cost.kinks[looked_at - 1][0]
    rises_from = -_ENDLESS
    height = 0.0
    for number in range(looked_at - 1, -1, -1):
        right, change = cost.kinks[number]
        left = cost.kinks[number - 1][0] if number else -_ENDLESS
        slope -= change
        below = height - slope * (right - left)
        if height <= penalty:
            kinks.append((right, kept_slope - slope))
            kept_slope = slope
            if slope < 0 and rises_from < right:
                rises_from = right
            if below > penalty:
                cut_to = max(left, right - (height - penalty) / slope)
                kinks.append((cut_to, kept_slope))
                kept_slope = 0.0
        elif below <= penalty:
            cut_from = max(left, right - (height - penalty) / slope)
            cuts.append(_Cut(cut_from, cut_to, best))
            kinks.append((cut_from, -slope))
            kept_slope = slope
        if below < 0:
            best, below = left, 0.0
        height = below
    if height > penalty:
        cuts.append(_Cut(-_ENDLESS, cut_to, best))
    kinks.reverse()
    cost.kinks[:looked_at] = kinks
    return _Cost(cost.kinks, kept_slope, rises_from, cost.weight), cuts, best


LEAST_AREA = 2000.0


@dataclass(frozen=True, slots=True)
class Smoothing:
    """The parameters of the smoothing.

    Attributes:
        penalty: c in the penalty c * A / A(i): page area over element area.
        least_area: smaller elements take their parent's value; in square pixels.
    """

    penalty: float = 0.01
    least_area: float = LEAST_AREA


@dataclass(frozen=True, slots=True)
class Nodes:
    """The classified elements: the body, and the elements in it with at least the least area.

    Attributes:
        elements: their numbers, in document order, the body first.
        parents: the index in ``elements`` of the nearest classified ancestor; -1 for the body.
        weights: k + 1; k is the number of smaller elements among the node's children.
        position: per element of the page, its index in ``elements``, or that of its nearest classified ancestor;
            -1 outside the body and in embedded trees.
    """

    elements: list[int]
    parents: list[int]
    weights: list[int]
    position: list[int]


@dataclass(frozen=True, slots=True)
class Templateness:
    """PageLevel's values for a page.

    Attributes:
        nodes: the classified elements.
        scores: x, one per node: the classifier's scores.
        values: y, one per node: the smoothed scores.
        segments: per node, the topmost node of its segment.
    """

    nodes: Nodes
    scores: Sequence[float]
    values: Sequence[float]
    segments: Sequence[int]

    def of_elements(self, values: Sequence[float]) -> list[float]:
        """Return, per element of the page, the value of its node; 0 if it has none."""
        return [values[position] if position >= 0 else 0.0 for position in self.nodes.position]


def templateness(document: Document, model: Model, smoothing: Smoothing = Smoothing()) -> Templateness:
    """Return the templateness of a page's elements.

    A page without a body has no nodes.
    """
    boxes = page_boxes(document)
    nodes = classified_nodes(document, boxes, smoothing.least_area)
    if not nodes.elements:
        return Templateness(nodes, [], [], [])
    areas = [area(boxes[element]) for element in nodes.elements]
    features = element_features(document, nodes.elements, boxes)
    scores = model.scores(features, areas, rendered=document.boxes is not None)
    page = max(area(boxes[0]), areas[0])
    penalties = [smoothing.penalty * page / max(size, 1.0) for size in areas]
    smoothed = isotonic_smooth(nodes.parents, scores, penalties, nodes.weights)
    return Templateness(nodes, scores, smoothed, segments(nodes.parents, smoothed))


def classified_nodes(document: Document, boxes: Sequence[Box], least_area: float = LEAST_AREA) -> Nodes:
    """Return the elements that are large enough to be classified, and their tree."""
    position = [-1] * len(document)
    nodes = Nodes([], [], [], position)
    body = document.body
    if body is None:
        return nodes
    embedded = set(document.embedded)
    for element in range(body, document.ends[body]):
        parent = document.parents[element]
        above = position[parent] if element != body else -1
        if element != body and (above < 0 or element in embedded):
            continue
        if element == body or area(boxes[element]) >= least_area:
            position[element] = len(nodes.elements)
            nodes.elements.append(element)
            nodes.parents.append(above)
            nodes.weights.append(1)
        else:
            position[element] = above
            if nodes.elements[above] == parent:
                nodes.weights[above] += 1
    return nodes
