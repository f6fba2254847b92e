"""Load pages and files over HTTP, within limits, with an honest name, and without cookies unless given."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Coroutine, Mapping
from contextlib import suppress
from errno import EHOSTUNREACH, ENETDOWN, ENETUNREACH
from functools import partial
from ssl import SSLCertVerificationError
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from sitestencil.errors import BrokenAnswer, InvalidAddress, PageUnavailable
from sitestencil.site.followable import address_acts
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.other_links import linked_by_headers
from sitestencil.site.sources import Source
from sitestencil.site.sources.connections import Transport
from sitestencil.site.sources.messages import (
    NOT_MODIFIED,
    PACKINGS,
    Courtesy,
    PersonalHeaders,
    Response,
    charset_of,
)
from sitestencil.site.sources.network import Resolver, server_of
from sitestencil.urls import origin, resolve, site_host, without_user
from sitestencil.version import VERSION

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    from sitestencil.site.sources.robots import RobotRules

USER_AGENT = f"Sitestencil/{VERSION} (web template extraction)"
PAGE_SECONDS = 10.0
FILE_SECONDS = 60.0  # of a large one
PAGE_BYTES = 5_000_000
MOST_REDIRECTS = 10
_NO_WAY = frozenset({ENETUNREACH, EHOSTUNREACH, ENETDOWN})
_ROBOTS_BYTES = 512_000  # the standard's minimum

_T = TypeVar("_T")
Read = Callable[[Response, str, str], Awaitable[LoadedPage]]


class HttpSource(Source):
    """Load pages of one site: a host with and without ``www.``.

    A candidate is unavailable if it redirects to another site or from https to http, or is not HTML. So is one
    larger than 5 MB, packed more than once, or slower than 10 seconds. The source keeps no cookies and sends no
    password. `sitestencil.site.sources.network.Resolver` decides which machines may be reached. After
    ``Retry-After`` the source waits once for a few seconds, and then stops. It uses the environment's proxy.

    Args:
        key_url: the key page's address. Without it the first loaded page is the key page, after all redirects; the
            source then stays on that host.
        headers: sent with each request to the key page's origin: scheme, host and port.
        cookies: sent likewise, each within its own domain and path.
        page_seconds: the timeout for a page; 10 by default.

    Attributes:
        without_rules: why robots.txt cannot be read, and so forbids all; empty if it can.

    Raises:
        WrongArgument: a header is invalid, or controls the transport.

    Example:
        >>> source = HttpSource(headers={"Accept-Language": "es"})
        >>> template = extract("https://example.org/", source=source)  # doctest: +SKIP
    """

    _accept = "text/html,application/xhtml+xml;q=0.9"

    def __init__(
        self,
        key_url: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        cookies: "CookieJar | None" = None,
        page_seconds: float | None = None,
    ) -> None:
        self.without_rules = ""
        self._page_seconds = page_seconds
        self._personal = PersonalHeaders(headers, cookies)
        if key_url is not None:
            self._personal.are_for(key_url)
        self._key_url = without_user(key_url) if key_url else None
        self._resolver = Resolver(server_of(self._key_url) if self._key_url else None)
        self._courtesy = Courtesy()
        self._conditions: dict[str, str] = {}
        self._rules: asyncio.Task[RobotRules] | None = None
        self._transport = Transport(self._resolver)
        self._headers = {
            "User-Agent": USER_AGENT,
            "Accept": self._accept,
            "Accept-Encoding": ", ".join(sorted(PACKINGS)),
        }

    async def load(self, link: Link) -> LoadedPage:
        """Load the page of a link, if it is of the key page's site.

        Raises:
            PageUnavailable: the page is unavailable, or leads to another site; the message tells why.
        """
        url = without_user(link.url)
        self._personal.are_for(url)
        page = await self._load(url)
        self._key_url = self._key_url or page.url
        return page

    async def may_act(self, key_url: str) -> bool:
        """Return whether a request may act: it carries the caller's rights, or stays on a private network."""
        return self._personal.give_rights or not await self._resolver.is_public(server_of(key_url))

    async def prepare(self, connections: int = 0) -> None:
        """Resolve the key page's server, and load the TLS context, before the first request.

        No request is sent. An error here is reported when a page is loaded.

        Args:
            connections: how many connections to open, under the rules for pages.
        """
        if self._key_url is not None:
            with suppress(InvalidAddress, PageUnavailable, OSError):
                await self._transport.prepare(server_of(self._key_url), connections)

    async def may_crawl(self, link: Link) -> bool:
        """Return whether the site's robots.txt, loaded once, lets a crawl load a page."""
        return (await self.rules(link.url)).refusal(link.url) is None

    async def rules(self, url: str) -> "RobotRules":
        """Return the rules of a site's robots.txt, loaded once."""
        if self._rules is None:
            self._rules = asyncio.ensure_future(self._load_rules(f"{origin(url)}/robots.txt"))
        return await asyncio.shield(self._rules)

    async def _load_rules(self, url: str) -> "RobotRules":
        """Return a site's rules: a missing file (4xx) allows all, and an error forbids all (RFC 9309, 2.3.1)."""
        from sitestencil.site.sources.robots import RobotRules

        try:
            answer = await self._load(url, _read_robots)
        except PageUnavailable as error:
            self.without_rules = str(error)
        else:
            if answer.status < 500:
                assert isinstance(answer.content, bytes), "a server's answer is no tree"
                return RobotRules(answer.content[:_ROBOTS_BYTES].decode("utf-8-sig", "replace"))
            self.without_rules = f"{url}: the server answered {answer.status}."
        return RobotRules("User-agent: *\nDisallow: /")

    async def _load(self, url: str, read: Read | None = None, seconds: float = 0.0) -> LoadedPage:
        return await self._in_time(url, self._follow(url, read or read_page), seconds)

    async def _in_time(self, url: str, work: Coroutine[None, None, _T], seconds: float = 0.0) -> _T:
        seconds = self._page_seconds or seconds or PAGE_SECONDS
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise PageUnavailable(f"{url} did not answer within {seconds:g} seconds.", later=True) from None
        except (BrokenAnswer, OSError, ValueError) as error:
            is_lost = isinstance(error, OSError)
            raise PageUnavailable(f"{url} could not be loaded: {_reason(error)}.", later=is_lost) from None

    async def _follow(self, requested: str, read: Read) -> LoadedPage:
        url = requested
        asked: set[str] = set()
        self._check_site(url)
        for _ in range(MOST_REDIRECTS + 1):
            if url in asked:
                raise PageUnavailable(f"{requested} redirects in a circle.")
            asked.add(url)
            if isinstance(answer := await self._step(url, requested, read), LoadedPage):
                return answer
            url = answer
        raise PageUnavailable(f"{requested} redirects more than {MOST_REDIRECTS} times.")

    async def _step(self, url: str, requested: str, read: Read) -> LoadedPage | str:
        """Return the page at an address, or the address it redirects to, if that may be followed."""
        answer = await self._ask(url, requested, read)
        if isinstance(answer, LoadedPage):
            return answer
        if url.startswith("https://") and not answer.startswith("https://"):
            raise PageUnavailable(f"{url} redirects from https to {answer}, which is not encrypted.")
        self._check_site(answer)
        if not await self._may_redirect(url, answer, self._key_url or requested):
            raise PageUnavailable(
                f"{url} redirects to {answer}, which may do something. If it is a page, ask for that address."
            )
        return answer

    async def _may_redirect(self, url: str, target: str, key_url: str) -> bool:
        """Return whether a redirect may be followed: it does not act, and where it may, it looks like a page."""
        if address_acts(target):
            return False
        if not await self.may_act(key_url):
            return True
        from sitestencil.site.menu_links import may_redirect

        return may_redirect(url, target, key_url)

    def _check_site(self, url: str) -> None:
        key_url = self._key_url
        if key_url is None:
            return
        if site_host(url) != site_host(key_url):
            raise PageUnavailable(f"{url} leads away from {site_host(key_url)}.")
        if key_url.startswith("https://") and not url.startswith("https://"):
            raise PageUnavailable(f"{url} is not encrypted, but the page itself is, so it is not loaded.")

    async def _ask(self, url: str, requested: str, read: Read) -> LoadedPage | str:
        """Return the page at an address, or the address it redirects to."""
        while True:
            await self._courtesy.before_asking(url)
            async with self._transport.ask(url, self._headers_for(url)) as answer:
                if not self._courtesy.is_asked_to_wait(url, answer.status, answer.headers.get("retry-after")):
                    is_unchanged = bool(self._conditions) and answer.status == NOT_MODIFIED
                    is_redirect = 300 <= answer.status < 400 and not is_unchanged
                    return self._redirect(answer, url) if is_redirect else await read(answer, url, requested)

    def _redirect(self, answer: Response, url: str) -> str:
        """Return the address that an answer redirects to."""
        location = answer.headers.get("location", "").strip()
        target = resolve(location, url) if location else None
        if target is None:
            raise PageUnavailable(f"{url} redirects to no web page.")
        return target.partition("#")[0]

    def _headers_for(self, url: str) -> dict[str, str]:
        personal = self._personal.for_request(url) | self._conditions
        given = {name.lower() for name in personal}
        return {name: value for name, value in self._headers.items() if name.lower() not in given} | personal

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        if self._rules is not None:
            self._rules.cancel()
        self._resolver.close()
        await self._transport.close()


