"""A host in a process of its own, spoken to by frames, and a small website on localhost for it to load."""

import json
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.support.server import MISSING, Answer, Handler, Request, SiteServer
from tests.support.snapshots import example_snapshot, snapshot_of

Message = dict[str, Any]
HOST = Path(sys.executable).with_name("sitestencil-host")
SECONDS = 60.0
ENDINGS = frozenset({"result", "saved"})
PAGES = {"extract": "snapshot", "save": "capture", "apply": "change"}


HELLO = {"type": "hello", "id": 1, "protocol": 1, "client": "tests"}


def extract(request_id: int, snapshot: "Message", **more: object) -> "Message":
    return {"type": "extract", "id": request_id, "snapshot": snapshot, **more}


def with_text(message: Message) -> Message:
    field = PAGES.get(message.get("type", ""))
    if field is None or field not in message:
        return message
    rest = {name: value for name, value in message.items() if name != field}
    return {**rest, "text": json.dumps(message[field])}


def is_ending(answer: Message) -> bool:
    """Return whether nothing more comes to a request; early results and reasons come before."""
    is_last = answer.get("part") == answer.get("parts")
    return answer["type"] == "error" or (answer["type"] in ENDINGS and is_last)


class Host:
    """A running host and the browser's side of its pipes."""

    def __init__(self, folder: Path, arguments: list[str], environment: dict[str, str]) -> None:
        self.log = folder / "host.log"
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        assert self.process.stdin and self.process.stdout
        self._input = self.process.stdin
        self._output = self.process.stdout
        self._answers: queue.SimpleQueue[Message | Exception | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def send(self, message: Message | bytes) -> None:
        """Send a message; a page in it goes as text, as the extension sends it."""
        payload = message if isinstance(message, bytes) else json.dumps(with_text(message)).encode()
        self.send_raw(struct.pack("=I", len(payload)) + payload)

    def send_raw(self, data: bytes) -> None:
        self._input.write(data)
        self._input.flush()

    def receive(self, seconds: float = SECONDS) -> Message:
        """Return the next answer; everything on standard output has to be a frame of JSON under 1 MiB."""
        self._listen()
        answer = self._answers.get(timeout=seconds)
        if isinstance(answer, Exception):
            raise answer
        assert answer is not None, f"the host's output ended; its log:\n{self.log.read_text()}"
        return answer

    def ask(self, message: Message | bytes) -> Message:
        self.send(message)
        return self.receive()

    def end_of(self, request_id: int, seconds: float = SECONDS) -> list[Message]:
        """Return the answers up to the ending of an extraction, those of other requests left out."""
        answers = []
        while True:
            answer = self.receive(seconds)
            if answer["id"] != request_id:
                continue
            answers.append(answer)
            if is_ending(answer):
                return answers

    def rest(self) -> list[Message]:
        """Close the input and return what the host still says."""
        self.close_input()
        self._listen()
        answers = []
        while (answer := self._answers.get(timeout=SECONDS)) is not None:
            if isinstance(answer, Exception):
                raise answer
            answers.append(answer)
        return answers

    def close_input(self) -> None:
        with suppress(BrokenPipeError):
            self._input.close()

    def close_output(self) -> None:
        self._output.close()

    def stop(self) -> None:
        self.close_input()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            if self._reader.is_alive():
                self._reader.join(5)
            assert self.process.stderr
            self.process.stderr.close()
            self._output.close()

    def _listen(self) -> None:
        if self._reader.ident is None:
            self._reader.start()

    def _read(self) -> None:
        try:
            while header := self._output.read(4):
                (length,) = struct.unpack("=I", header)
                assert length <= 1024 * 1024, f"{header!r} on standard output"
                payload = self._output.read(length)
                assert len(payload) == length
                self._answers.put(json.loads(payload))
        except Exception as error:
            self._answers.put(error)
        self._answers.put(None)


@pytest.fixture
def start_host(tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Start hosts as a browser does, with a home and a log of their own."""
    hosts: list[Host] = []

    def start(*arguments: str, command: tuple[str, ...] = (str(HOST),)) -> Host:
        environment = {
            **os.environ,
            "HOME": str(tmp_path / "home"),
            "SITESTENCIL_LOG_DIR": str(tmp_path),
            "SITESTENCIL_DATA_DIR": str(tmp_path / "data"),
        }
        host = Host(tmp_path, [*command, *(arguments or ("chrome-extension://abc/",))], environment)
        hosts.append(host)
        return host

    yield start
    for host in hosts:
        host.stop()


@pytest.fixture
def host(start_host: Callable[..., Host]) -> Host:
    return start_host()


# On this machine, as on private networks, only links are followed whose addresses look like pages'.
HOME_PATH = "/index.html"
MENU = ("/news/news.html", "/news/events.html", "/news/contact.html", "/news/team.html", "/news/history.html")


ARTICLES = (
    "<p>Nothing yet.</p>",
    "<p>A sentence.</p><p>Another.</p>",
    '<table class="figures"><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '<blockquote class="quote"><em>Said</em><cite>somebody</cite></blockquote>',
    "<pre><code>print(1)</code></pre>",
    '<dl class="terms"><dt>Term</dt><dd>Meaning</dd></dl>',
)


def page(path: str) -> str:
    """Return a page of the small site: header, menu and footer are the same on each, the article is not."""
    links = "".join(f'<li class="entry"><a href="{link}">{link[6:-5]}</a></li>' for link in MENU)
    article = ARTICLES[MENU.index(path) + 1 if path in MENU else 0]
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{path}</title></head><body>"
        f'<header id="top"><h1>The small site</h1></header><nav id="menu"><ul>{links}</ul></nav>'
        f'<main id="main">{article}</main><footer id="bottom"><small>Written by hand</small></footer></body></html>'
    )


class Website(SiteServer):
    """A website on localhost: pages of `page`; ``/slow/...`` never answers, ``/gone/...`` is not there.

    Attributes:
        pages: what stands at single addresses instead.
    """

    def __init__(self) -> None:
        super().__init__({})
        self.pages: dict[str, str] = {}
        self.release = threading.Event()
        self.waiting = threading.Event()
        self.hung_up = threading.Event()

    @property
    def url(self) -> str:
        """The address of the site, without a slash at its end."""
        return self.base

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for so far."""
        return [request.path for request in self.requests]

    def answer(self, request: Request) -> Answer | Handler:
        """Return the page of a path, or what waits in its place."""
        self.requests.append(request)
        if request.path.startswith("/slow/"):
            return self.wait
        return (
            MISSING
            if request.path.startswith("/gone/")
            else Answer((self.pages.get(request.path) or page(request.path)).encode())
        )

    def wait(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer nothing until the test is over or the other side hangs up."""
        self.waiting.set()
        handler.connection.settimeout(0.02)
        while not self.release.is_set():
            try:
                if not handler.connection.recv(1):
                    self.hung_up.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                self.hung_up.set()
                return

    def snapshot(self, path: str, html: str | None = None) -> Message:
        """Return the snapshot that the extension would send of a page of this site."""
        return snapshot_of(page(path) if html is None else html, self.url + path)

    def menu_of(self, *links: str) -> Message:
        """Return the snapshot of the home page with these links."""
        items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        return self.snapshot(HOME_PATH, f"<!doctype html><html><head></head><body><ul>{items}</ul></body></html>")


@pytest.fixture
def website() -> Iterator[Website]:
    with Website() as site:
        yield site
        site.release.set()


@pytest.fixture
def tiny() -> Message:
    return example_snapshot()
