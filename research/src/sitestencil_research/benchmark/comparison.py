"""Compare several entrants on the same sites: detectors, peers, and the baseline that calls everything template."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from sitestencil.detectors import DETECTORS, Detector, load_detector
from sitestencil_research.benchmark.intervals import (
    LEVEL,
    RESAMPLES,
    SEED,
    Interval,
    difference_interval,
    mean_interval,
)
from sitestencil_research.benchmark.peers import PEERS
from sitestencil_research.benchmark.run import BenchmarkResult, SiteResult, run_site
from sitestencil_research.metrics import MEASURES, Measure
from sitestencil_research.running import Done, ignored, results_in_order

EVERYTHING = "everything"


class EntrantKind(StrEnum):
    """The kinds of entrants."""

    DETECTOR = "detector"
    PEER = "peer"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entrant of the comparison.

    Attributes:
        name: the detector's name, or the peer's name with its settings.
        title: the name shown to people.
        kind: detector, peer or baseline.
        program: the program's name; all settings of one program share it.
        held_out: for a detector trained on these sites, by folder, a detector whose model has not seen that site.
    """

    name: str
    title: str
    kind: EntrantKind
    program: str
    held_out: Mapping[Path, Detector] = field(default_factory=dict)

    def run(self, folder: Path) -> SiteResult:
        """Run the entrant on one stored, labelled site."""
        if self.kind is EntrantKind.DETECTOR:
            return run_site(folder, self.detector(folder))
        from sitestencil_research.benchmark.peers.run import run_everything, run_peer

        return run_peer(folder, self.name) if self.kind is EntrantKind.PEER else run_everything(folder)

    def detector(self, folder: Path) -> str | Detector:
        """Return the detector for a site. Only a detector entrant has one."""
        return self.held_out.get(folder, self.name)


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """An entrant's results on all sites."""

    entrant: Entrant
    result: BenchmarkResult

    def f1(self, measure: str) -> list[float | None]:
        """Return F1 per site by a measure; None where the site has nothing to find."""
        return [site.f1(measure) for site in self.result.sites]

    def mean_of(self, measure: str, figure: str) -> Interval:
        """Return the mean of ``precision``, ``recall`` or ``f1`` by a measure, with its interval."""
        scores = [site.scores[measure] for site in self.result.sites]
        return mean_interval([getattr(score, figure) if score.is_defined else None for score in scores])


@dataclass(frozen=True, slots=True)
class Comparison:
    """All entrants on the same sites, sorted by mean F1 of elements, best first."""

    sites: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]

    @property
    def measures(self) -> list[Measure]:
        """The measures that have something to find on at least one site."""
        return [
            measure
            for measure in MEASURES.values()
            if any(site.scores[measure.name].is_defined for site in self.rows[0].result.sites)
        ]

    def best_ways(self) -> list[ComparisonRow]:
        """Return one row per program: its best settings."""
        best: dict[str, ComparisonRow] = {}
        for row in self.rows:
            best.setdefault(row.entrant.program, row)
        return list(best.values())

    def part(self, places: Sequence[int]) -> "Comparison":
        """Return the comparison on some of the sites; `places` are indexes into `sites`."""
        rows = [
            ComparisonRow(
                row.entrant, BenchmarkResult(row.entrant.name, tuple(row.result.sites[place] for place in places))
            )
            for row in self.rows
        ]
        return Comparison(tuple(self.sites[place] for place in places), _ranked(rows))

    def lead(self, row: ComparisonRow, measure: str = "elements") -> Interval:
        """Return the difference in F1 between a row and the first row, paired by site."""
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
                        measure.name: {
                            figure: asdict(row.mean_of(measure.name, figure))
                            for figure in ("precision", "recall", "f1")
                        }
                        for measure in self.measures
                    },
                    "behind_first": asdict(self.lead(row)),
                }
                for row in self.rows
            ],
        }


def entrants(names: str, *, peers: bool = False) -> list[Entrant]:
    """Return the entrants for ``all`` or a comma-separated list of detectors, plus the peers if wanted.

    Raises:
        UnknownDetector: a name is not a detector's.
        PackageMissing: a peer's package is not installed.
    """
    chosen = list(DETECTORS) if names == "all" else [name.strip() for name in names.split(",")]
    all_entrants = []
    for name in dict.fromkeys(chosen):
        load_detector(name)
        all_entrants.append(Entrant(name, DETECTORS[name].title, EntrantKind.DETECTOR, name))
    if peers:
        for name, peer in PEERS.items():
            peer.require()
            all_entrants.append(Entrant(name, peer.title, EntrantKind.PEER, peer.program))
        all_entrants.append(Entrant(EVERYTHING, "every element called template", EntrantKind.BASELINE, EVERYTHING))
    return all_entrants


def compare(
    folders: Sequence[Path], chosen: Sequence[Entrant], *, processes: int | None = None, done: Done = ignored
) -> Comparison:
    """Run all entrants on stored, labelled sites; the number of processes does not change the answers.

    A run is one entrant on one site; `done` is told their number.

    Raises:
        UnusableSite: a site's files are missing or invalid.
    """
    tasks = [(entrant, folder) for folder in folders for entrant in chosen]
    results = results_in_order(Entrant.run, tasks, processes, done)
    rows = [
        ComparisonRow(entrant, BenchmarkResult(entrant.name, tuple(results[number :: len(chosen)])))
        for number, entrant in enumerate(chosen)
    ]
    return Comparison(tuple(site.site for site in rows[0].result.sites), _ranked(rows))


def _ranked(rows: Sequence[ComparisonRow]) -> tuple[ComparisonRow, ...]:
    return tuple(sorted(rows, key=lambda row: -row.result.mean(lambda site: site.score.f1)))
