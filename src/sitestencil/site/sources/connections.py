"""Keep HTTP/1.1 connections to allowed servers, or to the proxy that the environment names.

asyncio makes them, and h11 speaks on them. Larger libraries take longer to import than all of Sitestencil, while a
person waits for a click. A proxy receives whole addresses for http, and opens a tunnel for https.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic

import h11

from sitestencil.errors import BrokenAnswer, InvalidAddress, PageUnavailable
from sitestencil.site.sources import network
from sitestencil.site.sources.messages import Response, headers_by_name
from sitestencil.site.sources.network import Proxy, Resolver, Server, proxy_for, server_of, tls_context
from sitestencil.urls import host

MOST_IDLE = 20
IDLE_SECONDS = 5.0
# Try the server's next address after this time.
SECONDS_BEFORE_NEXT_ADDRESS = 3.0
_LONGEST_HEAD = 100 * 1024
_PIECE = 64 * 1024
# In one turn the loop sees incoming bytes, in the next it reads them.
_TURNS_TO_SEE_WHAT_CAME = 2


class Connections:
    """The connections to a server, or to a proxy for it; the context is None if neither speaks TLS."""

    def __init__(self, server: Server, context: ssl.SSLContext | None, proxy: Proxy | None = None) -> None:
        self._server = server
        self._context = context
        self._proxy = proxy
        self._opening: list[asyncio.Task[_Connection]] = []
        self._idle: list[_Connection] = []
        self._busy: set[_Connection] = set()
        self._is_closed = False

    def open(self, addresses: Sequence[str], count: int) -> None:
        """Start to open connections for later requests, until there are so many; ignore failures."""
        for _ in range(count - len(self._idle) - len(self._opening)):
            opening = asyncio.ensure_future(self._connect(addresses))
            opening.add_done_callback(lambda task: task.cancelled() or task.exception())  # mark a failure as seen
            self._opening.append(opening)

    @asynccontextmanager
    async def ask(self, url: str, headers: Mapping[str, str], addresses: Sequence[str]) -> AsyncIterator[Response]:
        """Send a request, and give the response, once its head has arrived, until the block ends.

        A server may close an idle connection just at a request: then retry on a new one. Errors are those of
        `Transport.ask`.
        """
        if self._proxy is not None and self._server.scheme == "http":
            headers, target = {**headers, **dict(self._proxy.headers)}, url
        else:
            target = "/" + url.partition("://")[2].partition("/")[2]
        connection, head = await self._answered(target, headers, addresses)
        try:
            named = headers_by_name(head.headers.raw_items())
            yield Response(head.status_code, head.reason.decode("latin-1"), named, connection.body())
        finally:  # keep the connection if its response has been read to the end
            self._busy.discard(connection)
            if not self._is_closed and len(self._idle) < MOST_IDLE and connection.is_ready_again():
                self._idle.append(connection)
            else:
                connection.close()

    async def close(self) -> None:
        """Close all connections at once."""
        self._is_closed = True
        for opening in self._opening:
            opening.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        opened = [each.result() for each in self._opening if not each.cancelled() and each.exception() is None]
        for connection in (*opened, *self._idle, *self._busy):
            connection.close()
        self._opening, self._idle, self._busy = [], [], set()
        # The loop releases a connection in its next turn.
        await asyncio.sleep(0)

    async def _ready(self) -> "_Connection | None":
        """Return an open connection, or one about to open."""
        while self._idle:
            connection = self._idle.pop()
            if await self._is_fit(connection):
                return connection
        while self._opening:
            opening = self._opening.pop(0)
            try:
                await asyncio.wait([opening])
            except asyncio.CancelledError:
                self._opening.append(opening)
                raise
            if not opening.cancelled() and opening.exception() is None and await self._is_fit(opening.result()):
                return opening.result()
        return None

    async def _is_fit(self, connection: "_Connection") -> bool:
        """Return whether an idle connection is usable, after reading all that came; else close it."""
        self._busy.add(connection)
        for _ in range(_TURNS_TO_SEE_WHAT_CAME):
            await asyncio.sleep(0)
        self._busy.discard(connection)
        if not connection.is_fit:
            connection.close()
        return connection.is_fit

    async def _answered(
        self, path: str, headers: Mapping[str, str], addresses: Sequence[str]
    ) -> tuple["_Connection", h11.Response]:
        while True:
            ready = await self._ready()
            connection = ready or await self._connect(addresses)
            self._busy.add(connection)
            try:
                return connection, await connection.ask(path, headers)
            except BaseException as error:
                self._busy.discard(connection)
                connection.close()
                if not isinstance(error, EOFError):
                    raise
                if ready is None:
                    raise BrokenAnswer("the server hung up without an answer") from None

    async def _connect(self, addresses: Sequence[str]) -> "_Connection":
        for address in addresses[:-1]:
            with suppress(OSError):
                async with asyncio.timeout(SECONDS_BEFORE_NEXT_ADDRESS):
                    return await self._connect_to(address)
        return await self._connect_to(addresses[-1])

    async def _connect_to(self, address: str) -> "_Connection":
        near = self._proxy.server if self._proxy is not None else self._server
        context, name = (self._context, near.name.strip("[]")) if near.scheme == "https" else (None, None)
        reader, writer = await asyncio.open_connection(address, near.port, ssl=context, server_hostname=name)
        if self._proxy is not None and self._server.scheme == "https":
            try:
                await self._tunnel(_Connection(reader, writer), self._proxy)
                assert self._context is not None, "there is one wherever TLS is spoken"
                await writer.start_tls(self._context, server_hostname=self._server.name.strip("[]"))
            except BaseException:
                writer.transport.abort()
                raise
        return _Connection(reader, writer)

    async def _tunnel(self, connection: "_Connection", proxy: Proxy) -> None:
        target = f"{self._server.name}:{self._server.port}"
        head = await connection.ask(target, {"Host": target, **dict(proxy.headers)}, method="CONNECT")
        if not 200 <= head.status_code < 300:
            raise BrokenAnswer(f"the proxy answered {head.status_code} {head.reason.decode('latin-1')}")
        if connection.has_unread_bytes:
            raise BrokenAnswer("the proxy sent something of its own into the tunnel")


class _Connection:
    """One connection, which answers one request after another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LONGEST_HEAD)
        self._idle_since = monotonic()

    @property
    def is_fit(self) -> bool:
        """Whether the connection seems usable."""
        is_open = not (self._writer.is_closing() or self._reader.at_eof() or self.has_unread_bytes)
        return is_open and monotonic() - self._idle_since < IDLE_SECONDS

    @property
    def has_unread_bytes(self) -> bool:
        """Whether bytes came that belong to no response: they would seem to answer the next request.

        asyncio's reader has no public way to look at its buffer, and reading would wait.
        """
        return bool(self._http.trailing_data[0] or self._reader._buffer)  # type: ignore[attr-defined]

    def is_ready_again(self) -> bool:
        """Return whether another request may be sent: the last response is complete, and nothing follows it."""
        is_done = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        if not is_done or self.has_unread_bytes:
            return False
        self._http.start_next_cycle()
        self._idle_since = monotonic()
        return self.is_fit

    async def ask(self, target: str, headers: Mapping[str, str], method: str = "GET") -> h11.Response:
        """Send a request, and return the head of its response.

        Raises:
            EOFError: the server hung up before the first byte of a response.
        """
        pairs = [(name.encode("latin-1"), value.encode(errors="replace")) for name, value in headers.items()]
        try:
            head = h11.Request(method=method, target=target, headers=pairs)
        except h11.LocalProtocolError as error:
            raise BrokenAnswer(str(error)) from None
        self._writer.write((self._http.send(head) or b"") + (self._http.send(h11.EndOfMessage()) or b""))
        while isinstance(event := await self._event(), h11.InformationalResponse):
            pass
        if not isinstance(event, h11.Response):
            raise BrokenAnswer("the server answered with no HTTP")
        return event

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the response's bytes as they arrive."""
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    def close(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()

    async def _event(self) -> object:
        """Return the next event of a response from h11."""
        while True:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError as error:
                raise BrokenAnswer(str(error)) from None
            if event is not h11.NEED_DATA:
                return event
            await self._read()

    async def _read(self) -> None:
        is_waiting = self._http.their_state is h11.SEND_RESPONSE and not self._http.trailing_data[0]
        try:
            piece = await self._reader.read(_PIECE)
        except ConnectionError:
            if is_waiting:
                raise EOFError from None
            raise
        if not piece and is_waiting:
            raise EOFError
        self._http.receive_data(piece)


class Transport:
    """Connect to the resolver's addresses, with the host's name in TLS and ``Host``, or to a proxy."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._is_closed = False
        self._by_way: dict[tuple[Server, Proxy | None], Connections] = {}

    @asynccontextmanager
    async def ask(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[Response]:
        """Request an address; its body can be read until the block ends.

        Raises:
            PageUnavailable: the server must not be reached.
            BrokenAnswer: the response is not HTTP.
            OSError: the connection failed or broke.
        """
        server = server_of(url)
        if server.port in network.BAD_PORTS:
            raise PageUnavailable(
                f"{url} could not be loaded: browsers and Sitestencil open no port {server.port}, for another kind "
                "of server uses it."
            )
        proxy = proxy_for(server)
        try:
            if proxy is None:
                addresses = await self._resolver.addresses(server)
            else:
                await self._resolver.check_for_proxy(server)
                addresses = await network.look_up(proxy.server.name)
        except InvalidAddress as error:
            raise PageUnavailable(f"{url}: {error}.") from None
        connections = await self._connections(server, proxy)
        async with connections.ask(url.partition("#")[0], {"Host": host(url), **headers}, addresses) as answer:
            yield answer

    async def prepare(self, server: Server, connections: int) -> None:
        """Resolve a server, and open connections for later requests."""
        if server.port in network.BAD_PORTS or proxy_for(server) is not None:
            return
        addresses, to_server = await asyncio.gather(self._resolver.addresses(server), self._connections(server))
        if not self._is_closed:
            to_server.open(addresses, connections)

    async def _connections(self, server: Server, proxy: Proxy | None = None) -> Connections:
        if (server, proxy) not in self._by_way:
            speaks_tls = "https" in {server.scheme, proxy and proxy.server.scheme}
            context = await asyncio.to_thread(tls_context) if speaks_tls else None
            self._by_way.setdefault((server, proxy), Connections(server, context, proxy))
        return self._by_way[server, proxy]

    async def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        for connections in self._by_way.values():
            await connections.close()
