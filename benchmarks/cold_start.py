"""How long a browser waits for the host: for its answer to ``hello``, for the first template, for the next one.

Run as ``python benchmarks/cold_start.py [RUNS]`` with the interpreter of the installation. Prints medians in
milliseconds beside those of a bare interpreter; the aim is 150 ms to the answer to ``hello``, and as much to a
worker that is ready to extract. The templates are those of a small website that this program serves: their time
is the host's own.
"""

import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import msgspec

from sitestencil.page.parsing import parse
from sitestencil_host.errors import NOT_A_TREE
from sitestencil_host.frames import FrameReader, FrameWriter
from sitestencil_host.handshake import shake_hands

AIM_MS = 150.0
# After a first click the host gets ready for clicks in other tabs.
SECONDS_TO_REST = 2.5
HOST = str(Path(sys.executable).with_name("sitestencil-host"))
MENU = tuple(f"/news/{name}.html" for name in ("one", "two", "three", "four", "five", "six"))


def main() -> int:
    """Measure, print, and return 1 where the aim is missed."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as logs:
        os.environ["SITESTENCIL_LOG_DIR"] = logs
        starts = [_cold_start() for _ in range(runs)]
        ready = [_ready() for _ in range(runs)]
        site = _serve()
        first, warm, two = zip(*(_templates(site) for _ in range(runs)), strict=True)
    bare = [_bare_start() for _ in range(runs)]
    sys.stdout.write(
        f"host, start to hello answered   {median(starts):6.1f} ms  (median of {runs}; aim {AIM_MS:.0f})\n"
        f"host, start to ready to extract {median(ready):6.1f} ms  (aim {AIM_MS:.0f})\n"
        f"host, start to first template   {median(first):6.1f} ms\n"
        f"warm host, a template           {median(warm):6.1f} ms\n"
        f"warm host, two tabs at once     {median(two):6.1f} ms\n"
        f"bare `python -c pass`           {median(bare):6.1f} ms\n"
        f"ratio                           {median(starts) / median(bare):6.1f}\n"
    )
    return 1 if max(median(starts), median(ready)) > AIM_MS else 0


def _cold_start() -> float:
    handshake = shake_hands(HOST, "chromium")
    if handshake.fault:
        raise SystemExit(f"{HOST}: {handshake.fault}")
    return handshake.milliseconds


def _ready() -> float:
    """Return the time from a host's start until a worker of it has read a request for a template."""
    start = perf_counter()
    with subprocess.Popen([HOST, "benchmark"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        browser = _Browser(FrameWriter(process.stdin), FrameReader(process.stdout), "http://127.0.0.1:9")
        # A snapshot that is no tree is refused as soon as it has been read.
        answer = browser.ask(
            {"type": "extract", "id": 1, "snapshot": {**_snapshot("http://127.0.0.1:9/"), "tags": []}}
        )
        if answer.get("number") != NOT_A_TREE.number:
            raise SystemExit(f"the host answered {answer}")
        milliseconds = 1000 * (perf_counter() - start)
        process.stdin.close()
    return milliseconds


def _templates(site: str) -> tuple[float, float, float]:
    """Return the times from a host's start to the first template, of the next, and of two asked for at once."""
    start = perf_counter()
    with subprocess.Popen([HOST, "benchmark"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        browser = _Browser(FrameWriter(process.stdin), FrameReader(process.stdout), site)
        browser.ask({"type": "hello", "id": 0, "protocol": 1})
        browser.extract(1)
        first = 1000 * (perf_counter() - start)
        for number in range(2, 5):
            browser.extract(number)
        start = perf_counter()
        browser.extract(5)
        warm = 1000 * (perf_counter() - start)
        sleep(SECONDS_TO_REST)
        start = perf_counter()
        browser.extract(6, 7)
        two = 1000 * (perf_counter() - start)
        process.stdin.close()
    return first, warm, two


class _Browser:
    """The other side of a host's pipes."""

    def __init__(self, output: FrameWriter, frames: FrameReader, site: str) -> None:
        self._output = output
        self._answers = iter(frames)
        self._snapshot = _snapshot(f"{site}{MENU[0]}")

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and return the next answer."""
        self._output.write(msgspec.json.encode(message))
        return self._receive()

    def extract(self, *ids: int) -> None:
        """Ask for a template under each of these ids, and wait for all."""
        for request_id in ids:
            message = {"type": "extract", "id": request_id, "snapshot": self._snapshot}
            self._output.write(msgspec.json.encode(message))
        waiting = set(ids)
        while waiting:
            answer = self._receive()
            if answer["type"] == "error":
                raise SystemExit(f"the host answered {answer}")
            if answer["type"] == "result":
                waiting.discard(answer["id"])

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


def _snapshot(url: str) -> dict[str, Any]:
    document = parse(_page(MENU[0]).encode(), url, scripting=True, charset="utf-8")
    names = list(dict.fromkeys(document.tags))
    return {
        "url": document.url,
        "base": document.base,
        "names": names,
        "tags": [names.index(tag) for tag in document.tags],
        "parents": document.parents,
        "attributes": [[word for pair in each.items() for word in pair] for each in document.attributes],
        "texts": [list(text) for text in document.texts if text.text.strip()],
    }


def _serve() -> str:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = _page(self.path).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def _bare_start() -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1000 * (perf_counter() - start)


if __name__ == "__main__":
    raise SystemExit(main())
