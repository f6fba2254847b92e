"""Measure how long a browser waits for the host: for ``hello``, the first template, and the next one.

Run as ``python -m sitestencil_research.measurements.cold_start [RUNS]`` in the repository. It
prints medians in milliseconds. The aim is 150 ms each:

* to the answer to ``hello``;
* to a worker that is ready to extract;
* to a template from memory;
* later, to the templates of two tabs that ask at once.

The templates are those of a small website that this program serves, so their time is the host's own. Missing
bytecode is written first, as by ``sitestencil install``.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import msgspec
from tests.support.server import Answer, SiteServer
from tests.support.snapshots import snapshot_of

from sitestencil.memory.store import FOLDER_VARIABLE
from sitestencil_host.errors import NOT_A_TREE
from sitestencil_host.messaging.frames import FrameReader, FrameWriter
from sitestencil_host.setup.handshake import shake_hands
from sitestencil_host.setup.install import compile_missing

AIM_MS = 150.0
# After a first click the host prepares for clicks in other tabs.
SECONDS_TO_REST = 2.5
# Links on private networks are followed only if they look like pages.
MENU = tuple(f"/news/{name}.html" for name in ("news", "events", "contact", "team", "history", "about"))


def main() -> int:
    """Measure, print, and return 1 if an aim is missed."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    compile_missing()
    pages = {path: Answer(_page(path).encode()) for path in MENU}
    with SiteServer(pages) as site, tempfile.TemporaryDirectory() as folder:
        os.environ["SITESTENCIL_LOG_DIR"] = folder
        host = Host(Path(folder) / "memory", site.base)
        host.remember()
        for _ in range(runs):
            host.measure()
    print(f"medians of {runs}, in milliseconds")
    held = True
    for row, milliseconds in host.milliseconds.items():
        aim = f"  (aim {AIM_MS:.0f})" if row in WITH_AIM else ""
        print(f"{row:<40}{median(milliseconds):12.1f}{aim}")
        held = held and not (aim and median(milliseconds) > AIM_MS)
    return 0 if held else 1


HELLO, READY, REMEMBERED = "start to hello", "start to ready to extract", "start to a remembered template"
TWO_TABS = "warm, two tabs at once"
WITH_AIM = (HELLO, READY, REMEMBERED, TWO_TABS)


class Host:
    """The host of this installation, with its times on a website; the folder is for its memory.

    Attributes:
        milliseconds: the times, by the rows of the table.
    """

    def __init__(self, folder: Path, site: str) -> None:
        self.milliseconds: dict[str, list[float]] = {}
        self._command = str(Path(sys.executable).absolute().with_name("sitestencil-host"))
        self._folder = folder
        self._site = site

    def measure(self) -> None:
        """Measure each row once."""
        handshake = shake_hands(self._command, "chromium")
        if handshake.fault:
            raise SystemExit(f"{self._command}: {handshake.fault}")
        self._add(HELLO, handshake.milliseconds)
        with self._start() as browser:
            # The host refuses a snapshot without a tree as soon as it has read it.
            snapshot = {**snapshot_of(_page(MENU[0]), "http://127.0.0.1:9/"), "tags": []}
            answer = browser.ask({"type": "extract", "id": 1, "text": msgspec.json.encode(snapshot).decode()})
            if answer.get("number") != NOT_A_TREE.number:
                raise SystemExit(f"the host answered {answer}")
            self._add(READY, browser.milliseconds())
        with self._start() as browser:
            if not browser.extract(1, memory="use")[0]["remembered"]:
                raise SystemExit("the host has forgotten the website")
            self._add(REMEMBERED, browser.milliseconds())
        self._measure_templates()

    def remember(self) -> None:
        """Let the host remember the website."""
        with self._start() as browser:
            browser.extract(1, memory="use")
            browser.extract(2)

    def _measure_templates(self) -> None:
        with self._start() as browser:
            browser.ask({"type": "hello", "id": 0, "protocol": 1})
            browser.extract(1)
            self._add("start to first template", browser.milliseconds())
            for number in range(2, 5):
                browser.extract(number)
            browser.started = perf_counter()
            browser.extract(5)
            self._add("warm, a template with reasons", browser.milliseconds())
            sleep(SECONDS_TO_REST)
            browser.started = perf_counter()
            browser.extract(6, 7)
            self._add(TWO_TABS, browser.milliseconds())

    @contextmanager
    def _start(self) -> "Iterator[_Browser]":
        started = perf_counter()
        environment = {**os.environ, FOLDER_VARIABLE: str(self._folder)}
        with subprocess.Popen(
            [self._command, "benchmark"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            assert process.stdin and process.stdout
            yield _Browser(FrameWriter(process.stdin), FrameReader(process.stdout), self._site, started)
            process.stdin.close()

    def _add(self, row: str, milliseconds: float) -> None:
        self.milliseconds.setdefault(row, []).append(milliseconds)


class _Browser:
    """The other side of a host's pipes.

    Attributes:
        started: the start of the measured time, by `perf_counter`.
    """

    def __init__(self, output: FrameWriter, frames: FrameReader, site: str, started: float) -> None:
        self.started = started
        self._output = output
        self._answers = iter(frames)
        self._snapshot = snapshot_of(_page(MENU[0]), f"{site}{MENU[0]}")

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and return the next answer."""
        self._output.write(msgspec.json.encode(message))
        return self._receive()

    def extract(self, *ids: int, **asked: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - the protocol's fields
        """Request a template under each of these ids, and return the answers' summaries once all have arrived."""
        for request_id in ids:
            text = msgspec.json.encode(self._snapshot).decode()
            self._output.write(msgspec.json.encode({"type": "extract", "id": request_id, "text": text, **asked}))
        summaries: list[dict[str, Any]] = []
        while len(summaries) < len(ids):
            answer = self._receive()
            if answer["type"] == "error":
                raise SystemExit(f"the host answered {answer}")
            if answer["type"] == "result":
                summaries.append(answer["summary"])
        return summaries

    def milliseconds(self) -> float:
        """Return the time since the start of the measured time."""
        return 1000 * (perf_counter() - self.started)

    def _receive(self) -> dict[str, Any]:
        frame = next(self._answers)
        if isinstance(frame, Exception):
            raise frame
        answer: dict[str, Any] = msgspec.json.decode(frame)
        return answer


def _page(path: str) -> str:
    links = "".join(f'<li class="entry"><a href="{link}">{link[6:-5]}</a></li>' for link in MENU)
    rows = "".join(f"<p class=line>Line {number} of {path}.</p>" for number in range(40 + len(path)))
    return (
        f"<!doctype html><html><head><title>{path}</title></head><body>"
        f'<header id="top"><h1>The small site</h1></header><nav id="menu"><ul>{links}</ul></nav>'
        f'<main id="main">{rows}</main><footer>By hand</footer></body></html>'
    )


if __name__ == "__main__":
    raise SystemExit(main())
