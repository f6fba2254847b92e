"""Resolve host names to allowed addresses: each name once, and never from the web into a private network."""

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from sitestencil.errors import InvalidAddress
from sitestencil.site.sources.network import is_nearby_name, is_public

RESOLVER_SECONDS = 5.0


class Server(NamedTuple):
    """The target of a connection: ``http`` or ``https``, the host's name, the port."""

    scheme: str
    name: str
    port: int


class Resolver:
    """Resolve each host once, so that its name cannot change its machine.

    A public key page may reach any host with only public addresses. Hosts with both public and private addresses
    are never reached. A key page on a private network may reach only its own server: not even another port. Its
    name must show that it is nearby (an address, ``localhost``, a single word, ``.local``, ...), or https must
    prove its identity. Otherwise DNS rebinding could make a public name stand for any machine, and the browser may
    have had another address.

    Args:
        key_server: the key page's server; by default the first that is requested.
    """

    def __init__(self, key_server: Server | None = None) -> None:
        self._key_server = key_server
        self._lookups: dict[str, asyncio.Task[Sequence[str]]] = {}

    async def addresses(self, server: Server) -> Sequence[str]:
        """Return the IP addresses to try for a server.

        Raises:
            InvalidAddress: the server must not be reached; the message tells why.
            OSError: the name cannot be resolved.
        """
        key_server = self._key_server = self._key_server or server
        addresses, public = await self._resolved(server.name)
        if server == key_server:
            if not public and server.scheme != "https" and not is_nearby_name(server.name):
                raise InvalidAddress(
                    f"{server.name} is a name for everyone, but its address {addresses[0]} is on a private "
                    "network. Open the page by https or by that address"
                )
            return addresses
        if not public:
            raise InvalidAddress(f"{server.name} is on a private network, and it is not the key page's server")
        if not await self.is_public(key_server):
            raise InvalidAddress(f"{server.name} is not on the private network that the key page is on")
        return addresses

    async def check_for_proxy(self, server: Server) -> None:
        """Refuse a forbidden server where a proxy requests pages by name.

        Names that this machine can resolve follow the rules of `addresses`. Behind many proxies it resolves
        nothing. Then only the proxy knows a name's machine, and only the key page's own site is allowed.

        Raises:
            InvalidAddress: the server must not be reached; the message tells why.
        """
        key_server = self._key_server = self._key_server or server
        try:
            await self.addresses(server)
        except OSError:
            if server != key_server and not _is_same_site(server, key_server):
                raise InvalidAddress(
                    f"{server.name} cannot be resolved here and may be on a private network, and it is not the key "
                    "page's site"
                ) from None

    async def addresses_of_proxy(self, proxy: Server) -> Sequence[str]:
        """Return the IP addresses of the person's proxy, wherever it is.

        Raises:
            OSError: its name cannot be resolved.
        """
        return await look_up(proxy.name)

    async def is_public(self, server: Server) -> bool:
        """Return whether a server is public; if its name cannot be resolved, the name decides."""
        try:
            return (await self._resolved(server.name))[1]
        except InvalidAddress:
            return False
        except OSError:
            return not is_nearby_name(server.name)

    async def _resolved(self, name: str) -> tuple[Sequence[str], bool]:
        """Return a name's addresses, and whether they are public."""
        if name not in self._lookups:
            self._lookups[name] = asyncio.ensure_future(look_up(name))
        addresses = await asyncio.shield(self._lookups[name])
        kinds = set(map(is_public, addresses))
        if len(kinds) != 1:
            raise InvalidAddress(f"{name} has public and private addresses")
        return addresses, kinds.pop()

    def close(self) -> None:
        """Cancel all lookups."""
        for lookup in self._lookups.values():
            lookup.cancel()


def _is_same_site(server: Server, key_server: Server) -> bool:
    """Return whether two servers are one public site by name, at the usual ports."""
    names = {each.name.lower().removeprefix("www.") for each in (server, key_server)}
    ports = {(each.scheme, each.port) for each in (server, key_server)}
    return len(names) == 1 and not is_nearby_name(server.name) and ports <= {("http", 80), ("https", 443)}


async def look_up(name: str) -> Sequence[str]:
    """Return the IP addresses of a host, in the order to try them.

    The system's resolver cannot be cancelled. It runs in a daemon thread, so nothing waits for it.

    Raises:
        OSError: the name is unknown, or there is no answer within `RESOLVER_SECONDS`.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def settle(addresses: Sequence[str] | None) -> None:
        if answer.done():
            return
        if addresses:
            answer.set_result(addresses)
        else:
            answer.set_exception(OSError(f"{name} is not known: check the spelling, and your network"))

    def ask() -> None:
        addresses = _system_addresses(name)
        with suppress(RuntimeError):  # the loop is closed, so nobody waits
            loop.call_soon_threadsafe(settle, addresses)

    threading.Thread(target=ask, name=f"resolve {name}", daemon=True).start()
    try:
        async with asyncio.timeout(RESOLVER_SECONDS):
            return await answer
    except TimeoutError:
        raise OSError(f"the name {name} was not resolved within {RESOLVER_SECONDS:.0f} seconds") from None


def _system_addresses(name: str) -> list[str] | None:
    try:
        entries = socket.getaddrinfo(name.strip("[]"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError):
        return None
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in entries))
