"""Run a job on a Ray cluster: Ray Data shuffles the pages by work, then works are done as on one machine.

Ray retries tasks of a lost worker or node. A work renames its files when it is complete, so a retry does no harm.
All nodes must see the input and the output's folder under the same paths. The input is read once to plan the works,
and again in each round of the shuffle: no page waits in a file.
"""

import logging
import os
import socket
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from sitestencil.crawl.engine import run
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.input.reading import as_read
from sitestencil.crawl.input.units import Unit
from sitestencil.crawl.job import Job, JobReport
from sitestencil.crawl.notes import Notes
from sitestencil.crawl.plan import Report, rounds_of
from sitestencil.crawl.spill import (
    Entry,
    Located,
    UnitRead,
    count_unit,
    packed_page,
    page_of,
    partition_of,
    read_file,
)
from sitestencil.crawl.work import OutputSettings, Work, WorkReport, do_work, is_sampled
from sitestencil.errors import PackageMissing, WorkerLost, WrongUsage

_RETRIES = 100  # of each task, after a lost worker or node: a page is left out when it has ended two
_ANSWER_SECONDS = 4.0
_HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"  # its preface, with empty settings


def run_on_ray(job: Job, report: Report, address: str | None = None) -> JobReport:
    """Finish a job on a Ray cluster, and return its report.

    Args:
        job: the job; all nodes must see its input and its folder.
        report: receives the progress.
        address: the cluster's address; None: start one on this machine, unless this program has joined one already.

    Raises:
        PackageMissing: Ray is not installed.
        WorkerLost: too many workers died.
        WrongUsage: no cluster answers at this address.
    """
    where = address or os.environ.get("RAY_ADDRESS", "local")
    wrong = WrongUsage(f"No Ray cluster answers at {where}. Give its head and port, such as 10.0.0.1:6379.")
    if not _answers(where):
        raise wrong
    if address is None and "RAY_ADDRESS" not in os.environ and "ray" not in sys.modules:
        _require_token()
    try:
        import ray
        import ray.data
    except ImportError:
        raise PackageMissing("Ray is not installed.", "crawl,ray") from None
    joined = ray.is_initialized()
    if not joined:
        # Without an address Ray would join any cluster that it finds on this machine.
        try:
            # A job that was submitted to a cluster has an environment already.
            is_given = where == "local" or "RAY_JOB_CONFIG_JSON_ENV_VAR" in os.environ
            environment = None if is_given else for_workers()
            ray.init(address=where, log_to_driver=False, configure_logging=False, runtime_env=environment)
        except (ConnectionError, ValueError):
            raise wrong from None
    try:
        return run(
            job if isinstance(job.folder, Path) else replace(job, spill=job.folder / ".work" / "spill"),
            report,
            _Cluster(ray),
        )
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


def for_workers() -> dict[str, Any]:
    """Return the runtime environment that gives workers of any machine this package, as it is here."""
    # Ray dates what it unpacks anew, and compiled modules that seem older than their sources are not used.
    return {"py_modules": [str(Path(__file__).parents[1])], "excludes": ["**/*.pyx", "**/*.pxd"]}


