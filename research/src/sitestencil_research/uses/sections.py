"""Cluster the pages of each site by its sections, or synthetic pages by their topics."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import process_time

from sitestencil_research.uses.clustering import (
    f_measure,
    furthest_point_first,
    normalized_complementary_entropy,
    normalized_mutual_information,
    purity,
    vectors,
)
from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage

CLUSTER_MEASURES: dict[str, Callable[[Sequence[str], Sequence[int]], float]] = {
    "F-measure": f_measure,
    "purity": purity,
    "NMI": normalized_mutual_information,
    "NCE": normalized_complementary_entropy,
}
STARTS = 10  # set by hand: the first centre is random, so the measures are means over several


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """A row of Table 4: means over the sites and the first centres.

    Attributes:
        detector: the detector whose template is removed.
        measures: the values by the measures' names.
        size: the bytes of HTML left in the whole corpus.
        seconds: the processor time of all clusterings, vectors included.
    """

    detector: str
    measures: dict[str, float]
    size: int
    seconds: float


def classified(pages: Sequence[CorpusPage], least_pages: int = 5) -> list[CorpusPage]:
    """Return the pages of the sites and sections that make classes.

    A section needs at least `least_pages` pages. A section whose name is a number is a date and does not count. A
    site needs at least two sections.
    """
    counts = Counter((page.site, page.label) for page in pages)
    large = {key for key, count in counts.items() if count >= least_pages and key[1] and not key[1].isdecimal()}
    sections = Counter(site for site, _ in large)
    return [page for page in pages if (page.site, page.label) in large and sections[page.site] > 1]


def cluster_sites(
    corpus: CleanCorpus, pages: Sequence[CorpusPage], *, idf: bool = True, starts: int = STARTS
) -> ClusterResult:
    """Cluster the pages of each site furthest-point-first; a site gets as many clusters as it has classes.

    Args:
        corpus: the cleaned pages.
        pages: the pages, in the same order, with their classes.
        idf: weigh words by their inverse document frequency.
        starts: the number of first centres; the measures are averaged over them.
    """
    numbers: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        numbers.setdefault(page.site.name, []).append(number)
    by_measure: dict[str, list[float]] = {name: [] for name in CLUSTER_MEASURES}
    start = process_time()
    clusterings: list[tuple[list[str], list[list[int]]]] = []
    for own in numbers.values():
        classes = [pages[number].label for number in own]
        points = vectors([corpus.pages[number].words for number in own], idf=idf)
        clusterings.append(
            (classes, [furthest_point_first(points, len(set(classes)), seed) for seed in range(starts)])
        )
    seconds = process_time() - start
    for classes, made in clusterings:
        for name, measure in CLUSTER_MEASURES.items():
            by_measure[name].append(fmean(measure(classes, clusters) for clusters in made))
    return ClusterResult(
        corpus.detector, {name: fmean(values) for name, values in by_measure.items()}, corpus.size, seconds
    )
