"""Run a job on a Ray cluster: shuffle by site through the object store, then do the same works as one machine.

Ray retries tasks of a lost worker or node. A work renames its files when it is complete, so a retry does no harm.
All nodes must see the input and the output's folder under the same paths.
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

_MOST_HELD = 4  # pieces in memory at a time
_RETRIES = 4  # of each task, after a lost worker or node


def run_on_ray(job: Job, report: Report, address: str | None = None) -> JobReport:
    """Finish a job on a Ray cluster, and return its report.

    Args:
        job: the job; all nodes must see its input and its folder.
        report: receives the progress.
        address: the cluster's address; None: start one on this machine, unless this program has joined one already.

    Raises:
        PackageMissing: Ray is not installed.
        WorkerLost: too many workers died.
    """
    if address is None and "RAY_ADDRESS" not in os.environ and "ray" not in sys.modules:
        _require_token()
    try:
        import ray
    except ImportError:
        raise PackageMissing("Ray is not installed.", "crawl,ray") from None
    joined = ray.is_initialized()
    if not joined:
        # Without an address Ray would join any cluster that it finds on this machine.
        where = address or os.environ.get("RAY_ADDRESS", "local")
        ray.init(address=where, log_to_driver=False, configure_logging=False)
    try:
        return _run(ray, job, report)
    except ray.exceptions.RayError as error:
        raise WorkerLost(
            f"The cluster failed: {str(error).strip().splitlines()[-1]} "
            "Finished work is kept: run the same command again."
        ) from None
    finally:
        if not joined:
            ray.shutdown()


def _require_token() -> None:
    """Restrict a new cluster to this job: Ray listens on all interfaces.

    Ray reads the new token from the environment at import. A program that imported Ray before must set its own.
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
    """Yield the index and the packed pages for each partition of a unit, then the records that are not pages.

    The last value has the skipped records, the number of pages of each site, and the unit's bounds.
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
    """The spilled pages of one partition in the cluster's object store; few pieces are held at a time.

    Args:
        pieces: for each unit, references to the index and to the packed pages.
    """

    def __init__(self, pieces: Sequence[tuple[Any, Any]]) -> None:
        self._pieces = pieces
        self._held: OrderedDict[int, bytes] = OrderedDict()

    def entries(self, _partition: int) -> Iterator[tuple[int, Entry]]:
        """Yield each page with the number of its piece, in the order of the input."""
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
        """Release the pieces."""
        self._held.clear()


def _work_on(work: Work, made: Made, pieces: Sequence[tuple[Any, Any]]) -> WorkReport:
    return do_work(work, SpilledObjects(pieces), made)
