"""A crawl's job: what is to be done, what is done already, and the report in the end.

All that is finished stands in the output's folder: pieces of spilled pages, and for each work its files and its
report. A job that was ended, whatever ended it, goes on with what is not there; what was half written has another
name, and is written anew.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from heapq import merge
from pathlib import Path
from typing import Any, Never, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from sitestencil.crawl.content import Wanted
from sitestencil.crawl.spill import SpilledFiles, damaged, index_file, partition_of, temporary
from sitestencil.crawl.work import Made, Work, WorkReport, report_file
from sitestencil.errors import UnusableOutput
from sitestencil.site.sources.crawl_input import UNIT_BYTES, Unit, units_of
from sitestencil.site.sources.crawled import Skipped
from sitestencil.version import VERSION

PARTITION_BYTES = 4 * 1024 * 1024  # of the input as it is packed, for each partition
LARGE_SITE = 5000  # pages; a site of more is several works
_FEW_PARTITIONS = 16
_MOST_PARTITIONS = 4096
_MOST_OBJECTS = 500_000  # partitions times units, each an object of a cluster's store
_PACKED = 4  # what a gzipped WARC has less than its pages as they are put aside
_T = TypeVar("_T")
_FOLDERS = ("pages", "templates", ".work/spill", ".work/done")
# Records of these are what any crawl has; others are damage, or pages that this program could not do.
ORDINARY = frozenset({"redirect", "error page", "robots denied", "not HTML", "no page", "no web address", "empty"})


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked of a job.

    Attributes:
        wanted: what is made of each page beside its text.
        warc: write WARC conversion records, too.
        large_site: a site of more pages is several works.
        partition_bytes: how much of the input a partition has.
        unit_bytes: how much of a packed WARC is read at a time.
    """

    wanted: Wanted = field(default_factory=Wanted)
    warc: bool = False
    large_site: int = LARGE_SITE
    partition_bytes: int = PARTITION_BYTES
    unit_bytes: int = UNIT_BYTES


@dataclass(frozen=True, slots=True)
class Job:
    """A job and its folder.

    Attributes:
        folder: of the output.
        units: of the input.
        partitions: how many partitions the sites are parted into.
        made: what is written.
        options: what was asked for.
    """

    folder: Path
    units: tuple[Unit, ...]
    partitions: int
    made: Made
    options: Options

    @property
    def spill(self) -> Path:
        """The folder of the spilled pages."""
        return self.folder / ".work" / "spill"

    def spilled(self) -> SpilledFiles:
        """Return the spilled pages, once all units are read."""
        return SpilledFiles(self.spill, len(self.units), self.partitions)

    def units_to_do(self) -> list[int]:
        """Return the numbers of the units that are not spilled yet."""
        return [number for number in range(len(self.units)) if not index_file(self.spill, number).exists()]

    def report_of(self, work: Work) -> WorkReport | None:
        """Return what a work has done; None where not all of it has been done, whatever its report says."""
        try:
            report = msgspec.json.decode(report_file(self.folder, work).read_bytes(), type=WorkReport)
            files = [self.folder / kind / f"{work.name}.parquet" for kind in ("pages", "templates")]
            rows = [pq.read_metadata(file).num_rows for file in files]
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError, pa.ArrowInvalid):
            return None
        is_all = report.pages + len(report.skipped) == work.pages
        return report if is_all and rows == [report.pages, report.templates] else None


class _State(msgspec.Struct):
    job: dict[str, Any]
    date: str


def open_job(inputs: Sequence[Path], folder: Path, options: Options) -> Job:
    """Return a job; its folder is made, or taken up again where it holds the same job.

    Raises:
        UnusableInput: an input is not there, or is nothing that can be read.
        UnusableOutput: the folder holds something else.
    """
    units = tuple(units_of(inputs, options.unit_bytes))
    size = sum(map(_unit_bytes, units))
    partitions = _partitions(size, len(units), options.partition_bytes)
    facts = _facts(units, partitions, options)
    state = folder / ".work" / "job.json"
    if folder.exists() and not state.exists() and any(entry.name != ".work" for entry in folder.iterdir()):
        raise UnusableOutput(f"{folder} is not empty, and holds no crawl that was begun. Give another folder.")
    if state.exists():
        known = _decoded(state, _State)
        if known.job != facts:
            raise UnusableOutput(
                f"{folder} holds a crawl of other input, other options or another version. "
                "Give another folder, or delete this one."
            )
        date = known.date
    else:
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        state.parent.mkdir(parents=True, exist_ok=True)
        with temporary(state) as file:
            file.write_bytes(msgspec.json.format(msgspec.json.encode(_State(facts, date)), indent=1))
    for name in (*_FOLDERS, "warc") if options.warc else _FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for left in folder.rglob("*.part"):
        left.unlink(missing_ok=True)  # a process of a job that was killed may be ending only now
    return Job(folder, units, partitions, Made(folder, options.wanted, options.warc, date), options)