def _answers(address: str) -> bool:
    """Tell whether a server of Ray's kind answers at an address; Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        return "://" not in address
    try:
        with socket.create_connection((host, int(port)), _ANSWER_SECONDS) as connection:
            connection.settimeout(_ANSWER_SECONDS)
            connection.sendall(_HTTP_2)
            return os.environ.get("RAY_USE_TLS") == "1" or connection.recv(9)[3:4] == _HTTP_2[-6:-5]
    except (OSError, OverflowError):
        return False


class _Cluster:
    """The cluster as an engine.

    Args:
        ray: the module.
    """

    marker = staticmethod(read_file)

    def __init__(self, ray: Any) -> None:  # noqa: ANN401 - a module
        self._ray = ray
        # Ray Data passes no such option to the tasks that do the works.
        os.environ.setdefault("RAY_TASK_MAX_RETRIES", str(_RETRIES))
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        ray.data.DataContext.get_current().enable_progress_bars = False

    def read(self, job: Job, units: Iterable[tuple[int, Unit]]) -> Iterator[object]:
        """Count the pages of units."""
        count = self._ray.remote(count_unit)
        yield from map(self._ray.get, [count.remote(unit, job.spill, number, job.notes) for number, unit in units])

    def do(self, job: Job, works: Sequence[Work]) -> Iterator[WorkReport]:
        """Shuffle the pages by work and do the works, round by round."""
        for work in works:
            if not work.pages:
                yield do_work(work, ShuffledPages(PAGES.empty_table()), job.made, job.notes)
        for part in rounds_of([work for work in works if work.pages], job.rounds):
            route = Route.of(part, job.partitions)
            tasks = list(tasks_of(job, route))
            pages = self._ray.data.from_items(list(range(len(tasks))), override_num_blocks=len(tasks)).map_batches(
                pages_of, batch_size=1, batch_format="pyarrow", fn_kwargs={"tasks": tasks, "route": route}
            )
            done = pages.groupby("work", num_partitions=len(part)).map_groups(
                _work_on, batch_format="pyarrow", fn_kwargs={"works": part, "made": job.made, "notes": job.notes}
            )
            for row in done.iter_rows():
                yield msgspec.json.decode(row["report"], type=WorkReport)


def _work_on(rows: pa.Table, works: Sequence[Work], made: OutputSettings, notes: Notes) -> pa.Table:
    report = do_work(works[rows["work"][0].as_py()], ShuffledPages(rows), made, notes)
    return pa.table({"report": [msgspec.json.encode(report)]})


_BLOCK_BYTES = 32 * 1024 * 1024
PAGES = pa.schema(
    [
        ("work", pa.int32()),
        ("unit", pa.int32()),
        ("number", pa.int64()),
        ("entry", pa.binary()),
        ("packed", pa.large_binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class Route:
    """The works that need a page.

    Attributes:
        partitions: the number of partitions.
        of_partition: the work of each partition.
        of_site: the works of each large site; none if it has them in another round.
    """

    partitions: int
    of_partition: dict[int, int]
    of_site: dict[str, list[tuple[int, Work]]]

    @classmethod
    def of(cls, works: Sequence[Work], partitions: int) -> "Route":
        """Return the route to some works."""
        route = cls(partitions, {}, {site: [] for work in works for site in work.large})
        for number, work in enumerate(works):
            if work.site is None:
                route.of_partition[work.partition] = number
            else:
                route.of_site.setdefault(work.site, []).append((number, work))
        return route

    def to(self, site: str, page: CrawlPage, number: int) -> Iterator[int]:
        """Yield the number of each work that needs a page: as its own, or to learn from.

        Args:
            site: the page's site.
            page: the page.
            number: its number in a large site.
        """
        if site not in self.of_site:
            work_number = self.of_partition.get(partition_of(site, self.partitions))
            if work_number is not None:
                yield work_number
            return
        for work_number, work in self.of_site[site]:
            if work.first <= number < work.last or is_sampled(page, work.site_pages):
                yield work_number


_Task = tuple[int, Unit, dict[str, int], set[tuple[str, int]]]


def tasks_of(job: Job, route: Route) -> Iterator[_Task]:
    """Yield each unit with its number, each large site's number of its first page in it, and what is left out."""
    firsts: Counter[str] = Counter()
    for number, (unit, read) in enumerate(zip(job.units, job.reads(), strict=True)):
        known = as_read(unit, read.bounds)
        if known is not None:
            first_of_site = {site: firsts[site] for site in route.of_site.keys() & read.counts.keys()}
            yield number, known, first_of_site, read.killed
        firsts.update({site: read.counts[site] for site in route.of_site.keys() & read.counts.keys()})


def pages_of(batch: pa.Table, tasks: Sequence[_Task], route: Route) -> Iterator[pa.Table]:
    """Yield the pages of units, packed, in a row for each work that needs them."""
    encode = msgspec.msgpack.encode
    for task in batch["item"].to_pylist():
        unit_number, unit, firsts, killed = tasks[task]
        numbers = Counter(firsts)
        rows: list[tuple[Any, ...]] = []
        size = 0
        for site, page in UnitRead().pages(unit, lambda *record, out=killed: record not in out):
            number = numbers[site]
            numbers[site] += 1
            works = list(route.to(site, page, number))
            if works:
                entry, packed = packed_page(site, page)
                rows += [(work, unit_number, number, encode(entry), packed) for work in works]
                size += len(packed) * len(works)
            if size >= _BLOCK_BYTES:
                yield _table(rows)
                rows, size = [], 0
        yield _table(rows)


def _table(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else [()] * len(PAGES)
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(columns, PAGES.types, strict=True)], schema=PAGES
    )


class ShuffledPages:
    """The pages of a work as rows of a table.

    Args:
        rows: the table.
    """

    def __init__(self, rows: pa.Table) -> None:
        self._rows = rows
        order = pc.sort_indices(rows, sort_keys=[("unit", "ascending"), ("number", "ascending")])
        self._order: list[int] = order.to_pylist()

    def entries(self, _partition: int) -> Iterator[Located]:
        """Yield each page with the number of its row, in the order of the input."""
        for row in self._order:
            yield row, msgspec.msgpack.decode(self._rows["entry"][row].as_py(), type=Entry)

    def of_site(self, partition: int, _site: str) -> Iterator[tuple[int, Located]]:
        """Yield the pages of a large site, each with its number in the site."""
        for located in self.entries(partition):
            yield self._rows["number"][located[0]].as_py(), located

    def page(self, number: int, entry: Entry) -> CrawlPage:
        """Return a page."""
        return page_of(entry, self._rows["packed"][number].as_buffer())
