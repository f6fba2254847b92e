"""The job on a Ray cluster: one shuffle by site, through Ray's object store; the same works as on one machine.

Ray does again what a worker or a node has lost: what was read of the input by the task that read it, and a work by
another worker. A work writes its files under other names and renames them in the end, so that it may be done twice.
The input and the output's folder must be where all nodes see them, under the same paths.
"""

import os
import sys
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from itertools import chain
from secrets import token_hex
from typing import Any

from sitestencil.crawl.job import Job, JobReport, finish, works_of
from sitestencil.crawl.progress import CrawlProgress, Report
from sitestencil.crawl.spill import Entry, packed_pages, page_of
from sitestencil.crawl.work import Made, Work, WorkReport, do_work
from sitestencil.errors import PackageMissing, WorkerLost
from sitestencil.site.sources.crawl_input import Unit, proven_again
from sitestencil.site.sources.crawled import CrawlPage, Skipped
from sitestencil.site.sources.warc import Bounds

_MOST_HELD = 4  # pieces that a work has in memory at a time
_RETRIES = 4  # of what a lost worker or node had in hand


def run_on_ray(job: Job, report: Report, address: str | None = None) -> JobReport:
    """Do what of a job is not done on a Ray cluster, and return its report.

    Args:
        job: the job; its input and its folder are seen by all nodes.
        report: is told how far it is.
        address: the cluster's; None: one is started on this machine, unless this program has joined one already.

    Raises:
        PackageMissing: Ray is not installed.
        WorkerLost: workers ended again and again.
    """
    if address is None and "RAY_ADDRESS" not in os.environ and "ray" not in sys.modules:
        _require_token()
    try:
        import ray
    except ImportError:
        raise PackageMissing("Ray is not installed.", "crawl,ray") from None
    joined = ray.is_initialized()
    if not joined:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    try:
        return _run(ray, job, report)
    except ray.exceptions.RayError as error:
        raise WorkerLost(
            f"The cluster lost what it was doing: {str(error).strip().splitlines()[-1]} "
            "What is done is kept: run the same command again."
        ) from None
    finally:
        if not joined:
            ray.shutdown()


def _require_token() -> None:
    """Have the cluster that is started here answer nobody but this job: Ray listens on all interfaces.

    The token is new, and Ray reads it from the environment when it is imported. A program that has imported Ray
    before has its own way of doing so.
    """
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token_hex(32)}


def _run(ray: Any, job: Job, report: Report) -> JobReport:  # noqa: ANN401 - a module
    spill = ray.remote(num_returns=2 * job.partitions + 1, max_retries=_RETRIES)(spill_to_objects)
    work_on = ray.remote(max_retries=_RETRIES)(_work_on)
    refs = [spill.remote(unit, job.partitions) for unit in job.units]
    met: list[tuple[list[Skipped], Counter[str], Bounds]] = []
    for own in refs:
        met.append(ray.get(own[-1]))
        report(CrawlProgress("reading", len(met), len(job.units), 0))
    for number, unit in proven_again(job.units, lambda number: met[number][2]):
        refs[number] = spill.remote(unit, job.partitions)
        met[number] = ray.get(refs[number][-1])
    counts: Counter[str] = Counter()
    for _, of_unit, _ in met:
        counts.update(of_unit)
    works = works_of(counts, job.partitions, job.options.large_site)
    reports = {work: job.report_of(work) for work in works}
    pages, total = sum(each.pages for each in reports.values() if each is not None), counts.total()
    report(CrawlProgress("extracting", pages, total, pages))
    waiting = [
        work_on.remote(work, job.made, [(own[2 * work.partition], own[2 * work.partition + 1]) for own in refs])
        for work, known in reports.items()
        if known is None
    ]
    while waiting:
        done, waiting = ray.wait(waiting)
        for made in ray.get(done):
            pages += made.pages
            report(CrawlProgress("extracting", pages, total, pages))
    return finish(job, works, lambda: chain.from_iterable(skipped for skipped, *_ in met))


def spill_to_objects(unit: Unit, partitions: int) -> Iterator[Any]:
    """Yield for each partition the index and the packed pages of a unit's piece; in the end what was no page.

    The last value is the skipped records, the number of pages of each site, and the bounds of the unit.
    """
    bounds = Bounds()
    entries: list[list[Entry]] = [[] for _ in range(partitions)]
    blobs = [bytearray() for _ in range(partitions)]
    skipped: list[Skipped] = []
    for record in packed_pages(unit, partitions, bounds):
        if isinstance(record, Skipped):
            skipped.append(record)
            continue
        partition, entry, packed = record
        entries[partition].append(entry._replace(start=len(blobs[partition])))
        blobs[partition] += packed
    counts = Counter(entry.site for own in entries for entry in own)
    for own, blob in zip(entries, blobs, strict=True):
        yield own
        yield bytes(blob)
    yield skipped, counts, bounds


class SpilledObjects:
    """The pieces of all units for one partition, in the cluster's object store; few are fetched at a time.

    Args:
        pieces: of each unit, references to the index and to the packed pages.
    """

    def __init__(self, pieces: Sequence[tuple[Any, Any]]) -> None:
        self._pieces = pieces
        self._held: OrderedDict[int, bytes] = OrderedDict()

    def entries(self, _partition: int) -> Iterator[tuple[int, Entry]]:
        """Yield the numbers of the pieces with the pages, in the order of the input."""
        import ray

        for number, (index, _) in enumerate(self._pieces):
            for entry in ray.get(index):
                yield number, entry

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        blob = self._held.get(number)
        if blob is None:
            import ray

            if len(self._held) >= _MOST_HELD:
                self._held.popitem(last=False)
            blob = self._held[number] = ray.get(self._pieces[number][1])
        return page_of(entry, blob[entry.start : entry.start + entry.packed])

    def close(self) -> None:
        """Let the pieces go."""
        self._held.clear()


def _work_on(work: Work, made: Made, pieces: Sequence[tuple[Any, Any]]) -> WorkReport:
    return do_work(work, SpilledObjects(pieces), made)
