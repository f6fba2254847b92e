"""The way of a request: to addresses that may be reached, or to the proxy that the environment names."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sitestencil.errors import BrokenAnswer, InvalidAddress, PageUnavailable
from sitestencil.site.sources.answer import Answer, headers_by_name
from sitestencil.site.sources.connections import Connections
from sitestencil.site.sources.proxies import proxy_for
from sitestencil.site.sources.resolver import Resolver, Server
from sitestencil.site.sources.tls import tls_context
from sitestencil.urls import host

if TYPE_CHECKING:
    import httpx2


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
        self._direct: dict[Server, Connections] = {}
        self._proxies: dict[str, httpx2.AsyncHTTPTransport] = {}

    @asynccontextmanager
    async def ask(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[Answer]:
        """Ask for what is at an address; its body can be read until the block ends.

        Raises:
            PageUnavailable: it must not be reached.
            BrokenAnswer: what came is no answer.
            OSError: there is no connection, or it broke.
        """
        server = server_of(url)
        proxy = proxy_for(server)
        try:
            if proxy is not None:
                await self._resolver.check_for_proxy(server)
                answers = self._ask_proxy(proxy, url, headers)
            else:
                addresses = await self._resolver.addresses(server)
                path = "/" + url.partition("#")[0].partition("://")[2].partition("/")[2]
                answers = (await self._connections(server)).ask(path, {"Host": host(url), **headers}, addresses)
        except InvalidAddress as error:
            raise PageUnavailable(f"{url}: {error}.") from None
        async with answers as answer:
            yield answer

    async def prepare(self, server: Server, connections: int) -> None:
        """Do what comes before a request, and open so many connections for requests to come."""
        if proxy_for(server) is not None:
            return
        addresses, to_server = await asyncio.gather(self._resolver.addresses(server), self._connections(server))
        if not self._is_closed:
            to_server.open(addresses, connections)

    async def _connections(self, server: Server) -> Connections:
        if server not in self._direct:
            context = await asyncio.to_thread(tls_context) if server.scheme == "https" else None
            self._direct.setdefault(server, Connections(server, context))
        return self._direct[server]

    @asynccontextmanager
    async def _ask_proxy(self, proxy: str, url: str, headers: Mapping[str, str]) -> AsyncIterator[Answer]:
        import httpx2

        try:
            response = await (await self._through(proxy)).handle_async_request(
                httpx2.Request("GET", url, headers=dict(headers))
            )
            try:
                named = headers_by_name(response.headers.raw)
                yield Answer(response.status_code, response.reason_phrase, named, response.aiter_raw())
            finally:
                await response.aclose()
        except httpx2.HTTPError as error:
            raise BrokenAnswer(str(error)) from error

    async def _through(self, proxy: str) -> "httpx2.AsyncHTTPTransport":
        import httpx2

        if proxy not in self._proxies:
            context = await asyncio.to_thread(tls_context)
            transport = httpx2.AsyncHTTPTransport(verify=context, proxy=httpx2.Proxy(proxy))
            self._proxies.setdefault(proxy, transport)
        return self._proxies[proxy]

    async def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        for connections in self._direct.values():
            await connections.close()
        for transport in self._proxies.values():
            await transport.aclose()
