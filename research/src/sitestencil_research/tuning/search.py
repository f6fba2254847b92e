"""Search a grid over labelled sites, on several cores; an interruption keeps the finished points."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time

from sitestencil.detectors.temex.mapping import MappingParameters
from sitestencil.processes import ProcessPool, process_count, shut_down
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.scoring import Score
from sitestencil_research.tuning.grid import Grid
from sitestencil_research.tuning.prepared import PreparedSite

# The number of points queued per process, so that none waits for the next.
_AHEAD = 3

# Per site, then per point of n and t.
_Scores = list[list[Score]]


@dataclass(frozen=True, slots=True)
class GridPoint:
    """A point of the grid with its figures.

    Attributes:
        mapping: the mapping parameters.
        n: the size of the complete subdigraph.
        t: the votes needed.
        f1: F1 per site, in the order of `Search.sites`.
        precision: the mean over the sites.
        recall: the mean over the sites.
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
        points: the points evaluated on all sites, in the grid's order unless interrupted.
        interrupted: whether the user stopped the search before its end.
        seconds: the wall time, including reading the sites.
        processor_seconds: the processes' computing time, without reading.
        cores: the number of processes.
    """

    grid: Grid
    sites: list[str] = field(default_factory=list)
    pages_loaded: dict[int, float] = field(default_factory=dict)
    points: list[GridPoint] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    processor_seconds: float = 0.0
    cores: int = 1

    @property
    def evaluations(self) -> int:
        """The number of evaluations of a site."""
        return len(self.points) * len(self.sites)

    @property
    def rate(self) -> float:
        """Evaluations of a site per second of wall time and core, reading included."""
        return self.evaluations / self.seconds / self.cores

    @property
    def mapping_rate(self) -> float:
        """Evaluations per second of a core's own time, if no two shared their mappings; without reading."""
        return self.evaluations / len(self.grid.vote_points()) / self.processor_seconds

    @property
    def best(self) -> GridPoint:
        """The point with the best mean F1; the first one of a tie."""
        return max(self.points, key=lambda point: point.mean_f1)

    def find(self, mapping: MappingParameters, n: int, t: int) -> GridPoint | None:
        """Return a point by its parameters, or None."""
        return next((point for point in self.points if (point.mapping, point.n, point.t) == (mapping, n, t)), None)


def search_grid(
    folders: Sequence[Path],
    grid: Grid,
    *,
    processes: int | None = 1,
    done: Callable[[int, int], None] = lambda *_: None,
) -> Search:
    """Evaluate TemEx on labelled sites at every point of a grid.

    Args:
        folders: the sites' folders.
        grid: the points to try.
        processes: the number of processes that share the sites; None means one per core.
        done: called with the number of finished mapping points and of all, over all processes.

    Returns:
        All points; after an interruption, the points that were finished on all sites.

    Raises:
        UnusableSite: a site's files are missing or invalid.
        KeyboardInterrupt: no point was finished yet.
    """
    start = perf_counter()
    mappings = grid.mapping_points()
    shares = _shared(folders, process_count(processes, len(folders)))
    search = Search(grid, cores=len(shares))
    order: list[int] = []
    pages_loaded: list[dict[int, int]] = []
    results: dict[int, dict[int, _Scores]] = {}
    try:
        for share, content in _work(shares, mappings, grid):
            if isinstance(content, _Prepared):
                order += [share] * len(content.names)
                search.sites += content.names
                pages_loaded += content.pages_loaded
            else:
                results.setdefault(content.number, {})[share] = content.scores
                search.processor_seconds += content.processor_seconds
                done(sum(len(by_share) for by_share in results.values()), len(mappings) * len(shares))
    except KeyboardInterrupt:
        if not any(len(by_share) == len(shares) for by_share in results.values()):
            raise
        search.interrupted = True
    search.seconds = perf_counter() - start
    search.pages_loaded = {n: fmean(site[n] for site in pages_loaded) for n, _ in grid.vote_points()}
    shares_in_order = list(dict.fromkeys(order))
    for number, by_share in sorted(results.items()):
        if len(by_share) == len(shares):
            scores = [site for share in shares_in_order for site in by_share[share]]
            search.points += _points(mappings[number], grid.vote_points(), scores)
    return search


def _points(mapping: MappingParameters, votes: Sequence[tuple[int, int]], scores: _Scores) -> Iterator[GridPoint]:
    for number, (n, t) in enumerate(votes):
        column = [site[number] for site in scores]
        f1 = array("d", (score.f1 for score in column))
        precision = fmean(score.precision for score in column)
        yield GridPoint(mapping, n, t, f1, precision, fmean(score.recall for score in column))


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The sites that a process has read: their names, and per site the pages loaded for each n."""

    names: list[str]
    pages_loaded: list[dict[int, int]]


def _shared(folders: Sequence[Path], processes: int) -> list[list[Path]]:
    """Return the sites in shares of about equal work; the size of the key pages estimates it."""
    sizes = {folder: len(StoredSite(folder).key_page_bytes()) for folder in folders}
    shares: list[list[Path]] = [[] for _ in range(processes)]
    for folder in sorted(folders, key=lambda folder: (-sizes[folder], folder)):
        min(shares, key=lambda share: sum(sizes[of] for of in share)).append(folder)
    return shares


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """A finished point: its number, its sites' scores, and the computing time."""

    number: int
    scores: _Scores
    processor_seconds: float


_Content = _Prepared | _Evaluated


def _work(
    shares: Sequence[Sequence[Path]], mappings: Sequence[MappingParameters], grid: Grid
) -> Iterator[tuple[int, _Content]]:
    """Yield each share's results as they are finished."""
    if len(shares) == 1:
        yield 0, _prepare(shares[0], grid)
        for number, mapping in enumerate(mappings):
            yield 0, _evaluate(number, mapping)
        return
    processes = [ProcessPool(1) for _ in shares]
    futures: dict[Future[_Evaluated], int] = {}
    try:
        preparing = [
            process.submit(_prepare, share, grid) for process, share in zip(processes, shares, strict=True)
        ]
        for share, prepared in enumerate(preparing):
            yield share, prepared.result()
        points = [iter(enumerate(mappings)) for _ in shares]
        for share in [*range(len(shares))] * _AHEAD:
            _submit(processes[share], points[share], share, futures)
        while futures:
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                share = futures.pop(future)
                _submit(processes[share], points[share], share, futures)
                yield share, future.result()
    finally:
        shut_down(processes, futures)


def _submit(
    process: ProcessPoolExecutor,
    points: Iterator[tuple[int, MappingParameters]],
    share: int,
    futures: "dict[Future[_Evaluated], int]",
) -> None:
    point = next(points, None)
    if point is not None:
        futures[process.submit(_evaluate, *point)] = share


# The sites that a process has read, and its grid; its first task sets both.
_sites: list[PreparedSite] = []
_grid = Grid()


def _prepare(folders: Sequence[Path], grid: Grid) -> _Prepared:
    global _grid  # noqa: PLW0603 - a worker process has no other place for its state
    _grid = grid
    sizes = sorted({n for n, _ in grid.vote_points()})
    _sites[:] = [PreparedSite(folder, sizes) for folder in folders]
    return _Prepared([site.name for site in _sites], [site.pages_loaded for site in _sites])


def _evaluate(number: int, mapping: MappingParameters) -> _Evaluated:
    start = process_time()
    twins, votes = _grid.base.raise_votes_for_twins, _grid.vote_points()
    scores = [site.evaluate(mapping, votes, raise_votes_for_twins=twins) for site in _sites]
    return _Evaluated(number, scores, process_time() - start)
