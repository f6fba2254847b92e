"""Run a job by an engine: read all units, then do all works. A resumed job keeps those that are done."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from sitestencil.crawl.input.crawl_input import Unit, proven_again
from sitestencil.crawl.input.places import Place
from sitestencil.crawl.job import Job, JobReport, finish
from sitestencil.crawl.plan import works_of
from sitestencil.crawl.progress import CrawlProgress, Report
from sitestencil.crawl.work import Work, WorkReport


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
