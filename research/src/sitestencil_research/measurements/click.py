"""Measure a click to its template in real browsers.

``python -m sitestencil_research.measurements.click ../shared/benchmark/sites``, in the repository.

Each stored site is served on localhost; a delay slows the pages that the host loads. The button is clicked on fresh
pages, in three states:

* asleep: on the key page, while neither the extension's background nor the host runs;
* warm: a moment after another click, on the site's key page at an address without a remembered template;
* remembered: asleep again, on another page like the key page, with the template that the first click taught.

The table shows medians over the sites, in milliseconds since the click:

* first, last: the page has painted a template, or the last answer;
* captured: the background has the snapshot (page: the part that the page's scripts took);
* greeted: the host has answered ``hello``;
* answered: the host's answer has arrived;
* host: the host's own part of it, with loading;
* start, ready, fetch: within that, until a worker began the request, until it had imported the comparison, and the
  wait for pages;
* rounds: the number of waits for pages, where parallel loads count once; pages: the number of loads;
* toggle: the longest time for which the next click, back to the page, blocks the page.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

from tests.support.browsers import BROWSERS, Browser, BrowserError, wait_until
from tests.support.browsers.processes import host_processes
from tests.support.browsers.programs import ensure_browser
from tests.support.server import MISSING, Answer, Handler, Request, SiteServer

from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.training.label_transfer import sibling_pages

ROOT = Path(__file__).resolve().parents[4]
STATES = ("asleep", "warm", "remembered")
PARTS = tuple("first last captured page greeted answered host start ready fetch rounds pages toggle".split())
FINAL = ("template", "doubtful", "error", "impossible")
SECONDS = 60.0
# Pages may load nothing from outside, so the machine needs no network.
POLICY = {"Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:"}
SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")


class StoredServer(SiteServer):
    """Serves a stored site at the server's own address; the host's requests are delayed."""

    def __init__(self, folder: Path, delay: float) -> None:
        super().__init__({})
        self._site = StoredSite(folder)
        self._delay = delay
        self._loads: list[tuple[float, float]] = []
        address = urlsplit(self._site.base_url)
        self._origin = f"{address.scheme}://{address.netloc}"

    @property
    def key_url(self) -> str:
        """The key page's address on this server."""
        return self.address(self._site.key_url)

    def address(self, url: str) -> str:
        """Return a page's address on this server."""
        return url.replace(self._origin, self.base, 1)

    def answer(self, request: Request) -> Answer | Handler:
        """Return the file of a path; its links to the site lead to this server."""
        if request.agent.startswith("Mozilla"):
            return self._file(request.path)
        start = time.monotonic()
        time.sleep(self._delay)
        answer = self._file(request.path)

        def write(handler: BaseHTTPRequestHandler) -> None:
            head = f"HTTP/1.1 {answer.status} -\r\nContent-Type: {answer.kind}\r\nConnection: close\r\n\r\n"
            with suppress(OSError):
                handler.wfile.write(head.encode() + answer.body)
            self._loads.append((start, time.monotonic()))

        return write

    def take_rounds(self) -> tuple[int, int]:
        """Return how many times loads were waited for, and the number of loads, since the last call."""
        loads, self._loads = sorted(self._loads), []
        rounds, end = 0, float("-inf")
        for start, ended in loads:
            rounds += start >= end
            end = max(end, ended)
        return rounds, len(loads)

    def _file(self, path: str) -> Answer:
        file = self._site.file(self._origin + path)
        if file is None:
            return MISSING
        body, host = file.read_bytes(), urlsplit(self._origin).netloc.encode()
        for scheme in (b"https:", b"http:", b""):
            body = body.replace(scheme + b"//" + host, self.base.encode() if scheme else self.base[5:].encode())
        return Answer(body, "text/html", POLICY)


@dataclass
class Measurements:
    """The clicks in one state: a list per part."""

    parts: dict[str, list[float]] = field(default_factory=lambda: {part: [] for part in PARTS})
    failures: list[str] = field(default_factory=list)


