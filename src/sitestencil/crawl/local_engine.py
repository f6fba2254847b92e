"""Run a job on this machine: on all cores, with a folder for data that does not fit into memory."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from typing import Any, Self, TypeVar

from sitestencil.crawl.job import Job, JobReport, finish, works_of
from sitestencil.crawl.progress import CrawlProgress, Report
from sitestencil.crawl.spill import spill_unit
from sitestencil.crawl.work import Work, WorkReport, do_work
from sitestencil.errors import WorkerLost
from sitestencil.processes import ProcessPool, process_count
from sitestencil.site.sources.crawl_input import Unit, proven_again

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
        return _run(job, report, workers)


def _run(job: Job, report: Report, workers: "_Workers") -> JobReport:
    to_do = job.units_to_do()
    done = len(job.units) - len(to_do)
    report(CrawlProgress("reading", done, len(job.units), 0))
    for _ in workers.results(_spill, {number: (job, job.units[number], number) for number in to_do}):
        done += 1
        report(CrawlProgress("reading", done, len(job.units), 0))
    spilled, counts = job.spilled(), Counter[str]()
    for number, unit in proven_again(job.units, spilled.bounds):
        _spill(job, unit, number)
    for number in range(len(job.units)):
        counts.update(spilled.counts(number))
    works = works_of(counts, job.partitions, job.options.large_site)
    reports = {work: job.report_of(work) for work in works}
    pages, total = sum(each.pages for each in reports.values() if each is not None), counts.total()
    report(CrawlProgress("extracting", pages, total, pages))
    open_works = {work: (work, job) for work, known in reports.items() if known is None}
    for _, made in workers.results(_do, open_works):
        pages += made.pages
        report(CrawlProgress("extracting", pages + len(made.skipped), total, pages))
    return finish(job, works, lambda: chain.from_iterable(map(spilled.skipped, range(len(job.units)))))


def _spill(job: Job, unit: Unit, number: int) -> None:
    spill_unit(unit, job.partitions, job.spill, number)


def _do(work: Work, job: Job) -> WorkReport:
    spilled = job.spilled()
    try:
        return do_work(work, spilled, job.made)
    finally:
        spilled.close()


class _Workers:
    """The processes that share a job. They start with the first task.

    Args:
        count: the number of processes; with one process or one task, this process does the work.
    """

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
