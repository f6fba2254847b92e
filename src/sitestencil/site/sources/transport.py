"""The way of a request: to addresses that may be reached, or to the proxy that the environment names."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.site.sources.answer import Answer
from sitestencil.site.sources.connections import Connections
from sitestencil.site.sources.ports import BAD_PORTS
from sitestencil.site.sources.proxies import Proxy, proxy_for
from sitestencil.site.sources.resolver import Resolver, Server
from sitestencil.site.sources.tls import tls_context
from sitestencil.urls import host


def server_of(url: str) -> Server:
    """Return what is connected to for an address.

    Raises:
        ValueError: its port is no number.
    """
    scheme = url.partition("://")[0]
    name, colon, port = host(url).rpartition(":")
    if colon and not port.endswith("]"):
        return Server(scheme, name, int(port))
    return Server(scheme, host(url), 443 if scheme == "https" else 80)


class Transport:
    """Connects to the addresses that the resolver gives, with the host's name in TLS and ``Host``, or to a proxy.

    Args:
        resolver: says where a server is, and what must not be reached.
    """

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._is_closed = False
        self._by_way: dict[tuple[Server, Proxy | None], Connections] = {}

    @asynccontextmanager
    async def ask(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[Answer]:
        """Ask for what is at an address; its body can be read until the block ends.

        Raises:
            PageUnavailable: it must not be reached.
            BrokenAnswer: what came is no answer.
            OSError: there is no connection, or it broke.
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
        """Do what comes before a request, and open so many connections for requests to come."""
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
