"""HybEx: ConEx before TemEx (Alarte and Silva, WWW 2022; definitions.md, 3), and ConEx alone (section 3.1).

To ConEx, nodes are points with four weights. Most nodes of a page resemble each other, and the main content differs
most from the rest. So the search looks at the nodes farthest from the centroid.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import mul, sub
from typing import NamedTuple

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.temex.detector import HYBEX_ADDON, TemEx, TemExParameters
from sitestencil.page.document import Document
from sitestencil.page.html_names import CODE
from sitestencil.site.loading import PageLoader

_NOT_CONTENT = frozenset("nav hr span em body script header h1 h2 h3 h4 h5 style img form iframe".split())
_INVISIBLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)

Point = tuple[float, ...]

CANDIDATES = 3
LEAST_DEPTH = 3


class NodeWeights(NamedTuple):
    """The four weights of a node (definitions.md, 3, step 4), before standardisation."""

    hyperlink: float
    words: float
    children: float
    position: float


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that a node's weights use; dropped elements do not count."""

    dropped: list[bool]  # script, style, cookie notices, embedded trees
    depths: list[int]  # d, below body; its children have 1, the body and all outside it have 0
    deepest: int  # D
    child_nodes: list[int]  # elements and texts
    characters: list[int]  # of the subtree, without white space
    links: list[int]  # the ``a`` elements in the subtree
    words: list[int]  # of the subtree
    weighted_words: list[float]  # outside ``a``, each divided by its distance


def main_content(document: Document) -> list[int]:
    """Return the elements that hold the page's main content, in document order; empty if none is found.

    Their descendants are content too.
    """
    body = document.body
    if body is None:
        return []
    facts = _facts(document, body)
    elements = _participants(document, body, facts)
    if not elements:
        return []
    points = standardised([_weights(facts, element) for element in elements])
    candidates = [elements[number] for number in farthest_three(points)]
    candidates = [element for element in candidates if facts.depths[element] >= LEAST_DEPTH]
    if not candidates:
        return []
    best = max(candidates, key=lambda element: facts.words[element] / max(1, facts.links[element]))
    return sorted(element for element in candidates if document.parents[element] == document.parents[best])


def content_elements(document: Document) -> list[bool]:
    """Return, per element, whether it belongs to the main content."""
    is_content = [False] * len(document)
    for element in main_content(document):
        end = document.ends[element]
        is_content[element:end] = [True] * (end - element)
    return is_content


def standardised(weights: Sequence[NodeWeights]) -> list[Point]:
    """Return the weights as points: each weight has mean 0 and deviation 1 over the nodes (step 5).

    A weight that is the same for all nodes stays as it is.
    """
    columns: list[Point] = []
    for column in zip(*weights, strict=True):
        if min(column) == max(column):
            columns.append(column)
            continue
        mean = math.fsum(column) / len(column)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in column) / len(column))
        columns.append(tuple((value - mean) / deviation for value in column))
    return list(zip(*columns, strict=True))


def farthest_three(points: Sequence[Point]) -> list[int]:
    """Return the point farthest from the centroid and the two points nearest to it, nearest first (step 6).

    At equal distances the first in document order wins.
    """
    centroid = points[medoid(points)]
    farthest = max(range(len(points)), key=lambda number: math.dist(points[number], centroid))
    nearest = sorted(
        range(len(points)),
        key=lambda number: (math.dist(points[number], points[farthest]), number != farthest, number),
    )
    return nearest[:CANDIDATES]


def _facts(document: Document, body: int) -> _Facts:
    count, parents, tags = len(document), document.parents, document.tags
    dropped = [True] * count
    depths = [0] * count
    child_nodes, characters, links, words = [0] * count, [0] * count, [0] * count, [0] * count
    weighted_words = [0.0] * count
    embedded = set(document.embedded)
    dropped[body] = False
    for element in range(body + 1, document.ends[body]):
        parent = parents[element]
        is_notice = "cookie" in document.id(element) or "cookie" in document.classes[element]
        dropped[element] = dropped[parent] or element in embedded or tags[element] in CODE or is_notice
        if not dropped[element]:
            depths[element] = depths[parent] + 1
            child_nodes[parent] += 1
            links[element] = int(tags[element] == "a")
    for parent, _, text in document.texts:
        if dropped[parent]:
            continue
        child_nodes[parent] += 1
        words_of_text = text.split()
        if not words_of_text:
            continue
        characters[parent] += sum(map(len, words_of_text))
        words[parent] += len(words_of_text)
        if tags[parent] != "a":
            element = parent
            for distance in range(1, depths[parent] + 2):
                weighted_words[element] += len(words_of_text) / distance
                element = parents[element]
    for element in range(document.ends[body] - 1, body, -1):
        if not dropped[element]:
            for column in (characters, links, words):
                column[parents[element]] += column[element]
    return _Facts(dropped, depths, max(depths), child_nodes, characters, links, words, weighted_words)


