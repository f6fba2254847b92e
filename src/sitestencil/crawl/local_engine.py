"""Run a job on this machine: on all cores, with a folder for data that does not fit into memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Self, TypeVar

from sitestencil.crawl.engine import run
from sitestencil.crawl.input.crawl_input import Unit
from sitestencil.crawl.job import Job, JobReport
from sitestencil.crawl.progress import Report
from sitestencil.crawl.spill import SpilledFiles, index_file, spill_unit
from sitestencil.crawl.work import Made, Work, WorkReport, do_work
from sitestencil.errors import WorkerLost
from sitestencil.processes import ProcessPool, process_count

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
