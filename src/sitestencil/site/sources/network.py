"""Find the machine that a request goes to: names, addresses, proxies, and whom TLS trusts.

Each name is resolved once, and never leads from the web into a private network.
"""

import asyncio
import os
import socket
import ssl
import sys
import threading
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.page.lists import read_lists
from sitestencil.urls import host

RESOLVER_SECONDS = 5.0
_PORTS = {"http": 80, "https": 443}
# A translator from IPv6 to IPv4 reaches the IPv4 address in the last 32 bits (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_LISTS = read_lists(Path(__file__).with_name("network.txt"))
_NOT_PUBLIC = tuple(map(ip_network, _LISTS["not public"]))
_NEARBY = tuple(_LISTS["nearby"])
BAD_PORTS = frozenset(map(int, _LISTS["bad ports"]))


class Server(NamedTuple):
    """The target of a connection: ``http`` or ``https``, the host's name, the port."""

    scheme: str
    name: str
    port: int


def server_of(url: str) -> Server:
    """Return the server of an address.

    Raises:
        ValueError: its port is not a number.
    """
    scheme = url.partition("://")[0]
    name, colon, port = host(url).rpartition(":")
    if colon and not port.endswith("]"):
        return Server(scheme, name, int(port))
    return Server(scheme, host(url), _PORTS.get(scheme, 80))


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


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to a machine on the public internet.

    Only known public ranges count: global IPv4 and global unicast IPv6. All others are private: loopback,
    link-local, unique local, shared (CGNAT), multicast, reserved and cloud metadata addresses. So is IPv4 in IPv6
    by mapping, 6to4 or Teredo. Behind the translator of RFC 6052 the IPv4 address decides: networks without IPv4
    reach most of the web so.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if parsed in _TRANSLATED:
        parsed = IPv4Address(parsed.packed[-4:])
    if parsed.version == 6 and parsed not in _GLOBAL_UNICAST:
        return False
    return parsed.is_global and not parsed.is_multicast and not any(parsed in network for network in _NOT_PUBLIC)


def is_loopback_name(name: str) -> bool:
    """Return whether a host's name means this machine.

    >>> is_loopback_name("localhost"), is_loopback_name("[::1]"), is_loopback_name("example.org")
    (True, True, False)
    """
    name = name.strip("[]").rstrip(".").lower()
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_nearby_name(name: str) -> bool:
    """Return whether a host's name is an IP address, has no dot, or has no public ending."""
    name = name.strip("[]").rstrip(".").lower()
    try:
        ip_address(name)
    except ValueError:
        return "." not in name or name.endswith(_NEARBY)
    return True


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy, and the headers for each request to it: the person's credentials."""

    server: Server
    headers: tuple[tuple[str, str], ...] = ()


def proxy_for(server: Server) -> Proxy | None:
    """Return the proxy for a server's pages; None for a direct connection.

    Without a proxy in the environment, the settings of macOS and Windows count. This machine is never reached
    through a proxy.

    Raises:
        PageUnavailable: the proxy's kind is not supported.
    """
    if is_loopback_name(server.name):
        return None
    in_environment = any(name.lower().endswith("_proxy") for name in os.environ)
    if not in_environment and sys.platform not in {"darwin", "win32"}:
        return None
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    address = proxies.get(server.scheme) or proxies.get("all")
    if not address or proxy_bypass(f"{server.name}:{server.port}"):
        return None
    return _proxy_at(address if "://" in address else f"http://{address}")


def _proxy_at(address: str) -> Proxy:
    try:
        parts = urlsplit(address)
        scheme, name, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        name = None
    if not name:
        raise PageUnavailable("The environment names a proxy whose address cannot be read.")
    if scheme not in _PORTS:
        raise PageUnavailable(
            f"The environment names a {scheme} proxy, and only http and https proxies are understood. "
            "Unset the variable, or name the host in no_proxy."
        )
    server = Server(scheme, f"[{name}]" if ":" in name else name, port or _PORTS[scheme])
    if parts.username is None:
        return Proxy(server)
    person = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(server, (("Proxy-Authorization", f"Basic {b64encode(person.encode()).decode()}"),))


def tls_context() -> ssl.SSLContext:
    """Return a context that trusts this machine's certificates; the first call takes 50 ms, best in a thread."""
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(1)
def _context(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    if sys.platform == "linux" and _openssl_has_certificates():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_default_certs()
        return context
    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context(
            cafile=os.environ.get("SSL_CERT_FILE"), capath=os.environ.get("SSL_CERT_DIR")
        )
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _openssl_has_certificates() -> bool:
    """Return whether OpenSSL finds certificates; bundled interpreters often have none."""
    paths = ssl.get_default_verify_paths()
    return paths.cafile is not None or (
        paths.capath is not None and any(Path(paths.capath).glob("[0-9a-f]" * 8 + ".[0-9]"))
    )
