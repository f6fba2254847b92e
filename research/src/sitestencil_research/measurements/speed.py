"""Measure a detection by stencil against the floor.

``python -m sitestencil_research.measurements.speed ../shared/benchmark/sites``.

The floor is the least work of any method: parse each page once, and walk once over its elements and texts and their
parents (about 1.1 us per element). All work but the network is measured against it: parsing the key page and its
candidates, the choice, the comparison, the judgement. Both are processor times of the same run, in turns. Pages
come from memory. All caches but the model's are emptied before each detection, so each site is measured as if it
were the first. All detections share one event loop, as in a service.

It first prints the sites, slowest first. Then come generated pages of 1,000, 10,000 and 100,000 elements (deep; one
wide list; a table; class lists in all orders). Each is compared with all its five candidates, settled or not, and
judged once. The table shows the growth per factor ten and, for the largest, the peak memory of a separate process.
Last come pages half of whose elements are links, in whole detections: a wide list, and three pages like it; lists
that all differ, and five such pages. Each figure has its bound; the exit code is 0 if all hold.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from sitestencil.detectors.stencil.comparison import compare_pages
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.errors import PageUnavailable
from sitestencil.extraction import extract_async
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources import Source
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.measurements.harness import arguments, peak_megabytes, print_figure, sites_in

# A quarter above today's figures, to notice a slower version.
MEDIAN_RATIO, SLOWEST_RATIO, MEDIAN_MILLISECONDS = 12.5, 31.0, 60.0
GROWTH, SECONDS, MEGABYTES = 17.0, 8.0, 1500.0
LINKS_RATIO, CANDIDATES_OF_LINKS = 20.0, {"links": 3, "lists": 5}
SIZES = (1_000, 10_000, 100_000)
CANDIDATES = 5
RUNS = 5  # of which the best time counts
STENCIL = Stencil()
PAGE_SHAPES = ("deep", "list", "table", "classes")


def main() -> int:
    """Print the figures; return 0 if every bound holds."""
    parser = arguments(__doc__)
    parser.add_argument("--only", choices=("sites", "growth", "links"), help="print only one part of the figures")
    parser.add_argument(
        "--peak", metavar="SHAPE", choices=PAGE_SHAPES, help="print the peak MB of the largest page of this shape"
    )
    options = parser.parse_args()
    if options.peak:
        with asyncio.Runner() as runner:
            generated_site(options.peak, SIZES[-1]).compare_with_all(runner)
        print(peak_megabytes())
        return 0
    with asyncio.Runner() as runner:
        held = True
        if options.only in {None, "sites"}:
            sites = [RecordedSite.of(folder, runner) for folder in sites_in(options.folders)]
            held = print_sites(sites, runner)
        if options.only in {None, "growth"}:
            held = print_growth(runner) and held
        if options.only in {None, "links"}:
            held = print_links(runner) and held
    return 0 if held else 1


@dataclass(frozen=True)
class RecordedSite:
    """A site with all needed pages in memory, the key page first."""

    name: str
    url: str
    pages: dict[str, bytes]

    @classmethod
    def of(cls, folder: Path, runner: asyncio.Runner) -> "RecordedSite":
        """Read the pages that a detection loads."""
        site = StoredSite(folder)
        body = site.key_page_bytes()
        recorder = MemoryPages(site)
        detect(runner, site.key_url, body, recorder)
        return cls(folder.name, site.key_url, {site.key_url: body, **recorder.pages})

    def detect(self, runner: asyncio.Runner) -> None:
        """Parse the key page and find its template."""
        detect(runner, self.url, self.pages[self.url], MemoryPages(None, self.pages))

    def compare_with_all(self, runner: asyncio.Runner) -> None:
        """Parse the key page, compare it with all candidates, settled or not, and judge it once."""
        key_page = parse(self.pages[self.url], self.url)
        loader = PageLoader(key_page, MemoryPages(None, self.pages))
        prepared, compared, *_ = runner.run(compare_pages(key_page, loader, lambda *_: False))
        if len(compared.pages) != len(self.pages) - 1:
            raise RuntimeError(f"{self.name}: {len(compared.pages)} candidates were compared")
        STENCIL.decide(prepared, compared)

    def floor(self) -> int:
        """Parse each page and walk over it once; return the number of elements."""
        return sum(parse_and_walk(body) for body in self.pages.values())


class MemoryPages(Source):
    """Serves pages from memory; missing pages come from another source, if there is one."""

    def __init__(self, source: Source | None, pages: dict[str, bytes] | None = None) -> None:
        self.pages = dict(pages or {})
        self._other = source

    async def load(self, link: Link) -> LoadedPage:
        """Return a page."""
        url = link.url
        if url not in self.pages:
            if self._other is None:
                raise PageUnavailable(f"{url}: not in memory.")
            content = (await self._other.load(link)).content
            assert isinstance(content, bytes)
            self.pages[url] = content
        return LoadedPage(url, self.pages[url], "stored")


def detect(runner: asyncio.Runner, url: str, body: bytes, source: Source) -> None:
    """Parse a key page and find its template."""
    runner.run(extract_async(parse(body, url), source=source, detector=STENCIL))


def forget() -> None:
    """Empty the caches of the library's functions, except those of models, which are read once per process."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sitestencil."):
            for function in vars(module).values():
                if hasattr(function, "cache_clear") and not function.__module__.endswith(".model"):
                    function.cache_clear()


