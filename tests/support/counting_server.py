"""A server that counts connections: when each was accepted, and when its TLS handshake was over."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

# Signed by itself, for this machine, and known to nobody else.
CERTIFICATE = Path(__file__).with_name("localhost.pem")
PAGE = b"<!doctype html><title>A page</title><p>Text"


@dataclass(slots=True)
class CountingServer:
    """Answers each request with a page that names its path.

    Attributes:
        port: its own.
        connections: how many were ready for requests, their handshakes over.
        requests: the paths asked for.
        paths_by_connection: the same, a list for each connection.
        after_answer: is sent straight after each answer.
        hang_up: tells by a connection's number, and how many requests it had, whether it is to be closed now.
    """

    port: int = 0
    connections: int = 0
    requests: list[str] = field(default_factory=list)
    paths_by_connection: list[list[str]] = field(default_factory=list)
    hang_up: Callable[[int, int], bool] = lambda connection, request: False
    after_answer: bytes = b""
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    serving: list["asyncio.Task[None]"] = field(default_factory=list)
    connected: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.serving.append(task)
        number, paths = self.connections, list[str]()
        self.connections += 1
        self.connected.set()
        self.writers.append(writer)
        self.paths_by_connection.append(paths)
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
                if self.hang_up(number, len(paths)):
                    break
                paths.append(path)
                self.requests.append(path)
                body = PAGE + path.encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
                writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) + self.after_answer)
                await writer.drain()
        writer.close()

    async def wait_for(self, connections: int) -> None:
        """Wait until so many connections have been made."""
        async with asyncio.timeout(10):
            while self.connections < connections:
                self.connected.clear()
                await self.connected.wait()


@asynccontextmanager
async def counting_server(*, tls: bool = False) -> AsyncIterator[CountingServer]:
    """Serve on a free port of 127.0.0.1 in the running loop."""
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
    counting = CountingServer()
    server = await asyncio.start_server(counting.serve, "127.0.0.1", 0, ssl=context)
    counting.port = server.sockets[0].getsockname()[1]
    try:
        yield counting
    finally:
        server.close()
        for writer in counting.writers:
            writer.transport.abort()
        await asyncio.gather(*counting.serving, return_exceptions=True)