class FileSource(HttpSource):
    """Load the style sheets, images and fonts of one page, from anywhere on the web.

    Other hosts than the key page's are allowed; all other rules are those for pages. A public key page leads to no
    private machine, and a private one to no other machine. An https page leads to nothing over http. Headers and
    cookies of the caller go only to the key page's origin. A file has 10 seconds and 5 MB.

    Args:
        key_url: the address of the page that names the files.
        headers: sent with each request to its origin.
        cookies: sent likewise, each within its own domain and path.
    """

    _accept = "*/*"

    async def load_file(self, url: str, *, is_sheet: bool, most: int = 0) -> LoadedPage:
        """Load a file of at most `most` bytes, which then has a minute; by default of 5 MB.

        Raises:
            PageUnavailable: the file is unavailable, or is not a style sheet as expected; the message tells why.
        """
        read = partial(_read_sheet if is_sheet else read_file, most=most)
        return await self._load(without_user(url), read, FILE_SECONDS if most else 0.0)

    async def _may_redirect(self, url: str, target: str, key_url: str) -> bool:
        return not address_acts(target)

    def _check_site(self, url: str) -> None:
        key_url = self._key_url or url
        if key_url.startswith("https://") and not url.startswith("https://"):
            raise PageUnavailable(f"{url} was not loaded: the page uses https, this file only http.")