def parse_and_walk(body: bytes) -> int:
    """Do the least work that any method does on a page; return the number of elements."""
    parser = LexborHTMLParser(body, encoding=True, scripting=False)
    numbers: dict[int, int] = {}
    parents: list[int] = []
    root = parser.root
    for node in root.traverse(include_text=True) if root is not None else ():
        above = node.parent
        parent = numbers.get(above.mem_id, -1) if above is not None else -1
        if node.tag != "-text":
            numbers[node.mem_id] = len(parents)
            parents.append(parent)
    return len(parents)


def print_sites(sites: Sequence[RecordedSite], runner: asyncio.Runner) -> bool:
    """Print time and ratio of each site, and the medians with their bounds."""
    rows = []
    for site in sites:
        floor, whole, elements = float("inf"), float("inf"), 0
        for _ in range(RUNS):
            start = process_time()
            elements = site.floor()
            floor = min(floor, process_time() - start)
            whole = min(whole, timed(partial(site.detect, runner)))
        rows.append((whole / floor, 1000 * whole, 1e6 * floor / elements, len(site.pages), elements, site.name))
    rows.sort(reverse=True)
    print_markdown(
        ["site", "pages", "elements", "floor, us/element", "ms", "times the floor"],
        (
            [name, f"{pages}", f"{elements}", f"{floor:.2f}", f"{milliseconds:.1f}", f"{ratio:.2f}"]
            for ratio, milliseconds, floor, pages, elements, name in rows
        ),
    )
    ratios, times = [row[0] for row in rows], [row[1] for row in rows]
    held = [
        print_figure("times the floor, median", median(ratios), ".2f", most=MEDIAN_RATIO),
        print_figure("times the floor, slowest site", max(ratios), ".2f", most=SLOWEST_RATIO),
        print_figure("milliseconds, median", median(times), ".1f", most=MEDIAN_MILLISECONDS),
    ]
    return all(held)


def print_growth(runner: asyncio.Runner) -> bool:
    """Print how the time grows with the pages' size, per shape."""
    held = []
    for shape in PAGE_SHAPES:
        times, _, grows = growth(shape, CANDIDATES, lambda site: site.compare_with_all(runner))
        command = [sys.executable, __file__, ".", "--peak", shape]
        peak = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        held += [
            grows,
            print_figure(f"{shape}: seconds at {SIZES[-1]:,} elements", times[-1], ".2f", most=SECONDS),
            print_figure(f"{shape}: peak MB of the process", peak, ".0f", most=MEGABYTES),
        ]
    return all(held)


def print_links(runner: asyncio.Runner) -> bool:
    """Print the time of a detection on pages whose links are half of their elements."""
    held = []
    for shape, candidates in CANDIDATES_OF_LINKS.items():
        _, ratio, grows = growth(shape, candidates, lambda site: site.detect(runner))
        what = f"{shape}: times the floor at {SIZES[-1]:,} elements"
        held += [grows, print_figure(what, ratio, ".1f", most=LINKS_RATIO)]
    return all(held)