def _participants(document: Document, body: int, facts: _Facts) -> list[int]:
    """Return the participating elements (step 3), in document order."""
    # T: a node needs more characters than this (step 2).
    children = sum(not facts.dropped[child] for child in document.children[body])
    threshold = facts.characters[body] / 2 if children >= facts.deepest - 1 else -1
    taking_part: list[int] = []
    open_elements = list(reversed(document.children[body]))
    while open_elements:
        element = open_elements.pop()
        if (
            not facts.dropped[element]
            and facts.child_nodes[element]
            and facts.characters[element] > threshold
            and document.tags[element] not in _NOT_CONTENT
            and not _INVISIBLE.search(document.attributes[element].get("style", ""))
        ):
            taking_part.append(element)
            open_elements += reversed(document.children[element])
    return taking_part


def _weights(facts: _Facts, element: int) -> NodeWeights:
    depth, deepest = facts.depths[element], facts.deepest
    return NodeWeights(
        hyperlink=1 / max(1, facts.links[element]),
        words=facts.weighted_words[element],
        children=float(facts.child_nodes[element] > 2),
        position=1.0 if depth <= deepest / 2 else (deepest - depth) / depth,
    )


# Bounds and sums are rounded, so a point is skipped only if it is worse by more than this.
_ROUNDING = 1e-9
# Shorter distances are rounded more, and their inverses overflow. Such neighbours count, but do not pull.
_SHORTEST_EXACT = 1e-300


def medoid(points: Sequence[Point]) -> int:
    """Return the index of the point with the least sum of Euclidean distances; the first of a tie.

    The direct way takes quadratic time. But the sum of distances to fixed points is convex. So its value and slope
    at one point bound it from below everywhere. A point whose bound exceeds the best sum so far is skipped. The
    answer stays exact.

    Raises:
        ValueError: there are no points.
    """
    if not points:
        raise ValueError("no points")
    distances = _SumOfDistances(points)
    candidates = distances.distinct
    best = (math.inf, 0)
    inexact = len(points) * _SHORTEST_EXACT
    while candidates:
        # The candidate nearest to their mean: its slope rules out the most points.
        mean = tuple(math.fsum(column) / len(candidates) for column in zip(*candidates, strict=True))
        point = min(candidates, key=partial(math.dist, mean))
        total, slope = distances.at(point)
        best = min(best, (total, distances.first[point]))
        limit = best[0] * (1 + _ROUNDING) + inexact - total
        candidates = [
            other for other in candidates if other != point and _dot(slope, map(sub, other, point)) <= limit
        ]
    return best[1]


class _SumOfDistances:
    """The sum of the distances to some points; equal points are counted together."""

    def __init__(self, points: Sequence[Point]) -> None:
        counts = Counter(points)
        self.distinct = list(counts)
        self.first: dict[Point, int] = {}
        for number, point in enumerate(points):
            self.first.setdefault(point, number)
        self._counts = list(counts.values())
        self._columns = list(zip(*self.distinct, strict=True))

    def at(self, point: Point) -> tuple[float, Point]:
        """Return the sum at one of the points, and a slope that bounds the sum from below."""
        distances = [math.dist(point, other) for other in self.distinct]
        pulls = [
            count / distance if distance > _SHORTEST_EXACT else 0.0
            for count, distance in zip(self._counts, distances, strict=True)
        ]
        # Subtract first: two points almost the same pull so hard that a difference of products is all rounding
        # error.
        slope = tuple(
            _dot(pulls, [value - other for other in column])
            for value, column in zip(point, self._columns, strict=True)
        )
        return _dot(self._counts, distances), slope


def _dot(left: Iterable[float], right: Iterable[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total


@dataclass(frozen=True, slots=True)
class ConEx:
    """The page-level content extractor, as the HybEx 1.2 add-on runs it; it loads nothing."""

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the complement of the main content; the whole page if there is none."""
        with loader.stopwatch.phase("mapping"):
            template = [not is_content for is_content in content_elements(key_page)]
            texts = [template[run.parent] for run in key_page.texts]
        return Detection(with_frame(key_page, template), texts, ())


@dataclass(frozen=True, slots=True)
class HybEx:
    """The hybrid of a content extractor and a template extractor, by default as the HybEx 1.2 add-on runs it.

    Attributes:
        parameters: TemEx's parameters.
    """

    parameters: TemExParameters = HYBEX_ADDON

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return TemEx's answer without the main content that ConEx finds.

        Raises:
            NothingToCompare: the key page has no links, or no linked page came in time.
        """
        with loader.stopwatch.phase("mapping"):
            is_content = content_elements(key_page)
        detection = await TemEx(self.parameters).detect(key_page, loader)
        template = [kept and not content for kept, content in zip(detection.template, is_content, strict=True)]
        texts = [
            kept and not is_content[run.parent]
            for kept, run in zip(detection.template_texts, key_page.texts, strict=True)
        ]
        return Detection(with_frame(key_page, template), texts, detection.candidates)
