"""A small proxy on this machine, which says itself what the web would."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Proxy:
    """Answers requests for whole addresses, as a client sends them to a proxy, while it is entered.

    Attributes:
        requests: what it was asked for: the method and the address (for ``CONNECT`` host and port).
        headers: of each request.
    """

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self.pages = pages
        self.requests: list[tuple[str, str]] = []
        self.headers: list[Mapping[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def _remember(self) -> None:
                proxy.requests.append((self.command, self.path))
                proxy.headers.append(dict(self.headers.items()))

            def do_CONNECT(self) -> None:
                self._remember()
                self.send_error(403)

            def do_GET(self) -> None:
                self._remember()
                body = proxy.pages.get(self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
