"""Cluster pages furthest-point-first (Geraci and Maggini, section 3.2; Gonzalez 1985), and measure the clusters."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import log, sqrt
from statistics import fmean
from time import process_time

from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage

Vector = Mapping[str, float]
STARTS = 10  # set by hand: the first centre is random, so the measures are means over several


def classified(pages: Sequence[CorpusPage]) -> list[CorpusPage]:
    """Return the pages of the sites and sections that make classes.

    A section needs at least five pages. A section whose name is a number is a date and does not count. A
    site needs at least two sections.
    """
    counts = Counter((page.site, page.label) for page in pages)
    large = {key for key, count in counts.items() if count >= 5 and key[1] and not key[1].isdecimal()}
    sections = Counter(site for site, _ in large)
    return [page for page in pages if (page.site, page.label) in large and sections[page.site] > 1]


def cluster_sites(
    corpus: CleanCorpus, pages: Sequence[CorpusPage], *, idf: bool = True
) -> tuple[dict[str, float], float]:
    """Cluster the pages of each site furthest-point-first; a site gets as many clusters as it has classes.

    The pages stand in the same order in both arguments; the second has their classes.

    Returns:
        A row of Table 4, as means over the sites and first centres, and the processor seconds of all clusterings.
    """
    numbers: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        numbers.setdefault(page.site.name, []).append(number)
    start = process_time()
    clusterings: list[tuple[list[str], list[list[int]]]] = []
    for own in numbers.values():
        classes = [pages[number].label for number in own]
        points = vectors([corpus.pages[number].words for number in own], idf=idf)
        clusterings.append(
            (classes, [furthest_point_first(points, len(set(classes)), seed) for seed in range(STARTS)])
        )
    seconds = process_time() - start
    measures = {
        name: fmean(fmean(measure(classes, clusters) for clusters in made) for classes, made in clusterings)
        for name, measure in CLUSTER_MEASURES.items()
    }
    return measures, seconds


def vectors(documents: Sequence[Sequence[str]], *, idf: bool = True) -> list[dict[str, float]]:
    """Return documents as vectors of length 1; a document without weighted words gives an empty vector.

    With idf each word's frequency is weighed by log(N / df). A word on every page then counts nothing, which alone
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

    The points are vectors of length 1. The first centre is random. Each further centre is the point furthest from
    all centres so far. Each point joins its nearest centre.
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


CLUSTER_MEASURES: dict[str, Callable[[Sequence[str], Sequence[int]], float]] = {
    "F-measure": f_measure,
    "NCE": normalized_complementary_entropy,
}
