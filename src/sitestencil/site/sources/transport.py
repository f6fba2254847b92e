"""Send requests to allowed addresses, or to the proxy that the environment names."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.site.sources.connections import Connections
from sitestencil.site.sources.ports import BAD_PORTS
from sitestencil.site.sources.proxies import Proxy, proxy_for
from sitestencil.site.sources.resolver import Resolver, Server
from sitestencil.site.sources.response import Response
from sitestencil.site.sources.tls import tls_context
from sitestencil.urls import host


def server_of(url: str) -> Server:
    """Return the server of an address.

    Raises:
        ValueError: its port is not a number.
    """
    scheme = url.partition("://")[0]
    name, colon, port = host(url).rpartition(":")
    if colon and not port.endswith("]"):
        return Server(scheme, name, int(port))
    return Server(scheme, host(url), 443 if scheme == "https" else 80)


class Transport:
    """Connect to the resolver's addresses, with the host's name in TLS and ``Host``, or to a proxy.

    Args:
        resolver: resolves servers, and refuses forbidden ones.
    """

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
        if server.port in BAD_PORTS:
            raise PageUnavailable(f"{url} could not be loaded: port {server.port} is of no web server.")
        proxy = proxy_for(server)
        try:
            if proxy is None:
                addresses = await self._resolver.addresses(server)
            else:
                await self._resolver.check_for_proxy(server)
                addresses = await self._resolver.addresses_of_proxy(proxy.server)
        except InvalidAddress as error:
            raise PageUnavailable(f"{url}: {error}.") from None
        connections = await self._connections(server, proxy)
        async with connections.ask(url.partition("#")[0], {"Host": host(url), **headers}, addresses) as answer:
            yield answer

    async def prepare(self, server: Server, connections: int) -> None:
        """Resolve a server, and open connections for later requests."""
        if server.port in BAD_PORTS or proxy_for(server) is not None:
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
