"""Run a job by an engine: read all units, then do all works. A resumed job keeps those that are done.

The engine of this machine uses all cores, and a folder for data that does not fit into memory.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Any, Protocol, Self, TypeVar

from sitestencil.crawl.input.places import Place
from sitestencil.crawl.input.reading import proven_again
from sitestencil.crawl.input.units import Unit
from sitestencil.crawl.job import Job, JobReport, finish
from sitestencil.crawl.notes import Notes
from sitestencil.crawl.plan import CrawlProgress, Report, works_of
from sitestencil.crawl.spill import SpilledFiles, index_file, spill_unit
from sitestencil.crawl.work import OutputSettings, Work, WorkReport, do_work
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
    works = works_of(lambda: (read.counts for read in job.reads()), job.partitions, job.made.options.large_site)
    reports = dict(zip(works, job.reports_of(works), strict=True))
    done = pages = sum(each.pages for each in reports.values() if each is not None)
    total = sum(work.pages for work in works)
    report(CrawlProgress("extracting", done, total, pages))
    for made in engine.do(job, [work for work, known in reports.items() if known is None]):
        pages += made.pages
        done += made.pages + len(made.skipped)
        report(CrawlProgress("extracting", done, total, pages))
    return finish(job, works, report)


_MOST_LOST = 100  # processes in a row without a task that is done
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def run_locally(job: Job, report: Report, processes: int | None = None) -> JobReport:
    """Finish a job, and return its report.

    Args:
        job: the job.
        report: receives the progress.
        processes: the number of processes; None: one for each core that this process may use. With one, this
            process does the work, unless an earlier run was killed: a page may do that again.

    Raises:
        WorkerLost: worker processes were lost again and again.
    """
    count = process_count(processes)
    with _Workers(count, here=count == 1 and not job.notes.are_left()) as workers:
        return run(job, report, workers)


def _do(work: Work, spilled: SpilledFiles, made: OutputSettings, notes: Notes) -> WorkReport:
    with closing(spilled):
        return do_work(work, spilled, made, notes)


class _Workers:
    """The processes that share a job. Each starts with its first task.

    Args:
        count: the number of processes.
        here: this process does the work alone.
    """

    marker = staticmethod(index_file)

    def __init__(self, count: int, *, here: bool = False) -> None:
        self._count = count
        self._here = here
        self._idle: list[ProcessPool] = []
        self._running: dict[Future[Any], tuple[ProcessPool, Any]] = {}
        self._lost = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pool, _task in self._running.values():
            pool.kill()  # a later run repeats the task
        self._keep(0)

    def _keep(self, count: int) -> None:
        """End all idle processes but some."""
        while len(self._idle) > count:
            self._idle.pop().shutdown()

    def read(self, job: Job, units: Iterable[tuple[int, Unit]]) -> Iterator[object]:
        """Spill units into files."""
        arguments = {number: (unit, job.partitions, job.spill, number, job.notes) for number, unit in units}
        return self.results(spill_unit, arguments)

    def do(self, job: Job, works: Sequence[Work]) -> Iterator[WorkReport]:
        """Do works."""
        tasks = {work: (work, job.spilled(), job.made, job.notes) for work in works}
        return (made for _, made in self.results(_do, tasks))

    def results(
        self, function: Callable[..., _Result], arguments: dict[_Task, tuple[Any, ...]]
    ) -> Iterator[tuple[_Task, _Result]]:
        """Yield each task with its result as it completes.

        A task whose process is lost is done again when the others are done, alone: then no other process takes the
        memory that it needs.
        """
        if self._here:
            for task, values in arguments.items():
                yield task, function(*values)
            return
        waiting, lost, most = deque(arguments), deque[_Task](), self._count
        while waiting or lost or self._running:
            if not waiting and not self._running:
                waiting.append(lost.popleft())
                most = 1
                self._keep(1)
            while waiting and len(self._running) < most:
                task = waiting.popleft()
                pool = self._idle.pop() if self._idle else ProcessPool(1)
                self._running[pool.submit(function, *arguments[task])] = pool, task
            for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                pool, task = self._running.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    pool.shutdown()
                    lost.append(task)
                    self._count_lost()
                else:
                    self._idle.append(pool)
                    self._lost = 0
                    yield task, future.result()

    def _count_lost(self) -> None:
        self._lost += 1
        if self._lost == _MOST_LOST:
            raise WorkerLost(
                f"{_MOST_LOST} worker processes in a row were killed or crashed; memory may have run out. Finished "
                "work is kept: run the same command again, with fewer processes (--jobs)."
            )
