"""Cluster pages furthest-point-first (Geraci and Maggini, section 3.2; Gonzalez 1985)."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import log, sqrt

Vector = Mapping[str, float]


def vectors(documents: Sequence[Sequence[str]], *, idf: bool = True) -> list[dict[str, float]]:
    """Return documents as vectors of length 1; a document without weighted words gives an empty vector.

    Args:
        documents: the documents' words.
        idf: weigh each word's frequency by log(N / df). A word on every page then counts nothing, which alone
            removes the words that all pages of a site share.
    """
    frequencies: Counter[str] = Counter()
    for document in documents:
        frequencies.update(set(document))
    weights = {word: log(len(documents) / count) if idf else 1.0 for word, count in frequencies.items()}
    made = []
    for document in documents:
        vector = {word: count * weights[word] for word, count in Counter(document).items() if weights[word] > 0}
        length = sqrt(sum(value * value for value in vector.values()))
        made.append({word: value / length for word, value in vector.items()})
    return made


def cosine_distance(ours: Vector, theirs: Vector) -> float:
    """Return 1 - cos of two vectors of length 1; an empty vector is at distance 1 from every other."""
    if len(theirs) < len(ours):
        ours, theirs = theirs, ours
    return 1.0 - sum(value * theirs[word] for word, value in ours.items() if word in theirs)


def furthest_point_first(points: Sequence[Vector], clusters: int, seed: int = 0) -> list[int]:
    """Return the cluster of each point, by number.

    The first centre is random. Each further centre is the point furthest from all centres so far. Each point joins
    its nearest centre.

    Args:
        points: vectors of length 1.
        clusters: k; fewer if there are fewer points.
        seed: the seed of the first centre.
    """
    if not points:
        return []
    centre = random.Random(seed).randrange(len(points))  # noqa: S311 - no secret
    nearest = [cosine_distance(point, points[centre]) for point in points]
    clusters_of_points = [0] * len(points)
    nearest[centre] = -1.0
    for number in range(1, min(clusters, len(points))):
        centre = max(range(len(points)), key=nearest.__getitem__)
        for number_of_point, point in enumerate(points):
            distance = cosine_distance(point, points[centre])
            if distance < nearest[number_of_point]:
                nearest[number_of_point] = distance
                clusters_of_points[number_of_point] = number
        clusters_of_points[centre], nearest[centre] = number, -1.0
    return clusters_of_points


def f_measure(classes: Sequence[Hashable], clusters: Sequence[Hashable]) -> float:
    """Return F = sum over the classes of |class| / n * the best F of any cluster for it."""
    sizes, own, shared = Counter(classes), Counter(clusters), Counter(zip(classes, clusters, strict=True))
    best: dict[Hashable, float] = dict.fromkeys(sizes, 0.0)
    for (label, cluster), count in shared.items():
        # 2pr / (p + r) with p = count / |cluster| and r = count / |class|
        best[label] = max(best[label], 2 * count / (own[cluster] + sizes[label]))
    return sum(sizes[label] * value for label, value in best.items()) / len(classes)


def purity(classes: Sequence[Hashable], clusters: Sequence[Hashable]) -> float:
    """Return the share of points that belong to the commonest class of their cluster."""
    best: dict[Hashable, int] = {}
    for (_, cluster), count in Counter(zip(classes, clusters, strict=True)).items():
        best[cluster] = max(best.get(cluster, 0), count)
    return sum(best.values()) / len(classes)


def normalized_mutual_information(classes: Sequence[Hashable], clusters: Sequence[Hashable]) -> float:
    """Return NMI = 2 / log(|C| |GT|) * sum of P(c, c') log(P(c, c') / P(c) P(c')), as the paper normalises it.

    The result is 0 for one class and one cluster: they say nothing about each other.
    """
    n = len(classes)
    sizes, own, shared = Counter(classes), Counter(clusters), Counter(zip(classes, clusters, strict=True))
    if len(sizes) * len(own) == 1:
        return 0.0
    information = sum(
        count / n * log(n * count / (sizes[label] * own[cluster])) for (label, cluster), count in shared.items()
    )
    return 2 * information / log(len(sizes) * len(own))


def normalized_complementary_entropy(classes: Sequence[Hashable], clusters: Sequence[Hashable]) -> float:
    """Return NCE = 1 - the mean entropy of the classes within a cluster, over log |GT|.

    This is the definition of Strehl (2002, page 108), whom the paper cites (definitions.md, choice 29): shares
    within the cluster, clusters weighted by their sizes. The paper's own formula prints recalls without weights and
    leaves [0, 1]. The result is 1 for one class.
    """
    n = len(classes)
    own, shared = Counter(clusters), Counter(zip(classes, clusters, strict=True))
    kinds = len(set(classes))
    if kinds == 1:
        return 1.0
    entropy = -sum(count / n * log(count / own[cluster]) for (_, cluster), count in shared.items())
    return 1 - entropy / log(kinds)
