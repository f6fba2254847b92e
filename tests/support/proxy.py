"""A small proxy on this machine, which says itself what the web would."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from tests.support.counting_server import CERTIFICATE


class Proxy:
    """Answers requests for whole addresses, as a client sends them to a proxy, while it is entered.

    Attributes:
        requests: what it was asked for: the method and the address (for ``CONNECT`` host and port).
        headers: of each request.
    """

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self.pages = dict(pages)
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


@dataclass(slots=True)
class Tunnel:
    """A proxy that leads every tunnel to one port of this machine.

    Attributes:
        address: where it listens.
        heads: of the requests for tunnels.
    """

    address: str = ""
    heads: list[str] = field(default_factory=list)


@asynccontextmanager
async def tunnel_to(port: int, *, tls: bool = False, says: bytes = b"") -> AsyncIterator[Tunnel]:
    """Serve tunnels in the running loop.

    Args:
        port: where each of them ends.
        tls: the proxy itself speaks TLS.
        says: what the proxy says itself at the tunnel's beginning.
    """
    tunnel, tasks = Tunnel(), set[asyncio.Task[None]]()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(65536):
                writer.write(piece)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tunnel.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n" + says)
        tasks.update(map(asyncio.ensure_future, (copy(reader, other_writer), copy(other_reader, writer))))

    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    tunnel.address = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield tunnel
    await asyncio.gather(*tasks, return_exceptions=True)
