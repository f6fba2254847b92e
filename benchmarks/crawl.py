"""How fast a crawl is: ``python benchmarks/crawl.py WARC``, a corpus as benchmarks/crawl_corpus.py makes it.

All entrants read the same WARC on one core in one process and return the content's text of each page; times are a
core's own, the least of a few runs, taken in turn. Of this program the stages are timed apart: to read and pack the
pages by site, to learn the templates, and to apply them; with the compiled modules and, in processes of their own,
with plain Python. With --scaling DIR ..., corpora of 10^3, 10^4 and 10^5 pages are made and done whole, by one
process and by two: time for each page, how much faster two are, and the memory of all processes (PSS: what they
share counted once). All corpora have as many pages for each template: the larger ones are the smallest repeated
under other host names.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time

import pyarrow as pa
import trafilatura
from resiliparse.extract.html2text import extract_plain_text

from crawl_corpus import write_corpus
from sitestencil.crawl.content import SiteExtractor
from sitestencil.crawl.learning import ReadPages, learn_site
from sitestencil.crawl.rows import page_batch
from sitestencil.crawl.spill import Entry, SpilledFiles, spill_unit
from sitestencil.crawl.work import Work, content_or_skipped, site_sample, sites_of
from sitestencil.page.encoding import decode
from sitestencil.page.native import PLAIN, why_plain
from sitestencil.page.parsing import lexbor_root
from sitestencil.site.sources.crawl_input import read_unit, units_of
from sitestencil.site.sources.crawled import CrawlPage, Skipped

SIZES = (1_000, 10_000, 100_000)
SCALING_COLUMNS = (
    "pages",
    "processes",
    "seconds",
    "times faster",
    "cores' ms a page",
    "of each further page",
    "pages a second",
    "usual MB",
    "peak MB",
)
PER_SITE = 60  # which is 16 pages for each template
TRAFILATURA_PAGES = 300
SPILLING, LEARNING, APPLYING = "reading and packing by site", "learning", "applying and writing"
TOGETHER = "learning, applying and writing as one"
PARSING = "parsing with lexbor, checks included"
LEARNED, WITH_LEARNING = "sitestencil, templates learned", "sitestencil, with learning"
OWN = (PARSING, SPILLING, LEARNING, APPLYING, TOGETHER)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warc", type=Path, metavar="WARC", nargs="?", help="a corpus")
    parser.add_argument("--runs", type=int, default=3, help="the least of so many counts (default: 3)")
    parser.add_argument("--stages", action="store_true", help="print this program's own stages alone, as JSON")
    parser.add_argument("--scaling", type=Path, nargs="+", metavar="DIR", help="folders of stored sites")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", default=SIZES, help="so many pages")
    parser.add_argument(
        "--processes", type=int, nargs="*", metavar="N", default=(1, 2), help="none: make the corpora alone"
    )
    parser.add_argument("--per-site", type=int, default=PER_SITE, help=f"pages of a site (default: {PER_SITE})")
    parser.add_argument("--corpora", type=Path, metavar="DIR", help="keep the corpora here, for the next time")
    options = parser.parse_args()
    pa.set_cpu_count(1)
    if options.stages:
        stages(options.warc)  # the first time modules are imported
        print(json.dumps(stages(options.warc)))
        return 0
    if options.warc is not None:
        print_speed(options.warc, options.runs)
    if options.scaling:
        with tempfile.TemporaryDirectory() as scratch:
            corpora = options.corpora or Path(scratch)
            warcs = {size: corpus(corpora, options.scaling, size, options.per_site) for size in options.sizes}
            if options.processes:
                print_scaling(warcs, options.processes)
    return 0


def pages_of(warc: Path) -> Iterator[CrawlPage]:
    """Yield the pages of a WARC."""
    for unit in units_of([warc]):
        for record in read_unit(unit):
            if isinstance(record, CrawlPage):
                yield record


def print_speed(warc: Path, runs: int) -> None:
    """Print the entrants' times."""
    if (reason := why_plain()) is not None:
        print(f"The compiled modules are not measured: {reason}\n")
    count = sum(1 for _ in pages_of(warc))
    few = min(count, TRAFILATURA_PAGES)
    least: dict[str, float] = {}
    groups = 0

    def keep(name: str, milliseconds: float) -> None:
        least[name] = min(least.get(name, 1e9), milliseconds)

    def timed(name: str, pages: int, work: Callable[[], None]) -> None:
        keep(name, milliseconds_of(work) / pages)

    stages(warc)  # the first time modules are imported
    for _ in range(runs):
        timed("reading the WARC alone", count, lambda: each(warc, lambda _: None))
        timed("resiliparse, main content", count, lambda: each(warc, resiliparse_main))
        timed("trafilatura", few, lambda: each(warc, lambda page: trafilatura.extract(page.html), few))
        timed(
            "trafilatura, fast",
            few,
            lambda: each(warc, lambda page: trafilatura.extract(page.html, fast=True), few),
        )
        for name, milliseconds in stages(warc).items():
            keep(name, milliseconds)
        for name, milliseconds in plain_stages(warc).items():
            keep(f"{name}, plain Python", milliseconds)
        groups = int(least.pop("groups"))
    print(f"{count:,} pages, {groups} templates: {count / max(1, groups):.1f} pages for each\n")
    print("| | ms a page | pages a second | times trafilatura | times resiliparse |\n|---|---:|---:|---:|---:|")
    for name, milliseconds in least.items():
        if name.startswith("groups"):
            continue
        faster = least["trafilatura"] / milliseconds, least["resiliparse, main content"] / milliseconds
        print(f"| {name} | {milliseconds:.2f} | {1000 / milliseconds:,.0f} | {faster[0]:.1f} | {faster[1]:.2f} |")