def main() -> int:
    """Print the figures; return 0 if every click led to an answer."""
    parser = arguments(__doc__)
    parser.add_argument("--browser", action="append", choices=tuple(BROWSERS), help="the browser (default: both)")
    parser.add_argument(
        "--delay", action="append", type=int, metavar="MS", help="delay of each load (default: 0, 200 and 800)"
    )
    parser.add_argument(
        "--sites", type=int, metavar="N", help="measure N of the sites, evenly spread (default: all)"
    )
    options = parser.parse_args()
    folders = sites_in(options.folders)
    folders = folders[:: max(1, len(folders) // options.sites)][: options.sites] if options.sites else folders
    failed = 0
    for kind in options.browser or BROWSERS:
        with started(kind) as browser:
            for delay in options.delay or (0, 200, 800):
                failed += measure(kind, browser, folders, delay)
    return 1 if failed else 0


@contextmanager
def started(kind: str) -> Iterator[Browser]:
    """Yield a browser with the extension and the host."""
    with tempfile.TemporaryDirectory() as built:
        command = [sys.executable, str(ROOT / "manifest/build.py"), "--output", built]
        subprocess.run(command, check=True, capture_output=True)
        with BROWSERS[kind](Path(built) / kind, ensure_browser(kind)) as browser:
            browser.register_host()
            yield browser


def measure(kind: str, browser: Browser, folders: Sequence[Path], delay: int) -> int:
    """Print a table for one browser and delay; return the number of clicks without an answer."""
    measured = {state: Measurements() for state in STATES}
    for folder in folders:
        further = sibling_pages(read_labelled_key_page(folder), 1)
        with StoredServer(folder, delay / 1000) as known, StoredServer(folder, delay / 1000) as strange:
            click(browser, known, known.key_url, measured["asleep"], asleep=True)
            click(browser, strange, strange.key_url, measured["warm"], asleep=False)
            if further:
                click(browser, known, known.address(further[0].document.url), measured["remembered"], asleep=True)
    print(f"\n{kind}, {len(folders)} sites, {delay} ms a load")
    rows = []
    for state, figures in measured.items():
        columns = [f"{median(values):.0f}" if values else "-" for values in figures.parts.values()]
        firsts = figures.parts["first"]
        most = quantiles(firsts, n=10)[-1] if len(firsts) > 1 else 0
        rows.append([state, *columns, f"{most:.0f}"])
    print_markdown(["state", *PARTS, "first, 9 of 10"], rows)
    failures = [failure for figures in measured.values() for failure in figures.failures]
    print("\n".join(failures))
    return len(failures)


def click(browser: Browser, server: StoredServer, url: str, figures: Measurements, *, asleep: bool) -> None:
    """Click the button on a fresh page, and record the times."""
    browser.open(url)
    if asleep:
        browser.sleep_background()
        wait_until(lambda: not host_processes(browser, with_workers=True), "the host goes on without the extension")
    browser.run(SCRIPT)
    server.take_rounds()
    clicked = 1000 * browser.click_button()
    try:
        browser.run("seconds => window.measured.firstShown(seconds)", 15)
        shown = browser.wait_for_state(*FINAL, seconds=SECONDS)
    except BrowserError as error:
        figures.failures.append(f"{url}: {error}")
        return
    if shown.state not in ("template", "doubtful"):
        figures.failures.append(f"{url}: {shown}")
        return
    seen = browser.run("() => window.measured.shown")
    rounds, pages = server.take_rounds()
    timings, summary = browser.kept("timings") or {}, browser.kept("summary") or {}
    late = timings["clicked"] - clicked if timings else 0
    of_host = summary.get("timings_ms", {})
    found = {
        **{part: seen[part] - clicked for part in ("first", "last") if seen[part]},
        **{part: timings[part] + late for part in ("captured", "greeted", "answered") if part in timings},
        "page": timings.get("snapshot"),
        "host": of_host.get("total"),
        "rounds": rounds,
        "pages": pages,
        **{part: of_host.get(part) for part in ("start", "ready", "fetch")},
        "toggle": toggled(browser),
    }
    for part, value in found.items():
        if value is not None:
            figures.parts[part].append(value)


def toggled(browser: Browser) -> float | None:
    """Click back to the page, and return how long this blocked it; None if the page does not come back."""
    browser.run("() => window.measured.watchTurns()")
    browser.click_button()
    with suppress(BrowserError):
        browser.wait_for_state("original", seconds=5)
        longest: float = browser.run("() => window.measured.longestTurn()")
        return longest
    return None


if __name__ == "__main__":
    sys.exit(main())
