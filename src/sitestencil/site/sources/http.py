"""Pages over HTTP: one host, within limits, under an honest name."""

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import httpx2

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.urls import host, resolve
from sitestencil.version import VERSION

USER_AGENT = f"Sitestencil/{VERSION} (web template extraction)"
PAGE_SECONDS = 10.0
PAGE_BYTES = 5_000_000
MOST_REDIRECTS = 10
_HTML = frozenset({"text/html", "application/xhtml+xml"})


class HttpSource:
    """Loads pages of one host.

    A candidate that redirects to another host, is not HTML, is larger than 5 MB, or takes longer than 10
    seconds is unavailable. Private addresses are reached only if the key page is on one. A host's name is
    resolved once, so that it cannot come to mean another machine in between.

    Args:
        key_url: the key page's address. Without it the first page that is loaded is the key page, wherever it
            redirects to: the source then stays on that host.
    """

    def __init__(self, key_url: str | None = None) -> None:
        self._host = host(key_url) if key_url else None
        self._resolver = _Resolver()
        self._client = httpx2.AsyncClient(
            transport=_PinnedTransport(self._resolver),
            headers={"User-Agent": USER_AGENT, "Accept": "text/html,application/xhtml+xml;q=0.9"},
            timeout=PAGE_SECONDS,
        )

    async def load(self, link: Link) -> LoadedPage:
        """Load the page that a link leads to, if it is of the key page's host.

        Raises:
            PageUnavailable: it could not be had, or leads to another host; the text says why.
        """
        page = await self._load(link.url)
        self._host = self._host or host(page.url)
        return page

    async def _load(self, url: str) -> LoadedPage:
        try:
            async with asyncio.timeout(PAGE_SECONDS):
                return await self._follow(url)
        except TimeoutError:
            raise PageUnavailable(f"{url}: no answer within {PAGE_SECONDS:.0f} seconds.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise PageUnavailable(f"{url} could not be loaded: {reason}.") from error

    async def _follow(self, requested: str) -> LoadedPage:
        url = requested
        for _ in range(MOST_REDIRECTS):
            if self._host is not None and host(url) != self._host:
                raise PageUnavailable(f"{url}: leads away from {self._host}.")
            async with self._client.stream("GET", url) as answer:
                if not answer.is_redirect:
                    return await _read(answer, url, requested)
                target = resolve(answer.headers.get("location", ""), url)
            if target is None:
                raise PageUnavailable(f"{url}: redirects to no web page.")
            url = target
        raise PageUnavailable(f"{url}: redirects more than {MOST_REDIRECTS} times.")

    async def __aenter__(self) -> Self:
        """Open the connection pool."""
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._client.__aexit__(kind, error, trace)


async def _read(answer: httpx2.Response, url: str, requested: str) -> LoadedPage:
    if not answer.is_success:
        raise PageUnavailable(f"{url}: the server answered {answer.status_code} {answer.reason_phrase}.")
    media_type, _, parameters = answer.headers.get("content-type", "").partition(";")
    if media_type.strip().lower() not in _HTML:
        raise PageUnavailable(f"{url}: is {media_type or 'of no stated type'}, not HTML.")
    body = bytearray()
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > PAGE_BYTES:
            raise PageUnavailable(f"{url}: is larger than {PAGE_BYTES // 1_000_000} MB.")
    return LoadedPage(url, bytes(body), "http", requested, answer.status_code, _charset(parameters))


def _charset(parameters: str) -> str | None:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'") or None
    return None


class _Resolver:
    """Resolves each host once and refuses private addresses unless the first host, the key page's, is on one."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Sequence[str]] = {}
        self._private: bool | None = None

    async def addresses(self, name: str, port: int) -> Sequence[str]:
        """Return the addresses to try for a host.

        Raises:
            InvalidAddress: it is on a private network and the key page is not.
            OSError: the name cannot be resolved.
        """
        if (name, port) not in self._known:
            self._known[name, port] = await _look_up(name, port)
        addresses = self._known[name, port]
        private = any(not ipaddress.ip_address(address).is_global for address in addresses)
        if self._private is None:
            self._private = private
        if private and not self._private:
            raise InvalidAddress(f"{name} is on a private network, and the key page is not")
        return addresses


async def _look_up(name: str, port: int) -> Sequence[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(name.strip("[]"), port, type=socket.SOCK_STREAM)
    except socket.gaierror:
        raise OSError(f"the host {name} is not known") from None
    return list(dict.fromkeys(str(address[4][0]).partition("%")[0] for address in found))


class _PinnedTransport(httpx2.AsyncHTTPTransport):
    """Connects to the addresses that the resolver gives, with the host's own name in TLS and ``Host``."""

    def __init__(self, resolver: _Resolver) -> None:
        super().__init__(retries=0)
        self._resolver = resolver

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url, name = request.url, request.url.host
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            addresses = await self._resolver.addresses(name, port)
        except InvalidAddress as error:
            raise PageUnavailable(f"{url}: {error}.") from None
        request.extensions = {**request.extensions, "sni_hostname": name}
        for address in addresses[:-1]:
            request.url = url.copy_with(host=address)
            try:
                return await super().handle_async_request(request)
            except httpx2.ConnectError:
                continue
        request.url = url.copy_with(host=addresses[-1])
        return await super().handle_async_request(request)