def milliseconds_of(work: Callable[[], None]) -> float:
    """Return what something takes of a core's time."""
    start = process_time()
    work()
    return 1000 * (process_time() - start)


def stages(warc: Path) -> dict[str, float]:
    """Return what this program's stages take, in milliseconds for each page, and how many templates it learned."""
    count = sum(1 for _ in pages_of(warc))
    parsing = milliseconds_of(lambda: each(warc, parse_only)) / count
    own = own_seconds(warc)
    spilling, learning, applying, together = (
        1000 * seconds / count for seconds in (own.spilling, own.learning, own.applying, own.together)
    )
    taken = (parsing, spilling, learning, applying, together, spilling + applying, spilling + together)
    return {**dict(zip((*OWN, LEARNED, WITH_LEARNING), taken, strict=True)), "groups": own.groups}


def plain_stages(warc: Path) -> dict[str, float]:
    """Return the same for plain Python, which takes a process of its own."""
    command = [sys.executable, __file__, str(warc), "--stages"]
    run = subprocess.run(command, env={**os.environ, PLAIN: "1"}, check=True, capture_output=True, text=True)
    taken: dict[str, float] = json.loads(run.stdout)
    return taken


def each(warc: Path, work: Callable[[CrawlPage], object], most: int | None = None) -> None:
    """Do something with the pages of a WARC; a page that a program cannot do costs that page."""
    for number, page in enumerate(pages_of(warc)):
        if number == most:
            return
        try:
            work(page)
        except Exception:
            continue


def parse_only(page: CrawlPage) -> None:
    """Parse a page."""
    lexbor_root(page.html, scripting=False, charset=page.charset)


def resiliparse_main(page: CrawlPage) -> None:
    """Take a page's main content with resiliparse."""
    extract_plain_text(decode(page.html, page.charset), main_content=True)


class OwnSeconds:
    """What the stages took."""

    spilling = learning = applying = together = 0.0
    groups = 0


