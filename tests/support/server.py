"""A small web server on localhost that remembers what it was asked for, and can be slow on purpose.

It serves the sites of all tests, and the demo's.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self, TypeAlias
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """The server's response at one path."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


# Says itself what the server is to say, byte by byte; the connection ends with it.
Handler: TypeAlias = Callable[[BaseHTTPRequestHandler], None]


def by_program(to_browsers: Answer, to_others: Answer) -> Handler:
    """Give one answer to browsers, and another to all other programs."""

    def handle(request: BaseHTTPRequestHandler) -> None:
        given = to_browsers if "Mozilla" in request.headers["User-Agent"] else to_others
        request.send_response(200)
        request.send_header("Content-Type", given.kind)
        request.send_header("Content-Length", str(len(given.body)))
        request.end_headers()
        request.wfile.write(given.body)

    return handle


MISSING = Answer(b"<!doctype html><title>Not found</title><h1>Not found</h1>", status=404)


@dataclass(frozen=True, slots=True)
class Request:
    """A client's request: the path with its query, and the headers."""

    path: str
    headers: Mapping[str, str]

    @property
    def agent(self) -> str:
        """The program that asks, by its own account."""
        return self.headers.get("User-Agent", "")


class SiteServer:
    """Serves `answers` (path to answer) on a free port of an address of this machine while it is entered.

    Attributes:
        answers: may be changed while the server runs.
        requests: all requests so far, in the order they came.
    """

    def __init__(self, answers: Mapping[str, Answer | Handler], address: str = "127.0.0.1") -> None:
        self.answers = dict(answers)
        self.requests: list[Request] = []
        self._gates: dict[str, threading.Event] = {}
        self._server = _Threaded((address, 0), _Handler)
        self._server.site = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def port(self) -> int:
        """The port that the system gave the server."""
        return self._server.server_port

    @property
    def base(self) -> str:
        """The address of the server, without a slash at its end."""
        return f"http://{self._server.server_address[0]!s}:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        for gate in self._gates.values():
            gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @contextmanager
    def holding(self, *paths: str) -> Iterator[None]:
        """Leave requests for these paths waiting until the block ends."""
        gates = {path: threading.Event() for path in paths}
        self._gates |= gates
        try:
            yield
        finally:
            for path, gate in gates.items():
                gate.set()
                self._gates.pop(path, None)

    def answer(self, request: Request) -> Answer | Handler:
        self.requests.append(request)
        path = urlsplit(request.path).path
        if (gate := self._gates.get(path)) is not None:
            gate.wait(60)
        return self.answers.get(path, MISSING)


class Server(SiteServer):
    """A server that has no pages at first."""

    def __init__(self) -> None:
        super().__init__({})

    def add(self, path: str, body: bytes, *, status: int = 200, kind: str = "text/html", **headers: str) -> str:
        """Serve a body at a path, with headers by their names in small letters; return the address."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = Answer(body, kind, named, status)
        return f"{self.base}{path}"


class _Threaded(ThreadingHTTPServer):
    # Of more connections at once than wait here, some come a second later.
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False
    site: SiteServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: a client that hangs up is what a cancelled extraction does."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Threaded

    def do_GET(self) -> None:
        answer = self.server.site.answer(Request(self.path, dict(self.headers)))
        if not isinstance(answer, Answer):
            self.close_connection = True
            answer(self)
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {"Cache-Control": "no-store", **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *message: object) -> None:
        """Stay quiet; `SiteServer.requests` is the log."""