def growth(
    shape: str, candidates: int, work: Callable[["RecordedSite"], object]
) -> tuple[list[float], float, bool]:
    """Print the times of some work on pages of each size; return them, the last in floors, whether growth holds."""
    times: list[float] = []
    ratio = 0.0
    for size in SIZES:
        site = generated_site(shape, size, candidates)
        runs = max(3, 20_000 // size)
        times.append(min(timed(partial(work, site)) for _ in range(runs)))
        ratio = times[-1] / min(timed(site.floor) for _ in range(3))
        what = f"{shape}, {size:,} elements, {candidates} candidates"
        print(f"{what:<48} {times[-1]:8.3f} s, {ratio:5.2f} times the floor")
    worse = max(later / before for before, later in pairwise(times))
    return times, ratio, print_figure(f"{shape}: growth per factor 10, the worse", worse, ".1f", most=GROWTH)


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of some work on a site not seen before."""
    forget()
    start = process_time()
    work()
    return process_time() - start


def generated_site(shape: str, elements: int, candidates: int = CANDIDATES) -> RecordedSite:
    """Return a key page and candidates with one template and different contents."""
    url = "http://example.org/a/page0.html"
    names = [f"page{number}.html" for number in range(candidates + 1)]
    menu = "".join(f'<li class="entry"><a href="{name}">Page {name}</a></li>' for name in names)
    pages = {}
    for number, name in enumerate(names):
        random = Random(number)
        content = "".join(BODIES[shape](random, elements - 30))
        pages[f"http://example.org/a/{name}"] = (
            f"<!doctype html><html><head><title>{name}</title></head><body><header><h1>Site</h1>"
            f"<ul id=menu>{menu}</ul></header><main>{content}</main>"
            "<footer><p>All rights reserved</p></footer></body></html>"
        ).encode()
    return RecordedSite(f"{shape} {elements}", url, pages)


def deep(random: Random, elements: int) -> Iterable[str]:
    """Yield towers of up to 200 nested elements; half of the towers are on all pages."""
    for tower, first in enumerate(range(0, elements, 200)):
        height = min(200, elements - first)
        word = f"shared {tower}" if tower % 2 else f"own {random.random()}"
        yield '<div class="d">' * height + word + "</div>" * height


def lists(random: Random, elements: int) -> Iterable[str]:
    """Yield lists of ten links to as many pages, none of which exists; half of each list is on all pages."""
    for first in range(0, elements // 2, 10):
        yield from entries(random, 20, "items/{}.html", first)


def entries(random: Random, elements: int, address: str, first: int = 0) -> Iterable[str]:
    """Yield one list whose entries lead to these addresses."""
    yield "<ul>"
    for entry in range(first, first + elements // 2):
        word = f"shared {entry}" if entry % 2 else f"own {random.random()}"
        yield f'<li class="item"><a href="{address.format(entry)}">{word}</a></li>'
    yield "</ul>"


def table(random: Random, elements: int) -> Iterable[str]:
    """Yield one table with 50 columns; its first column is on all pages."""
    yield "<table><tbody>"
    for row in range(elements // 51):
        yield (
            "<tr>" + f"<td>shared {row}</td>" + "".join(f"<td>{random.random()}</td>" for _ in range(49)) + "</tr>"
        )
    yield "</tbody></table>"


def classes(random: Random, elements: int) -> Iterable[str]:
    """Yield elements with twenty classes each, in different orders."""
    names = [f"name-{number}-active" if number % 7 == 0 else f"name-{number}" for number in range(20)]
    for element in range(elements):
        random.shuffle(names)
        yield f'<p class="{" ".join(names)}">{"shared" if element % 2 else random.random()}</p>'


BODIES: dict[str, Callable[[Random, int], Iterable[str]]] = {
    "deep": deep,
    "list": lambda random, elements: entries(random, elements, "#p{}"),
    "table": table,
    "classes": classes,
    "links": lambda random, elements: entries(random, elements, "items/{}.html"),
    "lists": lists,
}


if __name__ == "__main__":
    sys.exit(main())