def own_seconds(warc: Path) -> OwnSeconds:
    """Do a whole job in this process, and time its stages."""
    seconds = OwnSeconds()
    with tempfile.TemporaryDirectory() as scratch:
        folder, units = Path(scratch), units_of([warc])
        start = process_time()
        for number, unit in enumerate(units):
            spill_unit(unit, 1, folder, number)
        seconds.spilling = process_time() - start
        spilled = SpilledFiles(folder, len(units), 1)
        for site, located in sites_of(Work(0), spilled):
            start = process_time()
            learned = learn_site(site, site_sample(located, spilled))
            learning_end = process_time()
            write(SiteExtractor(learned), located, spilled)
            applying_end = process_time()
            # As a job does it: no page that was learned from is parsed again.
            read: ReadPages = {}
            write(
                SiteExtractor(learn_site(site, site_sample(located, spilled), read=read), read=read),
                located,
                spilled,
            )
            seconds.learning += learning_end - start
            seconds.applying += applying_end - learning_end
            seconds.together += process_time() - applying_end
            seconds.groups += len(learned.groups)
        spilled.close()
    return seconds


def write(extractor: SiteExtractor, located: Sequence[tuple[int, Entry]], spilled: SpilledFiles) -> None:
    """Take the content of a site's pages, and make the columns of it that are written."""
    contents = [content_or_skipped(extractor, spilled.page(*one)) for one in located]
    page_batch([content for content in contents if not isinstance(content, Skipped)])


def corpus(folder: Path, sites: list[Path], pages: int, per_site: int) -> Path:
    """Return a corpus of so many pages; one that is there is not made again."""
    warc = folder / f"{pages}-{per_site}.warc.gz"
    if not warc.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / "unfinished.warc.gz"
        write_corpus(unfinished, sites, pages, base=SIZES[0], per_site=per_site)
        unfinished.rename(warc)
    return warc


def print_scaling(warcs: dict[int, Path], counts: Sequence[int]) -> None:
    """Print how time and memory grow with the corpus, and what more processes gain.

    Args:
        warcs: the corpora, by their pages.
        counts: of processes.
    """
    print(f"\n| {' | '.join(SCALING_COLUMNS)} |\n|{'---:|' * len(SCALING_COLUMNS)}", flush=True)
    met: dict[tuple[int, int], tuple[float, float]] = {}
    smaller: int | None = None
    for size, warc in sorted(warcs.items()):
        for processes in counts:
            with tempfile.TemporaryDirectory() as scratch:
                seconds, cores, memory = whole_job(warc, Path(scratch) / "out", processes)
            met[size, processes] = seconds, cores
            faster = met[size, counts[0]][0] / seconds
            further = ""
            if smaller is not None:
                further = f"{1000 * (cores - met[smaller, processes][1]) / (size - smaller):.2f}"
            print(
                f"| {size:,} | {processes} | {seconds:.1f} | {faster:.2f} | {1000 * cores / size:.2f} | {further} "
                f"| {size / seconds:,.0f} | {median(memory):.0f} | {max(memory):.0f} |",
                flush=True,
            )
        smaller = size


def whole_job(warc: Path, out: Path, processes: int) -> tuple[float, float, list[float]]:
    """Return the seconds, the seconds of all cores, and the memory in MB, now and then, of a job's processes."""
    command = [
        sys.executable,
        "-m",
        "sitestencil",
        "crawl",
        str(warc),
        "-o",
        str(out),
        "--jobs",
        str(processes),
        "-q",
    ]
    before, start = os.times(), time.monotonic()
    job = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    memory = [0.0]

    def watch() -> None:
        while job.poll() is None:
            memory.append(memory_of(job.pid))
            time.sleep(0.5)  # to ask more often takes some hundredths of a core

    watcher = threading.Thread(target=watch)
    watcher.start()
    if job.wait():
        raise RuntimeError(f"{command} failed")
    watcher.join()
    after = os.times()
    cores = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - start, cores, memory


def memory_of(process: int) -> float:
    """Return the memory of a process and its children in MB, what they share counted once (Linux)."""
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
