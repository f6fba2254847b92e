"""Load a site politely: each page once for several extractions, or of a whole site only what changed."""

import re
import zlib
from collections import OrderedDict
from contextlib import suppress
from html import unescape
from itertools import islice
from typing import Any, NamedTuple

from sitestencil.errors import InvalidAddress, PageUnavailable
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import HttpSource, read_file, read_page
from sitestencil.site.sources.messages import NOT_MODIFIED, Courtesy, Response
from sitestencil.urls import origin, page_address, without_user

_FOR_GOOD = (301, 308)
_GZIP = b"\x1f\x8b"
MOST_BYTES = 50_000_000  # of a sitemap: the standard's most
_MOST_ADDRESSES = 50_000  # the standard's most in a sitemap
_LOCATION = re.compile(r"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,2048})")
_MOST_KEPT = 200

Answers = OrderedDict[str, LoadedPage | PageUnavailable]


class LoadedOnce(HttpSource):
    """Load pages over HTTP unless an earlier extraction did.

    Args:
        answers: the answers so far, which grow; the latest 200 are kept.
        options: those of `HttpSource`.
    """

    def __init__(self, answers: Answers, key_url: str | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__(key_url, **options)
        self._answers = answers

    async def load(self, link: Link) -> LoadedPage:
        """Load the page of a link, as `HttpSource` does; its failure is kept, too."""
        if (answer := self._answers.get(link.page)) is None:
            try:
                answer = await super().load(link)
            except PageUnavailable as error:
                answer = error
            self._answers[link.page] = answer
            if len(self._answers) > _MOST_KEPT:
                self._answers.popitem(last=False)
        if isinstance(answer, PageUnavailable):
            raise answer.with_traceback(None)
        self._personal.are_for(link.url)
        self._key_url = self._key_url or answer.url
        return answer


class Fresh(NamedTuple):
    """A page as it was just loaded, with its version and the version's date, if the server says them."""

    page: LoadedPage
    etag: str
    modified: str


class PoliteSource(HttpSource):
    """Load the pages of a site one by one, under the rules of `HttpSource`. Its caller waits between them.

    Attributes:
        is_moved: whether the last redirect is for good.
    """

    is_moved = False

    async def visit(self, url: str, etag: str = "", modified: str = "") -> Fresh | str | None:
        """Return a page; or the address that it redirects to; or None if it is still the known version.

        Redirects of the site's first page are followed. The known version has an `etag`, or was `modified` then.

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

    def _redirect(self, answer: Response, url: str) -> str:
        self.is_moved = answer.status in _FOR_GOOD
        return super()._redirect(answer, url)

    def stay_at(self, key_url: str, asked: str) -> None:
        """Load only pages of a page's site from now on; if another was asked for, its robots.txt is loaded anew."""
        if origin(asked) != origin(key_url):
            self._rules = None
        self._key_url = key_url

    async def sitemap(self, url: str) -> tuple[list[str], list[str]]:
        """Return the addresses of pages in a sitemap of the site, and those of further sitemaps.

        Raises:
            AskedToWait: the server asks for fewer requests.
            PageUnavailable: the sitemap is unavailable, or lists nothing; the message tells why.
        """
        self._courtesy = Courtesy(longest_wait=0)
        page = await self._load(without_user(url), read_file)
        assert isinstance(page.content, bytes), "a server's answer is no tree"
        found = sitemap_addresses(unpacked(page.content))
        if not any(found):
            raise PageUnavailable(f"{url}: it lists no pages.")
        return found


def unpacked(content: bytes) -> bytes:
    """Return a sitemap's text, of which at most 50 MB are unpacked."""
    if not content.startswith(_GZIP):
        return content
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise PageUnavailable(f"A sitemap cannot be unpacked: {error}.") from None


def sitemap_addresses(content: bytes) -> tuple[list[str], list[str]]:
    """Return the addresses of pages in a sitemap, and those of further sitemaps.

    >>> sitemap_addresses(b"<urlset><url><loc>https://site.example/a?b&amp;c</loc></url></urlset>")
    (['https://site.example/a?b&c'], [])
    >>> sitemap_addresses(b"<sitemapindex><sitemap><loc> https://site.example/1.xml </loc>")
    ([], ['https://site.example/1.xml'])
    """
    text = content.decode("utf-8-sig", "replace")
    written = (unescape(one[1]) for one in _LOCATION.finditer(text)) if "<" in text else iter(text.splitlines())
    found: list[str] = []
    for one in islice(written, _MOST_ADDRESSES):
        with suppress(InvalidAddress):
            found.append(page_address(one))
    return ([], found) if "sitemapindex" in text[:2000] else (found, [])
