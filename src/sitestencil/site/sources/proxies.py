"""The proxy that the environment names, as curl and browsers on Linux take it: ``http_proxy``, ``no_proxy``, ..."""

import os
import sys

from sitestencil.errors import PageUnavailable
from sitestencil.site.sources.network import is_loopback_name
from sitestencil.site.sources.resolver import Server

_UNDERSTOOD = ("http://", "https://")


def proxy_for(server: Server) -> str | None:
    """Return the address of the proxy to ask for a server's pages; None to ask the server itself.

    macOS and Windows have a proxy in their settings, which is taken where the environment names none. This very
    machine is never asked for through a proxy.

    Raises:
        PageUnavailable: the proxy is of a kind that is not understood.
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
    if "://" not in address:
        address = f"http://{address}"
    if not address.lower().startswith(_UNDERSTOOD):
        kind = address.partition("://")[0]
        raise PageUnavailable(
            f"The environment names a {kind} proxy, and only http and https proxies are understood. "
            "Unset the variable, or name the host in no_proxy."
        )
    return address
