"""Run a crawl's job: plan the work, resume it, and report on it.

The output's folder holds all finished parts: spilled pages, and the files and the report of each work. A job that
was interrupted resumes with the missing parts. Unfinished files have temporary names, and are written again.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import Any, Never, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from sitestencil.crawl.changes import write_changes
from sitestencil.crawl.input.crawled import Skipped
from sitestencil.crawl.input.places import Place, RemotePath, home_of, write_place, written
from sitestencil.crawl.input.units import JOB_FILE, Unit, parts_of, units_of
from sitestencil.crawl.known_templates import KnownTemplates
from sitestencil.crawl.notes import Notes
from sitestencil.crawl.plan import Report, plan_of
from sitestencil.crawl.spill import SpilledFiles, UnitRead, damaged, skipped_of
from sitestencil.crawl.work import Options, OutputSettings, Work, WorkReport, report_file
from sitestencil.errors import UnusableOutput
from sitestencil.kept_files import UNFINISHED
from sitestencil.version import VERSION

_PACKED = 4  # spilled pages are this many times as large as their gzipped WARC
_AT_ONCE = 16  # files that are looked up
_T = TypeVar("_T")
# Every crawl has records with these reasons; others mean damage, or pages that failed.
ORDINARY = frozenset(
    {"redirect", "error page", "robots denied", "not HTML", "no page", "no web address", "empty", "not read"}
)

# Its head tells Hugging Face's datasets which files are pages.
_README = b"""\
---
configs:
- config_name: pages
  data_files: pages/*.parquet
---

The content of a crawl. `datasets.load_dataset` reads this folder; `sitestencil crawl --help` explains its files.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A job and its folder.

    Attributes:
        folder: the output's folder.
        spill: the folder of the spilled pages.
        units: the units of the input.
        partitions: the number of partitions.
        rounds: the number of rounds in which a Ray cluster shuffles the pages.
        made: the output of each work.
        notes: the pages at work in this run.
    """

    folder: Place
    spill: Place
    units: tuple[Unit, ...]
    partitions: int
    rounds: int
    made: OutputSettings
    notes: Notes

    def spilled(self) -> SpilledFiles:
        """Return the spilled pages; every unit must have been read."""
        return SpilledFiles(self.spill, len(self.units), self.partitions)

    def units_to_do(self, marker: Callable[[Place, int], Place]) -> list[int]:
        """Return the numbers of the units that are not read yet: of those an engine's file is missing."""
        return [number for number in range(len(self.units)) if not marker(self.spill, number).exists()]

    def read(self, number: int) -> UnitRead:
        """Return the counts and the range of a unit that was read."""
        return UnitRead.of(self.spill, number)

    def reads(self) -> Iterator[UnitRead]:
        """Yield the same for all units."""
        return map(self.read, range(len(self.units)))

    def report_of(self, work: Work) -> WorkReport | None:
        """Return a work's report; None if any of its output is missing."""
        try:
            report = msgspec.json.decode(report_file(self.folder, work).read_bytes(), type=WorkReport)
            tables = self.made.options.tables
            rows = [_rows(self.folder / table / f"{work.name}.parquet") for table in tables]
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError, pa.ArrowInvalid):
            return None
        is_all = report.pages + len(report.skipped) == work.pages
        return report if is_all and rows == [report.pages, report.templates][: len(tables)] else None

    def reports_of(self, works: Sequence[Work]) -> list[WorkReport | None]:
        """Return the reports of works; many at a time, since each asks a bucket some times."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(self.report_of, works))


def _rows(file: Place) -> int:
    with file.open("rb") as data:
        return int(pq.read_metadata(data).num_rows)


class _State(msgspec.Struct):
    job: dict[str, Any]
    date: str


def open_job(inputs: Sequence[Place], folder: Place, options: Options) -> Job:
    """Create a job and its folder, or resume the same job in its folder.

    Raises:
        UnusableInput: an input is missing, or has no readable format.
        UnusableOutput: the folder holds something else.
    """
    choice, earlier = options.wanted.choice, options.against
    templates = tuple(KnownTemplates.of(one.resolve()) for one in options.templates)
    against = None if earlier is None else KnownTemplates.of(earlier.resolve(), choice)
    files = units_of(inputs)
    plan = plan_of(sum(map(_unit_bytes, files)), options.unit_bytes, options.partition_bytes)
    units = tuple(parts_of(files, plan.unit_bytes))
    partitions = plan.partitions
    if against is not None:
        partitions = against.partitions * -(-partitions // against.partitions)
    facts, home = _facts(units, partitions, options), home_of(folder)
    if isinstance(folder, RemotePath) and folder.is_web:
        raise UnusableOutput(f"{folder}: a web server takes no files. Give a folder or a bucket for the output.")
    state = folder / JOB_FILE
    if not state.exists() and folder.exists() and any(entry.name != ".work" for entry in folder.iterdir()):
        raise UnusableOutput(f"{folder} is not empty, and holds no unfinished crawl. Give another folder.")
    if state.exists():
        if _decoded(state, _State).job != facts:
            raise UnusableOutput(
                f"{folder} holds a crawl of other input, other options or another version. "
                "Give another folder, or delete this one."
            )
    else:
        (home / ".work").mkdir(parents=True, exist_ok=True)
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        write_place(state, msgspec.json.format(msgspec.json.encode(_State(facts, date)), indent=1))
    if isinstance(folder, RemotePath):
        _forget_another_job(home, state.read_bytes())
    lines = ("lines",) if options.lines else ()
    for name in (*options.tables, *lines, ".work/spill", ".work/done"):
        (home / name).mkdir(parents=True, exist_ok=True)
    _delete_unfinished(home)
    made = OutputSettings(folder, options, templates, against)
    return Job(folder, home / ".work" / "spill", units, partitions, plan.rounds, made, Notes(folder))


def _forget_another_job(home: Path, state: bytes) -> None:
    """Delete what this machine keeps for a folder in a bucket if it is of an earlier job there."""
    kept = home / JOB_FILE
    kept.parent.mkdir(exist_ok=True)
    if not kept.exists() or kept.read_bytes() != state:
        shutil.rmtree(home / ".work" / "spill", ignore_errors=True)
        write_place(kept, state)


def _delete_unfinished(home: Path) -> None:
    for left in home.rglob(UNFINISHED):
        left.unlink(missing_ok=True)  # a process of a killed job may delete it at the same time


def _facts(units: Sequence[Unit], partitions: int, options: Options) -> dict[str, Any]:
    """Return the facts that must be equal before a job resumes."""
    files = sorted({(file.name, file.size, file.stamp) for unit in units for file in unit.files})
    return {
        "version": VERSION,
        "files": [list(file) for file in files],
        "units": len(units),
        "partitions": partitions,
        "markdown": options.wanted.markdown,
        "html": options.wanted.html,
        "template_html": options.wanted.template_html,
        "around": options.wanted.choice.around,
        "without": list(options.wanted.choice.without),
        "lines": options.lines,
        "templates_out": "templates" in options.tables,
        "templates": [str(earlier.resolve()) for earlier in options.templates],
        "against": None if options.against is None else str(options.against.resolve()),
        "large_site": options.large_site,
    }


def _unit_bytes(unit: Unit) -> int:
    return unit.size // (1 if unit.file.suffix in {".gz", ".zst", ".parquet"} else _PACKED)


@dataclass(frozen=True, slots=True)
class JobReport:
    """The result of a job.

    Attributes:
        pages_in: the number of input pages, with those skipped.
        pages_out: the number of output pages.
        skipped: the number of skipped pages by reason.
        ways: the number of pages by `AnsweredBy`.
        sites: the number of sites.
        templates: the number of learned templates.
        text_bytes: the size of all texts.
        folder: the output's folder.
        changes: the numbers of changes since the earlier crawl; None without one.
    """

    pages_in: int
    pages_out: int
    skipped: dict[str, int]
    ways: dict[str, int]
    sites: int
    templates: int
    text_bytes: int
    folder: str
    changes: dict[str, int] | None = None

    @property
    def damaged(self) -> int:
        """The number of pages that were skipped for an unusual reason."""
        return sum(count for reason, count in self.skipped.items() if reason not in ORDINARY)


def finished_report(folder: Place) -> JobReport | None:
    """Return the report of a finished job; None if it is not finished."""
    file = folder / "report.json"
    return _decoded(file, JobReport) if file.exists() else None


def _decoded(file: Place, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise damaged(file) from None


def _lost(job: Job, work: Work) -> Never:
    raise damaged(report_file(job.folder, work))


def finish(job: Job, works: Sequence[Work], show: Report) -> JobReport:
    """Write ``skipped.jsonl``, ``changes.parquet``, a readme and ``report.json``, and delete the spilled pages."""
    reports = [report or _lost(job, work) for work, report in zip(works, job.reports_of(works), strict=True)]
    ways: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    names = dict.fromkeys(file.name for unit in job.units for file in unit.files)
    order = {name: number for number, name in enumerate(names)}

    def rank(record: Skipped) -> tuple[int, int, str]:
        return order[record.source], record.offset, record.reason

    of_works = sorted((record for report in reports for record in report.skipped), key=rank)
    for report in reports:
        ways.update(report.ways)
    encoder = msgspec.json.Encoder()
    with written(job.folder / "skipped.jsonl") as lines:
        of_units = chain.from_iterable(skipped_of(job.spill, number) for number in range(len(job.units)))
        for record in merge(of_units, of_works, key=rank):
            reasons[record.reason] += 1
            lines.write(encoder.encode(record) + b"\n")
    pages_out = sum(report.pages for report in reports)
    changes = None
    if job.made.against is not None:
        changes = write_changes(KnownTemplates(job.folder, job.partitions), job.made.against, show)
    result = JobReport(
        pages_in=pages_out + reasons.total(),
        pages_out=pages_out,
        skipped=dict(reasons.most_common()),
        ways=dict(ways.most_common()),
        sites=sum(report.sites for report in reports),
        templates=sum(report.templates for report in reports),
        text_bytes=sum(report.text_bytes for report in reports),
        folder=str(job.folder),
        changes=changes,
    )
    write_place(job.folder / "README.md", _README)
    write_place(job.folder / "report.json", msgspec.json.format(encoder.encode(result), indent=1) + b"\n")
    _delete_unfinished(home_of(job.folder))
    if isinstance(job.folder, RemotePath):
        shutil.rmtree(job.folder.scratch, ignore_errors=True)
    elif isinstance(job.spill, Path):
        shutil.rmtree(job.spill, ignore_errors=True)
    return result
