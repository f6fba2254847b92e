"""The job on this machine: all its cores, and a folder for what does not fit into memory."""

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from threading import Thread
from typing import Any, TypeVar

from sitestencil.crawl.job import Job, JobReport, finish, works_of
from sitestencil.crawl.progress import CrawlProgress, Report
from sitestencil.crawl.spill import spill_unit
from sitestencil.crawl.work import Work, WorkReport, do_work
from sitestencil.errors import WorkerLost

_MOST_PROCESSES = 61  # what Windows can wait for
_MOST_LOST = 3
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def run_locally(job: Job, report: Report, processes: int | None = None) -> JobReport:
    """Do what of a job is not done, and return its report.

    Args:
        job: the job.
        report: is told how far it is.
        processes: how many share it; None: one for each core that this process may use.

    Raises:
        WorkerLost: a process ended three times while it worked, without saying why.
    """
    count = max(1, min(processes or _usable_cores(), _MOST_PROCESSES))
    to_do = job.units_to_do()
    done = len(job.units) - len(to_do)
    report(CrawlProgress("reading", done, len(job.units), 0))
    for _ in _results(_spill, {number: (job, number) for number in to_do}, count):
        done += 1
        report(CrawlProgress("reading", done, len(job.units), 0))
    spilled, counts = job.spilled(), Counter[str]()
    for number in range(len(job.units)):
        counts.update(spilled.counts(number))
    works = works_of(counts, job.partitions, job.options.large_site)
    reports = {work: job.report_of(work) for work in works}
    pages, total = sum(each.pages for each in reports.values() if each is not None), counts.total()
    report(CrawlProgress("extracting", pages, total, pages))
    open_works = {work: (work, job) for work, known in reports.items() if known is None}
    for _, made in _results(_do, open_works, count):
        pages += made.pages
        report(CrawlProgress("extracting", pages + len(made.skipped), total, pages))
    return finish(job, works, lambda: chain.from_iterable(map(spilled.skipped, range(len(job.units)))))


def _spill(job: Job, number: int) -> None:
    spill_unit(job.units[number], job.partitions, job.spill, number)


def _do(work: Work, job: Job) -> WorkReport:
    spilled = job.spilled()
    try:
        return do_work(work, spilled, job.made)
    finally:
        spilled.close()


def _results(
    function: Callable[..., _Result], arguments: dict[_Task, tuple[Any, ...]], processes: int
) -> Iterator[tuple[_Task, _Result]]:
    """Yield each task with its result as it is there; what a process that ended had taken is done again."""
    left, lost = dict(arguments), 0
    while left:
        if processes == 1 or len(left) == 1:
            for task in list(left):
                yield task, function(*left.pop(task))
            return
        pool = _pool(min(processes, len(left)))
        futures = {}
        try:
            futures = {pool.submit(function, *own): task for task, own in left.items()}
            for future in _as_done(futures):
                task = futures[future]
                result = future.result()
                del left[task]
                yield task, result
        except BrokenProcessPool:
            lost += 1
            if lost == _MOST_LOST:
                raise WorkerLost(
                    "A process ended three times while it worked; memory may have run out. What is done is kept: "
                    "run the same command again, with fewer processes (--jobs)."
                ) from None
        finally:
            for future in futures:
                future.cancel()
            pool.shutdown(wait=False, cancel_futures=True)


def _as_done(futures: "Sequence[Future[_Result]] | dict[Future[_Result], Any]") -> "Iterator[Future[_Result]]":
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from done


def _pool(processes: int) -> ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=spawn, initializer=_belong_to_the_parent)


def _usable_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _belong_to_the_parent() -> None:
    """Leave interrupts to the parent, and end with it: one that was killed tells nobody."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
