"""A web server for tests."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Handler = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """A server whose pages are functions of the request."""

    def __init__(self) -> None:
        self.pages: dict[str, Handler] = {}
        self.headers: list[dict[str, str]] = []
        server = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.headers.append(dict(self.headers))
                server.pages.get(self.path, _not_found)(self)

            def log_message(self, *_: object) -> None:
                """Keep the test's output clean."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        self.port = self.http.server_address[1]
        self.root = f"http://127.0.0.1:{self.port}"

    def add(self, path: str, body: bytes, *, status: int = 200, **headers: str) -> str:
        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in {"content_type": "text/html", **headers}.items():
                request.send_header(name.replace("_", "-"), value)
            request.end_headers()
            request.wfile.write(body)

        self.pages[path] = answer
        return f"{self.root}{path}"


def _not_found(request: BaseHTTPRequestHandler) -> None:
    request.send_error(404)
