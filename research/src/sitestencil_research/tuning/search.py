"""Search a grid over labelled sites, and cross-validate the choice of a point by whole sites."""

import asyncio
import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from time import perf_counter

from sitestencil.detectors.detection import with_frame
from sitestencil.detectors.temex.detector import count_votes, find_complete_subdigraph, raised_threshold
from sitestencil.detectors.temex.mapping import Mapper, MappingParameters
from sitestencil.errors import WrongUsage
from sitestencil.page.document import Document
from sitestencil.processes import process_count
from sitestencil.site.loading import PageLoader
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.running import results_as_done
from sitestencil_research.scoring import Score, score
from sitestencil_research.tuning.grid import Grid


@dataclass(frozen=True, slots=True)
class GridPoint:
    """A point of the grid with its figures.

    Attributes:
        n: the size of the complete subdigraph.
        t: the votes needed.
        f1: F1 per site, in the order of `Search.sites`; precision and recall are means.
    """

    mapping: MappingParameters
    n: int
    t: int
    f1: "array[float]"
    precision: float
    recall: float

    @property
    def mean_f1(self) -> float:
        """The mean of the sites' F1."""
        return fmean(self.f1)


@dataclass(slots=True)
class Search:
    """The results of a grid search.

    Attributes:
        grid: the grid.
        sites: the sites' names.
        pages_loaded: per n, the mean number of pages loaded besides the key page.
        points: the points evaluated on all sites, in the grid's order.
        interrupted: whether the user stopped the search before its end.
        seconds: the wall time, including reading the sites.
        cores: the number of processes.
    """

    grid: Grid
    sites: list[str] = field(default_factory=list)
    pages_loaded: dict[int, float] = field(default_factory=dict)
    points: list[GridPoint] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    cores: int = 1

    @property
    def evaluations(self) -> int:
        """The number of evaluations of a site."""
        return len(self.points) * len(self.sites)

    @property
    def best(self) -> GridPoint:
        """The point with the best mean F1; the first one of a tie."""
        return max(self.points, key=lambda point: point.mean_f1)

    @property
    def base_point(self) -> GridPoint | None:
        """The point of the grid's base configuration; None if it was not tried."""
        base = self.grid.base
        wanted = base.mapping, base.subdigraph_size, base.votes
        return next((point for point in self.points if (point.mapping, point.n, point.t) == wanted), None)


class PreparedSite:
    """A site's parsed pages, its complete subdigraph per n, and its labels.

    Raises:
        UnusableSite: the site's files are missing or invalid.
    """

    def __init__(self, folder: Path, sizes: Sequence[int]) -> None:
        site = read_labelled_key_page(folder)
        self.name, self._page = site.id, site.page
        self._pages: dict[str, Document] = {}
        self._members: dict[int, list[str]] = {}
        self.pages_loaded: dict[int, int] = {}
        for n in sizes:
            loader = PageLoader(site.page.document, site.source, seconds=float("inf"))
            pages = asyncio.run(find_complete_subdigraph(loader, n))
            self._members[n], self.pages_loaded[n] = [page.url for page in pages], loader.loads
            self._pages.update({page.url: page.document() for page in pages if page.url not in self._pages})

    def evaluate(
        self,
        parameters: MappingParameters,
        points: Sequence[tuple[int, int]],
        *,
        raise_votes_for_twins: bool = False,
    ) -> list[Score]:
        """Return TemEx's score on this site under mapping parameters, for each n and t."""
        key_page, labels, mapper = self._page.document, self._page.labels, Mapper(parameters)
        mapped = {address: mapper.map(key_page, page) for address, page in self._pages.items()}
        scores = []
        for n, t in points:
            mappings = [mapped[address] for address in self._members[n]]
            template = [False] * len(labels)
            if mappings:
                needed = min(t, len(mappings))
                if raise_votes_for_twins:
                    needed = raised_threshold(key_page, needed, mappings)
                template = with_frame(key_page, [votes >= needed for votes in count_votes(key_page, mappings)])
            scores.append(score(template, labels))
        return scores