def _partitions(size: int, units: int, partition_bytes: int) -> int:
    """Return how many partitions an input has; of a small one they are smaller, so that all cores have some."""
    least = min(_FEW_PARTITIONS, _FEW_PARTITIONS * size // partition_bytes)
    most = min(_MOST_PARTITIONS, _MOST_OBJECTS // max(1, units))
    return max(1, min(most, max(least, -(-size // partition_bytes))))


def _facts(units: Sequence[Unit], partitions: int, options: Options) -> dict[str, Any]:
    """Return what a job that goes on must have in common with the one that was begun."""
    files = sorted({(unit.name, unit.file.stat().st_size, unit.file.stat().st_mtime_ns) for unit in units})
    return {
        "version": VERSION,
        "files": [list(file) for file in files],
        "units": len(units),
        "partitions": partitions,
        "markdown": options.wanted.markdown,
        "html": options.wanted.html,
        "template_html": options.wanted.template_html,
        "warc": options.warc,
        "large_site": options.large_site,
    }


def _unit_bytes(unit: Unit) -> int:
    if unit.format == "site":
        return sum(file.stat().st_size for file in unit.file.rglob("*") if file.is_file()) // _PACKED
    end = unit.file.stat().st_size if unit.end is None else unit.end
    is_packed = unit.file.suffix in {".gz", ".zst", ".parquet"}
    return (end - unit.start) // (1 if is_packed else _PACKED)


def works_of(counts: Counter[str], partitions: int, large_site: int) -> list[Work]:
    """Return all works: one for each partition with pages, and for each large site as many as it takes.

    Those with the most pages come first, so that no process is left with a large one in the end.

    Args:
        counts: the pages of each site.
        partitions: how many there are.
        large_site: a site of more pages is several works.
    """
    large: dict[int, list[str]] = {}
    small: Counter[int] = Counter()
    works: list[Work] = []
    for site, pages in sorted(counts.items()):
        partition = partition_of(site, partitions)
        if pages <= large_site:
            small[partition] += pages
            continue
        large.setdefault(partition, []).append(site)
        for first in range(0, pages, large_site):
            last = min(first + large_site, pages)
            works.append(Work(partition, last - first, site, first, last))
    for partition, pages in sorted(small.items()):
        works.append(Work(partition, pages, large=tuple(large.get(partition, ()))))
    # Where there is nothing to do, one work makes the empty tables.
    return sorted(works, key=lambda work: -work.pages) or [Work(0)]


@dataclass(frozen=True, slots=True)
class JobReport:
    """What a job has done.

    Attributes:
        pages_in: the pages that the input had, those that were skipped included.
        pages_out: the pages of the output.
        skipped: how many were skipped, by the reason.
        ways: how many answers were found in which way.
        sites: how many sites there are.
        templates: how many templates were learned.
        text_bytes: the size of all texts.
        folder: the output's.
    """

    pages_in: int
    pages_out: int
    skipped: dict[str, int]
    ways: dict[str, int]
    sites: int
    templates: int
    text_bytes: int
    folder: str

    @property
    def damaged(self) -> int:
        """How many pages were skipped for another reason than any crawl has."""
        return sum(count for reason, count in self.skipped.items() if reason not in ORDINARY)


def finished_report(folder: Path) -> JobReport | None:
    """Return the report of a job that is done; None where it is not."""
    file = folder / "report.json"
    return _decoded(file, JobReport) if file.exists() else None


def _decoded(file: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise damaged(file) from None


def _lost(job: Job, work: Work) -> Never:
    raise damaged(report_file(job.folder, work))


def finish(job: Job, works: Sequence[Work], unit_skipped: Callable[[], Iterator[Skipped]]) -> JobReport:
    """Write ``skipped.jsonl`` and ``report.json``, take away what was put aside, and return the report.

    Args:
        job: the job.
        works: all of it.
        unit_skipped: yields what each unit has that is no page, in the order of the input.
    """
    reports = [job.report_of(work) or _lost(job, work) for work in works]
    ways: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    order = {unit.name: number for number, unit in reversed(list(enumerate(job.units)))}

    def rank(record: Skipped) -> tuple[int, int, str]:
        return order[record.source], record.offset, record.reason

    of_works = sorted((record for report in reports for record in report.skipped), key=rank)
    for report in reports:
        ways.update(report.ways)
    encoder = msgspec.json.Encoder()
    with temporary(job.folder / "skipped.jsonl") as file, file.open("wb") as lines:
        for record in merge(unit_skipped(), of_works, key=rank):
            reasons[record.reason] += 1
            lines.write(encoder.encode(record) + b"\n")
    pages_out = sum(report.pages for report in reports)
    result = JobReport(
        pages_in=pages_out + reasons.total(),
        pages_out=pages_out,
        skipped=dict(reasons.most_common()),
        ways=dict(ways.most_common()),
        sites=sum(report.sites for report in reports),
        templates=sum(report.templates for report in reports),
        text_bytes=sum(report.text_bytes for report in reports),
        folder=str(job.folder),
    )
    with temporary(job.folder / "report.json") as file:
        file.write_bytes(msgspec.json.format(encoder.encode(result), indent=1) + b"\n")
    shutil.rmtree(job.spill, ignore_errors=True)
    return result
