"""Templateness of a page's elements: scores smoothed over the tree (PageLevel, 5.3; definitions.md, 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.detectors.pagelevel.features import area, element_features
from sitestencil.detectors.pagelevel.isotonic import isotonic_smooth, segments
from sitestencil.detectors.pagelevel.model import Model
from sitestencil.page.document import Box, Document
from sitestencil.page.geometry import page_boxes

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
    penalties = [smoothing.penalty * page / max(own, 1.0) for own in areas]
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