def search_grid(
    folders: Sequence[Path],
    grid: Grid,
    *,
    processes: int | None = 1,
    done: Callable[[int, int], None] = lambda *_: None,
) -> Search:
    """Evaluate TemEx on labelled sites at every point of a grid.

    Returns:
        All points; after an interruption, the points that were finished on all sites.

    Raises:
        UnusableSite: a site's files are missing or invalid.
        KeyboardInterrupt: no point was finished yet.
    """
    start, mappings = perf_counter(), grid.mapping_points()
    search = Search(grid, cores=process_count(processes, len(mappings)))
    tasks = {number: (tuple(folders), mapping, grid) for number, mapping in enumerate(mappings)}
    evaluated: dict[int, _Evaluated] = {}
    try:
        for number, of_sites in results_as_done(_evaluate, tasks, search.cores):
            evaluated[number] = of_sites
            done(len(evaluated), len(mappings))
    except KeyboardInterrupt:
        if not evaluated:
            raise
        search.interrupted = True
    search.seconds = perf_counter() - start
    for number, of_sites in sorted(evaluated.items()):
        search.sites, search.pages_loaded = of_sites.names, of_sites.pages_loaded
        search.points += _points(mappings[number], grid.vote_points(), of_sites.scores)
    return search


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """The sites under mapping parameters: per site a score for each point of n and t."""

    names: list[str]
    pages_loaded: dict[int, float]
    scores: list[list[Score]]


def _points(
    mapping: MappingParameters, votes: Sequence[tuple[int, int]], scores: Sequence[Sequence[Score]]
) -> Iterator[GridPoint]:
    for (n, t), column in zip(votes, zip(*scores, strict=True), strict=True):
        f1 = array("d", (score.f1 for score in column))
        precision = fmean(score.precision for score in column)
        yield GridPoint(mapping, n, t, f1, precision, fmean(score.recall for score in column))


def _evaluate(folders: tuple[Path, ...], mapping: MappingParameters, grid: Grid) -> _Evaluated:
    votes, twins = grid.vote_points(), grid.base.raise_votes_for_twins
    sizes = tuple(sorted({n for n, _ in votes}))
    sites = [_prepared(folder, sizes) for folder in folders]
    loaded = {n: fmean(site.pages_loaded[n] for site in sites) for n in sizes}
    scores = [site.evaluate(mapping, votes, raise_votes_for_twins=twins) for site in sites]
    return _Evaluated([site.name for site in sites], loaded, scores)


@lru_cache(None)  # each process reads a site once, for all mapping parameters
def _prepared(folder: Path, sizes: tuple[int, ...]) -> PreparedSite:
    return PreparedSite(folder, sizes)


@dataclass(frozen=True, slots=True)
class Fold:
    """The names of held-out sites, the best point on all others, and its mean F1 on those and on the held-out."""

    sites: tuple[str, ...]
    chosen: GridPoint
    f1_on_others: float
    f1: float


def cross_validate_grid(search: Search, folds: int) -> list[Fold]:
    """Choose the best point once per fold, without the fold's sites, and score it on them.

    Raises:
        WrongUsage: there are fewer than two folds, or fewer sites than folds.
    """
    check_folds(len(search.sites), folds)
    sites = list(range(len(search.sites)))
    random.Random(0).shuffle(sites)  # noqa: S311 - no secret
    return [_fold(search, sites[fold::folds], sites) for fold in range(folds)]


def check_folds(sites: int, folds: int) -> None:
    """Raise an error if this number of sites cannot be divided into this number of folds.

    Raises:
        WrongUsage: it cannot.
    """
    if not 2 <= folds <= sites:
        raise WrongUsage(f"{sites} sites cannot be divided into {folds} folds: give 2 to {sites}.")


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
