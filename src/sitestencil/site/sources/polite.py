"""Load a whole site politely: each address once, only if it changed, and redirects step by step."""

import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from sitestencil.errors import PageUnavailable
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sitemaps import MOST_BYTES, MOST_SITEMAPS, sitemap_addresses
from sitestencil.site.sources.http import HttpSource, read_file, read_page
from sitestencil.site.sources.messages import NOT_MODIFIED, Courtesy, Response
from sitestencil.urls import origin, without_user

_GZIP = b"\x1f\x8b"


class Fresh(NamedTuple):
    """A page as it was just loaded, with its version and the version's date, if the server says them."""

    page: LoadedPage
    etag: str
    modified: str


class PoliteSource(HttpSource):
    """Load the pages of a site one by one, under the rules of `HttpSource`. Its caller waits between them."""

    async def visit(self, url: str, etag: str = "", modified: str = "") -> Fresh | str | None:
        """Return a page; or the address that it redirects to; or None if it is still the version that is known.

        Redirects of the site's first page are followed.

        Args:
            url: the page's address.
            etag: the known version.
            modified: its date.

        Raises:
            AskedToWait: the server asks for fewer requests.
            PageUnavailable: the page is unavailable; the message tells why.
        """
        answers: list[Response] = []

        async def read(answer: Response, url: str, requested: str) -> LoadedPage:
            answers.append(answer)
            if self._conditions and answer.status == NOT_MODIFIED:
                return LoadedPage(url, b"", status=NOT_MODIFIED)
            return await read_page(answer, url, requested)

        url = without_user(url)
        self._personal.are_for(url)
        self._courtesy = Courtesy(longest_wait=0)
        self._conditions = {
            name: value for name, value in (("If-None-Match", etag), ("If-Modified-Since", modified)) if value
        }
        try:
            if self._key_url is None:
                page: LoadedPage | str = await self._load(url, read)
            else:
                self._check_site(url)
                page = await self._in_time(url, self._step(url, url, read))
        finally:
            self._conditions = {}
        if isinstance(page, str):
            return page
        if page.status == NOT_MODIFIED:
            return None
        named = answers[-1].headers
        return Fresh(page, named.get("etag", ""), named.get("last-modified", ""))

    def stay_at(self, key_url: str, asked: str) -> None:
        """Load only pages of a page's site from now on; if another was asked for, its robots.txt is loaded anew."""
        if origin(asked) != origin(key_url):
            self._rules = None
        self._key_url = key_url

    async def sitemaps(self, key_url: str, turn: Callable[[], Awaitable[None]]) -> AsyncIterator[list[str]]:
        """Yield the addresses in each sitemap of the site: those that robots.txt names, else ``/sitemap.xml``.

        Args:
            key_url: the site's first page.
            turn: waits until the next request may be made.
        """
        waiting = list((await self.rules(key_url)).sitemaps)[:MOST_SITEMAPS] or [f"{origin(key_url)}/sitemap.xml"]
        met = set(waiting)
        for url in waiting:
            await turn()
            try:
                self._check_site(url)
                page = await self._load(without_user(url), read_file)
                assert isinstance(page.content, bytes), "a server's answer is no tree"
                found, further = sitemap_addresses(unpacked(page.content))
            except PageUnavailable:
                continue
            new = [one for one in further if one not in met][: MOST_SITEMAPS - len(met)]
            met.update(new)
            waiting += new
            yield found


def unpacked(content: bytes) -> bytes:
    """Return a sitemap's text, of which at most 50 MB are unpacked."""
    if not content.startswith(_GZIP):
        return content
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise PageUnavailable(f"A sitemap cannot be unpacked: {error}.") from None
