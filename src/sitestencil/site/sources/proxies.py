"""Find the environment's proxy as curl and browsers do: ``http_proxy``, ``no_proxy``, ..."""

import os
import sys
from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from sitestencil.errors import PageUnavailable
from sitestencil.site.sources.network import is_loopback_name
from sitestencil.site.sources.resolver import Server

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy and the person's credentials for it.

    Attributes:
        server: its address, and whether it speaks TLS.
        headers: sent to it with each request.
    """

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
