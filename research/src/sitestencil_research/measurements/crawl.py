"""Measure the speed of a crawl.

``python -m sitestencil_research.measurements.crawl WARC``; crawl_corpus makes the WARC.

All entrants read the same WARC on one core in one process, and return the text of each page's content. The times
are processor times, the least of a few runs in turn. This program's stages are timed separately: read and pack the
pages by site, learn the templates, and apply them.

With --scaling DIR ..., corpora of 10^3, 10^4 and 10^5 pages are made and crawled as a whole, by one process and by
two. The table shows the time per page, the speed-up by two processes, and the memory of all processes (PSS: shared
memory counts once). All corpora have the same number of pages per template: the larger ones repeat the smallest
under other host names. With --web they have the web's shape instead: most hosts have a page or two.
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

import pyarrow as pa
import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from sitestencil.crawl.content import Formats, SiteExtractor
from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.reading import read_unit
from sitestencil.crawl.input.units import units_of
from sitestencil.crawl.learning import ReadPages, learn_site
from sitestencil.crawl.notes import Notes
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import page_batch
from sitestencil.crawl.spill import Entry, SpilledFiles, spill_unit
from sitestencil.crawl.work import Work, contents_of, site_sample, sites_of
from sitestencil.page.encoding import decode
from sitestencil.page.gc_pause import collector_paused
from sitestencil.page.parsing import lexbor_root
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.measurements.crawl_corpus import write_corpus
from sitestencil_research.measurements.harness import arguments

SIZES = (1_000, 10_000, 100_000)
PER_SITE = 60  # 16 pages per template
TRAFILATURA_PAGES = 300
Located = Sequence[tuple[int, Entry]]
TEXT = Formats()
PageWork = Callable[[CrawlPage], object]


def main() -> int:
    """Print the tables."""
    parser = arguments(__doc__, None)
    parser.add_argument("warc", type=Path, metavar="WARC", nargs="?", help="a corpus")
    parser.add_argument("--runs", type=int, default=3, help="number of runs; the least time counts (default: 3)")
    parser.add_argument("--scaling", type=Path, nargs="+", metavar="DIR", help="folders of stored sites")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", default=SIZES, help="pages of the corpora")
    parser.add_argument(
        "--processes", type=int, nargs="*", metavar="N", default=(1, 2), help="none: only make corpora"
    )
    parser.add_argument("--per-site", type=int, default=PER_SITE, help=f"pages per site (default: {PER_SITE})")
    parser.add_argument("--web", action="store_true", help="give hosts as many pages as on the web")
    parser.add_argument("--engine", choices=("local", "ray"), default="local", help="default: local")
    parser.add_argument("--corpora", type=Path, metavar="DIR", help="keep the corpora here for the next run")
    options = parser.parse_args()
    pa.set_cpu_count(1)
    if options.warc is not None:
        print_speed(options.warc, options.runs)
    if options.scaling:
        with tempfile.TemporaryDirectory() as scratch:
            corpora = options.corpora or Path(scratch)
            per_site = None if options.web else options.per_site
            warcs = {size: corpus(corpora, options.scaling, size, per_site) for size in options.sizes}
            if options.processes:
                print_scaling(warcs, options.processes, options.engine)
    return 0


def pages_of(warc: Path) -> Iterator[CrawlPage]:
    """Yield the pages of a WARC."""
    for unit in units_of([warc]):
        yield from (record for record in read_unit(unit) if isinstance(record, CrawlPage))


def print_speed(warc: Path, runs: int) -> None:
    """Print the entrants' times."""
    count = sum(1 for _ in pages_of(warc))
    few = min(count, TRAFILATURA_PAGES)
    works: dict[str, tuple[int, PageWork]] = {
        "reading the WARC alone": (count, lambda _: None),
        "resiliparse, main content": (
            count,
            lambda page: extract_plain_text(decode(page.html, page.charset), main_content=True),
        ),
        "trafilatura": (few, lambda page: trafilatura.extract(page.html)),
        "trafilatura, fast": (few, lambda page: trafilatura.extract(page.html, fast=True)),
        "parsing with lexbor, checks included": (
            count,
            lambda page: lexbor_root(page.html, scripting=False, charset=page.charset),
        ),
    }
    least: dict[str, float] = {}
    own_seconds(warc)  # the first run also imports modules
    for _ in range(runs):
        times = {
            name: seconds_of(partial(each, islice(pages_of(warc), most), work)) / most
            for name, (most, work) in works.items()
        }
        own, templates = own_seconds(warc)
        times |= {name: seconds / count for name, seconds in own.items()}
        least = {name: min(least.get(name, 1e9), 1000 * seconds) for name, seconds in times.items()}
    print(f"{count:,} pages, {templates} templates: {count / max(1, templates):.1f} pages for each\n")
    slow, fast = least["trafilatura"], least["resiliparse, main content"]
    print_markdown(
        ["", "ms a page", "pages a second", "times trafilatura", "times resiliparse"],
        [
            [name, f"{own:.2f}", f"{1000 / own:,.0f}", f"{slow / own:.1f}", f"{fast / own:.2f}"]
            for name, own in least.items()
        ],
    )


def each(pages: Iterable[CrawlPage], work: PageWork) -> None:
    """Do some work on pages; a program that fails on a page skips it."""
    for page in pages:
        with suppress(Exception):
            work(page)


