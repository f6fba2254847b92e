"""Run a job by an engine: read all units, then do all works. A resumed job keeps those that are done.

The engine of this machine uses all cores, and a folder for data that does not fit into memory.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, Self, TypeVar

from sitestencil.crawl.input.crawl_input import Unit, proven_again
from sitestencil.crawl.input.places import Place
from sitestencil.crawl.job import Job, JobReport, finish
from sitestencil.crawl.plan import CrawlProgress, Report, works_of
from sitestencil.crawl.spill import SpilledFiles, index_file, spill_unit
from sitestencil.crawl.work import Made, Work, WorkReport, do_work
from sitestencil.errors import WorkerLost
from sitestencil.processes import ProcessPool, process_count


class Engine(Protocol):
    """The processes or machines that share a job."""

    @property
    def marker(self) -> Callable[[Place, int], Place]:
        """Return the file that marks a unit as read, by the folder and the unit's number."""
        ...

    def read(self, job: Job, units: Iterable[tuple[int, Unit]]) -> Iterator[object]:
        """Read numbered units in any order; yield something as each is done."""
        ...

    def do(self, job: Job, works: Sequence[Work]) -> Iterator[WorkReport]:
        """Do works in any order; yield the report of each."""
        ...


def run(job: Job, report: Report, engine: Engine) -> JobReport:
    """Finish a job, and return its report."""
    to_do = job.units_to_do(engine.marker)
    done = len(job.units) - len(to_do)
    report(CrawlProgress("reading", done, len(job.units), 0))
    for _ in engine.read(job, [(number, job.units[number]) for number in to_do]):
        done += 1
        report(CrawlProgress("reading", done, len(job.units), 0))
    for again in proven_again(job.units, lambda number: job.read(number).bounds):
        for _ in engine.read(job, [again]):
            pass
    works = works_of(lambda: (read.counts for read in job.reads()), job.partitions, job.options.large_site)
    reports = dict(zip(works, job.reports_of(works), strict=True))
    done = pages = sum(each.pages for each in reports.values() if each is not None)
    total = sum(work.pages for work in works)
    report(CrawlProgress("extracting", done, total, pages))
    for made in engine.do(job, [work for work, known in reports.items() if known is None]):
        pages += made.pages
        done += made.pages + len(made.skipped)
        report(CrawlProgress("extracting", done, total, pages))
    return finish(job, works, report)


_MOST_LOST = 3
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def run_locally(job: Job, report: Report, processes: int | None = None) -> JobReport:
    """Finish a job, and return its report.

    Args:
        job: the job.
        report: receives the progress.
        processes: the number of processes; None: one for each core that this process may use.

    Raises:
        WorkerLost: worker processes died three times.
    """
    with _Workers(process_count(processes)) as workers:
        return run(job, report, workers)


def _do(work: Work, spilled: SpilledFiles, made: Made) -> WorkReport:
    try:
        return do_work(work, spilled, made)
    finally:
        spilled.close()


class _Workers:
    """The processes that share a job. They start with the first task.

    Args:
        count: the number of processes; with one process or one task, this process does the work.
    """

    marker = staticmethod(index_file)

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPool | None = None
        self._lost = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if kind is None:
            self._pool.shutdown()
        else:
            self._pool.kill()  # a later run repeats the tasks in hand

    def read(self, job: Job, units: Iterable[tuple[int, Unit]]) -> Iterator[object]:
        """Spill units into files."""
        arguments = {number: (unit, job.partitions, job.spill, number) for number, unit in units}
        return self.results(spill_unit, arguments)

    def do(self, job: Job, works: Sequence[Work]) -> Iterator[WorkReport]:
        """Do works."""
        return (made for _, made in self.results(_do, {work: (work, job.spilled(), job.made) for work in works}))

    def results(
        self, function: Callable[..., _Result], arguments: dict[_Task, tuple[Any, ...]]
    ) -> Iterator[tuple[_Task, _Result]]:
        """Yield each task with its result as it completes; retry the tasks of a lost process."""
        left = dict(arguments)
        if self._count == 1 or len(left) == 1:
            for task in list(left):
                yield task, function(*left.pop(task))
        while left:
            try:
                yield from self._in_pool(function, left)
            except BrokenProcessPool:
                self._pool = None
                self._lost += 1
                if self._lost == _MOST_LOST:
                    raise WorkerLost(
                        "Worker processes died three times; memory may have run out. Finished work is "
                        "kept: run the same command again, with fewer processes (--jobs)."
                    ) from None

    def _in_pool(
        self, function: Callable[..., _Result], left: dict[_Task, tuple[Any, ...]]
    ) -> Iterator[tuple[_Task, _Result]]:
        """Yield results, and remove each finished task from those left."""
        if self._pool is None:
            self._pool = ProcessPool(self._count)
        futures = {self._pool.submit(function, *own): task for task, own in left.items()}
        for future in as_completed(futures):
            task = futures[future]
            result = future.result()
            del left[task]
            yield task, result
