"""Several entrants on the same sites: detectors, peers, and what calling everything template would reach."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from sitestencil.detectors import DETECTORS, Detector, load_detector
from sitestencil.evaluation.benchmark.intervals import (
    LEVEL,
    RESAMPLES,
    SEED,
    Interval,
    difference_interval,
    mean_interval,
)
from sitestencil.evaluation.benchmark.peers import PEERS
from sitestencil.evaluation.benchmark.run import BenchmarkResult, SiteResult, run_site
from sitestencil.evaluation.metrics import MEASURES

EVERYTHING = "everything"
_MOST_PROCESSES = 61  # what Windows can wait for


class Kind(StrEnum):
    """What an entrant is."""

    DETECTOR = "detector"
    PEER = "peer"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One of those compared.

    Attributes:
        name: of the detector, or the peer's way.
        title: for people.
        kind: what it is.
        program: what its ways have in common.
        unseen: for a detector that was trained on these sites, by folder, one whose model has not seen the site.
    """

    name: str
    title: str
    kind: Kind
    program: str
    unseen: Mapping[Path, Detector] = field(default_factory=dict)

    def run(self, folder: Path) -> SiteResult:
        """Run it over one stored, labelled site."""
        if self.kind is Kind.DETECTOR:
            return run_site(folder, self.unseen.get(folder, self.name))
        from sitestencil.evaluation.benchmark.peers.run import run_everything, run_peer

        return run_peer(folder, self.name) if self.kind is Kind.PEER else run_everything(folder)


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's results on all sites."""

    entrant: Entrant
    result: BenchmarkResult

    def f1(self, measure: str) -> list[float | None]:
        """Return F1 by a measure, per site; None where there is nothing to find."""
        return [site.f1(measure) for site in self.result.sites]

    def mean_of(self, measure: str, figure: str) -> Interval:
        """Return the mean of ``precision``, ``recall`` or ``f1`` by a measure, with its interval."""
        scores = [site.scores[measure] for site in self.result.sites]
        return mean_interval([getattr(score, figure) if score.is_defined else None for score in scores])


@dataclass(frozen=True, slots=True)
class Comparison:
    """All entrants on the same sites, the best by mean F1 of elements first."""

    sites: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def best_detector(self) -> int:
        """The place among `best_ways` of the best detector."""
        return next((n for n, row in enumerate(self.best_ways()) if row.entrant.kind is Kind.DETECTOR), 0)

    def best_ways(self) -> list[Row]:
        """Return the rows with one row for each program: its best way."""
        best: dict[str, Row] = {}
        for row in self.rows:
            best.setdefault(row.entrant.program, row)
        return list(best.values())

    def lead(self, row: Row, measure: str = "elements") -> Interval:
        """Return how far a row is from the first, paired by site."""
        return difference_interval(row.f1(measure), self.rows[0].f1(measure))

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        return {
            "sites": len(self.sites),
            "bootstrap": {"resamples": RESAMPLES, "seed": SEED, "level": LEVEL},
            "results": [
                {
                    "kind": row.entrant.kind,
                    "title": row.entrant.title,
                    **row.result.to_dict(),
                    "measures": {
                        measure: {
                            figure: _rounded(row.mean_of(measure, figure))
                            for figure in ("precision", "recall", "f1")
                        }
                        for measure in MEASURES
                    },
                    "behind_first": _rounded(self.lead(row)),
                }
                for row in self.rows
            ],
        }


def _rounded(interval: Interval) -> dict[str, float]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}


def entrants(names: str, *, peers: bool = False) -> list[Entrant]:
    """Return the entrants for ``all`` or a comma list of detectors, with the peers if wanted.

    Raises:
        UnknownDetector: there is no detector of a name.
        PeerMissing: a peer's package is not installed.
    """
    chosen = list(DETECTORS) if names == "all" else [name.strip() for name in names.split(",")]
    found = []
    for name in dict.fromkeys(chosen):
        load_detector(name)
        found.append(Entrant(name, DETECTORS[name].title, Kind.DETECTOR, name))
    if peers:
        for name, peer in PEERS.items():
            peer.load()
            found.append(Entrant(name, peer.title, Kind.PEER, peer.program))
        found.append(Entrant(EVERYTHING, "every element called template", Kind.BASELINE, EVERYTHING))
    return found


def compare(
    folders: Sequence[Path],
    chosen: Sequence[Entrant],
    *,
    jobs: int | None = None,
    done: Callable[[Entrant, SiteResult], None] = lambda _, __: None,
) -> Comparison:
    """Run entrants over stored, labelled sites, on several cores; the answers do not depend on how many.

    Args:
        folders: the sites.
        chosen: see `entrants`.
        jobs: how many at a time; by default one for each core.
        done: is told of each finished site.

    Raises:
        SiteError: a site's files are not as they should be.
    """
    results: dict[tuple[int, int], SiteResult] = {}
    for place, result in _run_all(folders, chosen, jobs or cores()):
        results[place] = result
        done(chosen[place[0]], result)
    rows = [
        Row(entrant, BenchmarkResult(entrant.name, tuple(results[number, site] for site in range(len(folders)))))
        for number, entrant in enumerate(chosen)
    ]
    rows.sort(key=lambda row: -row.result.mean(lambda site: site.score.f1))
    return Comparison(tuple(site.site for site in rows[0].result.sites), tuple(rows))


def cores() -> int:
    """Return how many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return min(len(affinity(0)) if affinity else os.cpu_count() or 1, _MOST_PROCESSES)


def _run_all(
    folders: Sequence[Path], chosen: Sequence[Entrant], jobs: int
) -> Iterator[tuple[tuple[int, int], SiteResult]]:
    places = [(number, site) for site in range(len(folders)) for number in range(len(chosen))]
    if jobs == 1:
        for number, site in places:
            yield (number, site), chosen[number].run(folders[site])
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts) as pool:
        tasks = {pool.submit(chosen[number].run, folders[site]): (number, site) for number, site in places}
        try:
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _leave_interrupts() -> None:
    """Let the process that started this one end it: a worker has nothing to say to the user."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
