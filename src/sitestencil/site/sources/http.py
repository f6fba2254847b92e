"""Pages over HTTP: one site, within limits, under an honest name, without cookies or credentials unless given."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self

import httpx2
from protego import Protego

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.connections import Connections
from sitestencil.site.sources.courtesy import Courtesy
from sitestencil.site.sources.personal_headers import PersonalHeaders
from sitestencil.site.sources.proxies import proxy_for
from sitestencil.site.sources.resolver import Resolver, Server
from sitestencil.site.sources.robots import ROBOT, robots_address, robots_rules
from sitestencil.site.sources.tls import tls_context
from sitestencil.urls import resolve, site_host, without_user
from sitestencil.version import VERSION

USER_AGENT = f"Sitestencil/{VERSION} (web template extraction)"
PAGE_SECONDS = 10.0
PAGE_BYTES = 5_000_000
MOST_REDIRECTS = 10
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_PACKINGS = frozenset({"gzip", "deflate", "br"})


Read = Callable[[httpx2.Response, str, str], Awaitable[LoadedPage]]


class HttpSource:
    """Loads pages of one site: a host with and without ``www.``.

    A candidate that redirects to another site or from https to http, is not HTML, is larger than 5 MB, is packed
    more than once or takes longer than 10 seconds is unavailable. What is packed is unpacked piece by piece, so
    that no more than those 5 MB are ever held. No cookie is kept, no user or password sent, but for the headers and
    cookies that the caller gives, which go to the origin of the first address and to no other. Which machines are
    reached: see `sitestencil.site.sources.resolver.Resolver`. A server that says when to come again is waited for
    once, for a few seconds, and not asked any further if that is not enough. A proxy that the environment names is
    asked instead of the server.

    Args:
        key_url: the key page's address. Without it the first page that is loaded is the key page, wherever it
            redirects to: the source then stays on that host.
        headers: are sent with each request to the key page's origin: scheme, host and port.
        cookies: likewise, each as far as its own domain and path allow.
        page_seconds: the time that a page may take; 10 by default.

    Raises:
        WrongArgument: a header is none, or says how pages travel, which is not the caller's to set.

    Example:
        >>> source = HttpSource(headers={"Accept-Language": "es"})
        >>> template = extract("https://example.org/", source=source)  # doctest: +SKIP
    """

    def __init__(
        self,
        key_url: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        cookies: CookieJar | None = None,
        page_seconds: float | None = None,
    ) -> None:
        self._page_seconds = page_seconds
        self._personal = PersonalHeaders(headers, cookies)
        if key_url is not None:
            self._personal.are_for(key_url)
        self._key_url = without_user(key_url) if key_url else None
        self._resolver = Resolver(_server(httpx2.URL(self._key_url)) if self._key_url else None)
        self._courtesy = Courtesy()
        self._rules: asyncio.Task[Protego] | None = None
        self._transport = _PinnedTransport(self._resolver)
        self._client = httpx2.AsyncClient(
            transport=self._transport,
            headers={
                "User-Agent": USER_AGENT,
                "Accept": "text/html,application/xhtml+xml;q=0.9",
                "Accept-Encoding": ", ".join(sorted(_PACKINGS)),
            },
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=page_seconds or PAGE_SECONDS,
            trust_env=False,
        )

    async def load(self, link: Link) -> LoadedPage:
        """Load the page that a link leads to, if it is of the key page's site.

        Raises:
            PageUnavailable: it could not be had, or leads to another site; the text says why.
        """
        url = without_user(link.url)
        self._personal.are_for(url)
        page = await self._load(url)
        self._key_url = self._key_url or page.url
        return page

    async def prepare(self, connections: int = 0) -> None:
        """Look the key page's server up, and read whom TLS trusts where it speaks that, before a page is asked for.

        Nothing is asked of the server. What goes wrong here does so again, and is told, when a page is loaded.

        Args:
            connections: how many to open, too, under the rules by which pages are loaded.
        """
        if self._key_url is not None:
            with suppress(InvalidAddress, PageUnavailable, OSError):
                await self._transport.prepare(_server(httpx2.URL(self._key_url)), connections)

    async def may_crawl(self, link: Link) -> bool:
        """Return whether the site's robots.txt, which is asked for once, lets a crawl load a page."""
        if self._rules is None:
            self._rules = asyncio.ensure_future(self._load_rules(robots_address(link.url)))
        rules = await asyncio.shield(self._rules)
        return rules.can_fetch(link.url, ROBOT)

    async def _load_rules(self, url: str) -> Protego:
        try:
            return robots_rules(await self._load(url, _read_robots))
        except PageUnavailable:
            return robots_rules(None)

    async def _load(self, url: str, read: Read | None = None) -> LoadedPage:
        seconds = self._page_seconds or PAGE_SECONDS
        try:
            async with asyncio.timeout(seconds):
                return await self._follow(url, read or _read_page)
        except TimeoutError:
            raise PageUnavailable(f"{url}: no answer within {seconds:g} seconds.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise PageUnavailable(f"{url} could not be loaded: {reason}.") from error

    async def _follow(self, requested: str, read: Read) -> LoadedPage:
        url = requested
        asked: set[str] = set()
        for _ in range(MOST_REDIRECTS + 1):
            self._check_site(url)
            if url in asked:
                raise PageUnavailable(f"{requested}: redirects in a circle.")
            asked.add(url)
            answer = await self._ask(url, requested, read)
            if isinstance(answer, LoadedPage):
                return answer
            if self._key_url is not None and address_acts(answer):
                raise PageUnavailable(f"{url}: redirects to {answer}, which may do something.")
            if url.startswith("https://") and not answer.startswith("https://"):
                raise PageUnavailable(f"{url}: redirects from https to {answer}, which anyone could read.")
            url = answer
        raise PageUnavailable(f"{requested}: redirects more than {MOST_REDIRECTS} times.")

    def _check_site(self, url: str) -> None:
        own = self._key_url
        if own is None:
            return
        if site_host(url) != site_host(own):
            raise PageUnavailable(f"{url}: leads away from {site_host(own)}.")
        if own.startswith("https://") and not url.startswith("https://"):
            raise PageUnavailable(f"{url}: is not asked for in clear, since the key page came by https.")

    async def _ask(self, url: str, requested: str, read: Read) -> LoadedPage | str:
        """Return the page at an address, or the address it redirects to."""
        while True:
            await self._courtesy.before_asking(url)
            async with self._client.stream("GET", url, headers=self._personal.for_request(url)) as answer:
                if not self._courtesy.is_asked_to_wait(url, answer.status_code, answer.headers.get("retry-after")):
                    return _redirect(answer, url) if answer.is_redirect else await read(answer, url, requested)

    async def __aenter__(self) -> Self:
        """Open the connection pool."""
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        if self._rules is not None:
            self._rules.cancel()
        self._resolver.close()
        await self._client.__aexit__(kind, error, trace)


def _redirect(answer: httpx2.Response, url: str) -> str:
    location = answer.headers.get("location", "").strip()
    target = resolve(location, url) if location else None
    if target is None:
        raise PageUnavailable(f"{url}: redirects to no web page.")
    return target.partition("#")[0]


async def _read_page(answer: httpx2.Response, url: str, requested: str) -> LoadedPage:
    if not answer.is_success:
        raise PageUnavailable(f"{url}: the server answered {answer.status_code} {answer.reason_phrase}.")
    media_type, _, parameters = answer.headers.get("content-type", "").partition(";")
    if media_type.strip().lower() not in _HTML:
        raise PageUnavailable(f"{url}: is {media_type or 'of no stated type'}, not HTML.")
    body = await _body(answer, url)
    return LoadedPage(url, body, "http", requested, answer.status_code, _charset(parameters))


async def _read_robots(answer: httpx2.Response, url: str, requested: str) -> LoadedPage:
    body = await _body(answer, url) if answer.is_success else b""
    return LoadedPage(url, body, "http", requested, answer.status_code)


async def read_body(answer: httpx2.Response, url: str) -> tuple[bytes, str | None]:
    """Return an answer's bytes, unpacked, and the encoding that its type names.

    Raises:
        PageUnavailable: there are more than `PAGE_BYTES`, or they are packed in a way that was not asked for.
    """
    parameters = answer.headers.get("content-type", "").partition(";")[2]
    return await _body(answer, url), _charset(parameters)


async def _body(answer: httpx2.Response, url: str) -> bytes:
    _check_packing(answer, url)
    body = bytearray()
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > PAGE_BYTES:
            raise PageUnavailable(f"{url}: is larger than {PAGE_BYTES // 1_000_000} MB.")
    return bytes(body)


def _check_packing(answer: httpx2.Response, url: str) -> None:
    """Refuse what is packed more than once, or in a way that was not asked for."""
    packings = [packing.strip().lower() for packing in answer.headers.get("content-encoding", "").split(",")]
    packings = [packing for packing in packings if packing not in {"", "identity"}]
    if len(packings) > 1:
        raise PageUnavailable(f"{url}: is packed {len(packings)} times.")
    if not _PACKINGS.issuperset(packings):
        raise PageUnavailable(f"{url}: is packed as {packings[0]}, which is not understood.")


def _charset(parameters: str) -> str | None:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'") or None
    return None


def _server(url: httpx2.URL) -> Server:
    return Server(url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80))


class _PinnedTransport(httpx2.AsyncBaseTransport):
    """Connects to the addresses that the resolver gives, with the host's name in TLS and ``Host``, or a proxy."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._is_closed = False
        self._direct: dict[Server, Connections] = {}
        self._proxies: dict[str, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        server = _server(url)
        proxy = proxy_for(server)
        try:
            if proxy is not None:
                await self._resolver.check_for_proxy(server)
                return await (await self._through(proxy)).handle_async_request(request)
            addresses = await self._resolver.addresses(server)
        except InvalidAddress as error:
            raise PageUnavailable(f"{url}: {error}.") from None
        return await (await self._connections(server)).ask(request, addresses)

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

    async def _through(self, proxy: str) -> httpx2.AsyncHTTPTransport:
        if proxy not in self._proxies:
            context = await asyncio.to_thread(tls_context)
            transport = httpx2.AsyncHTTPTransport(verify=context, proxy=httpx2.Proxy(proxy))
            self._proxies.setdefault(proxy, transport)
        return self._proxies[proxy]

    async def aclose(self) -> None:
        """Close all connections."""
        self._is_closed = True
        for connections in self._direct.values():
            await connections.close()
        for transport in self._proxies.values():
            await transport.aclose()