def seconds_of(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = process_time()
    work()
    return process_time() - start


def own_seconds(warc: Path) -> tuple[dict[str, float], int]:
    """Do a whole job in this process; return the times of its stages, and the number of templates."""
    start = process_time()
    learning = applying = together = with_markdown = 0.0
    templates = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder, units = Path(scratch), units_of([warc])
        for number, unit in enumerate(units):
            spill_unit(unit, 1, folder, number, Notes(folder))
        spilled = SpilledFiles(folder, len(units), 1)
        spilling = process_time() - start
        for site, located in sites_of(Work(0), spilled):
            start = process_time()
            learned = learn_site(site, site_sample(located, spilled))
            learning += process_time() - start
            extractor = SiteExtractor(learned)
            applying += seconds_of(lambda e=extractor, own=located: page_batch(extract(e, own, spilled)))  # type: ignore[misc]
            # As in a job, the pages used for learning are not parsed again.
            together += seconds_of(
                lambda site=site, own=located: page_batch(learn_and_extract(site, own, spilled))  # type: ignore[misc]
            )
            with_markdown += seconds_of(
                lambda site=site, own=located: page_batch(  # type: ignore[misc]
                    learn_and_extract(site, own, spilled, Formats(markdown=True))
                )
            )
            templates += len(learned.groups)
        spilled.close()
    seconds = {
        "reading and packing by site": spilling,
        "learning": learning,
        "applying and writing": applying,
        "learning, applying and writing as one": together,
        "sitestencil, templates learned": spilling + applying,
        "sitestencil, with learning": spilling + together,
        "sitestencil, with learning and Markdown": spilling + with_markdown,
    }
    return seconds, templates


def learn_and_extract(
    site: str, located: Located, spilled: SpilledFiles, wanted: Formats = TEXT
) -> list[PageContent]:
    """Do a site's work, as in a job."""
    read: ReadPages = {}
    with collector_paused():
        learned = learn_site(site, site_sample(located, spilled), read)
        contents = extract(SiteExtractor(learned, wanted, read=read), located, spilled)
    del learned, read
    gc.collect(0)  # or the next entrant would pay for it
    return contents


def extract(extractor: SiteExtractor, located: Located, spilled: SpilledFiles) -> list[PageContent]:
    """Extract the content of a site's pages."""
    contents = contents_of(extractor, located, spilled)
    return [content for content in contents if not isinstance(content, Skipped)]


def corpus(folder: Path, sites: list[Path], pages: int, per_site: int | None) -> Path:
    """Return a corpus of this size, in the web's shape if no number per site is given; reuse an existing one."""
    warc = folder / f"{pages}-{per_site or 'web'}.warc.gz"
    if not warc.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / "unfinished.warc.gz"
        write_corpus(unfinished, sites, pages, base=SIZES[0], per_site=per_site, web=per_site is None)
        unfinished.rename(warc)
    return warc


def print_scaling(warcs: dict[int, Path], counts: Sequence[int], engine: str) -> None:
    """Print how time and memory grow with the corpora, by their number of pages, and with the processes."""
    rows: list[list[str]] = []
    met: dict[tuple[int, int], tuple[float, float]] = {}
    smaller: int | None = None
    for size, warc in sorted(warcs.items()):
        for processes in counts:
            with tempfile.TemporaryDirectory() as scratch:
                seconds, cores, memory = whole_job(warc, Path(scratch) / "out", processes, engine)
            met[size, processes] = seconds, cores
            further = ""
            if smaller is not None:
                further = f"{1000 * (cores - met[smaller, processes][1]) / (size - smaller):.2f}"
            times = (
                f"{seconds:.1f}",
                f"{met[size, counts[0]][0] / seconds:.2f}",
                f"{1000 * cores / size:.2f}",
                further,
            )
            peaks = f"{median(memory):.0f}", f"{max(memory):.0f}"
            rows.append([f"{size:,}", f"{processes}", *times, f"{size / seconds:,.0f}", *peaks])
        smaller = size
    print()
    heads = ["pages", "processes", "seconds", "times faster", "cores' ms a page", "of each further page"]
    print_markdown([*heads, "pages a second", "usual MB", "peak MB"], rows, left=())


def whole_job(warc: Path, out: Path, processes: int, engine: str) -> tuple[float, float, list[float]]:
    """Return a job's wall time, its processor time, and samples of its processes' memory in MB."""
    command = [sys.executable, "-m", "sitestencil", "crawl", str(warc), "-o", str(out), "-q"]
    command += ["--jobs", str(processes), "--engine", engine]
    before, start, memory = os.times(), time.monotonic(), [0.0]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as job:
        while job.poll() is None:
            memory.append(memory_of(job.pid))
            with suppress(subprocess.TimeoutExpired):
                job.wait(0.5)  # asking more often costs some hundredths of a core
    seconds, after = time.monotonic() - start, os.times()
    if job.returncode:
        raise RuntimeError(f"{command} failed")
    cores = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, cores, memory


def memory_of(process: int) -> float:
    """Return the memory of a process and its children in MB; shared memory counts once (Linux)."""
    total = 0.0
    try:
        threads = Path(f"/proc/{process}/task").iterdir()
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
        pages = Path(f"/proc/{process}/smaps_rollup").read_text()
        total = next(float(line.split()[1]) for line in pages.splitlines() if line.startswith("Pss:")) / 1000
    except (OSError, StopIteration):
        return 0.0
    return total + sum(memory_of(int(child)) for child in children)


if __name__ == "__main__":
    sys.exit(main())