def _reason(error: Exception) -> str:
    """Return the cause of a failed connection, in words."""
    if isinstance(error, SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, ConnectionRefusedError):
        return "the server refuses connections"
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return "the server broke off the connection"
    if isinstance(error, OSError) and error.errno in _NO_WAY:
        return "this computer's network does not reach it"
    return str(error) or type(error).__name__


async def read_file(
    answer: Response,
    url: str,
    requested: str,
    types: Container[str] = (),
    wanted: str = "",
    most: int = 0,
) -> LoadedPage:
    """Return the file that an answer gives, if it is of one of some types; `most` bytes, else 5 MB."""
    if not answer.is_success:
        detail = f"{url}: the server answered {answer.status} {answer.reason}."
        raise PageUnavailable(detail, status=answer.status)
    content_type = answer.headers.get("content-type", "")
    media_type = content_type.partition(";")[0]
    if wanted and media_type.strip().lower() not in types:
        raise PageUnavailable(f"{url} is {media_type or 'of no stated type'}, not {wanted}.")
    body = await _body(answer, url, most)
    charset, linked = charset_of(content_type), linked_by_headers(answer.headers, url)
    return LoadedPage(url, body, "http", requested, answer.status, charset, linked)


read_page = partial(read_file, types={"text/html", "application/xhtml+xml"}, wanted="HTML")
_read_sheet = partial(read_file, types={"text/css"}, wanted="a style sheet")


async def _read_robots(answer: Response, url: str, requested: str) -> LoadedPage:
    body = await _body(answer, url) if answer.is_success else b""
    return LoadedPage(url, body, "http", requested, answer.status)


async def _body(answer: Response, url: str, most: int = 0) -> bytes:
    """Return an answer's body; refuse one that is packed more than once, or in a way that was not requested."""
    packings = [packing.strip().lower() for packing in answer.headers.get("content-encoding", "").split(",")]
    packings = [packing for packing in packings if packing not in {"", "identity"}]
    if len(packings) > 1:
        raise PageUnavailable(f"{url} is packed {len(packings)} times.")
    if not PACKINGS.issuperset(packings):
        raise PageUnavailable(f"{url} is packed as {packings[0]}, which Sitestencil cannot unpack.")
    body = bytearray()
    async for piece in answer.body():
        body += piece
        if len(body) > (most or PAGE_BYTES):
            raise PageUnavailable(f"{url} is larger than {(most or PAGE_BYTES) // 1_000_000} MB.")
    return bytes(body)
