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
_END = re.compile(r"</(?:\w+:)?(?:urlset|sitemapindex)\s*>")
_MOST_MEMBERS = 100  # of a packed sitemap
_MOST_KEPT = 200
_LONGEST_VERSION = 1_000  # servers refuse long headers

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
        versions = {"If-None-Match": etag, "If-Modified-Since": modified}
        self._conditions = {name: value for name, value in versions.items() if 0 < len(value) <= _LONGEST_VERSION}
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

    async def sitemap(self, url: str) -> "Sitemap":
        """Return a sitemap of the site.

        Raises:
            AskedToWait: the server asks for fewer requests.
            PageUnavailable: the sitemap is unavailable, or lists nothing; the message tells why.
        """
        self._courtesy = Courtesy(longest_wait=0)
        page = await self._load(without_user(url), read_file)
        assert isinstance(page.content, bytes), "a server's answer is no tree"
        found = sitemap_of(page.content)
        if not (found.pages or found.further):
            raise PageUnavailable(f"{url}: it lists no pages.")
        return found


class Sitemap(NamedTuple):
    """The addresses of pages in a sitemap, those of further sitemaps, and whether that is all of it."""

    pages: list[str]
    further: list[str]
    is_whole: bool


def sitemap_of(content: bytes) -> Sitemap:
    """Return a sitemap, of which at most 50 MB are unpacked and 50,000 addresses read.

    >>> sitemap_of(b"<urlset><url><loc>https://site.example/a?b&amp;c</loc></url></urlset>")
    Sitemap(pages=['https://site.example/a?b&c'], further=[], is_whole=True)
    >>> sitemap_of(b"<sitemapindex><sitemap><loc> https://site.example/1.xml </loc>")
    Sitemap(pages=[], further=['https://site.example/1.xml'], is_whole=False)
    """
    text, is_whole, members = bytearray(), True, 0
    while content.startswith(_GZIP) and is_whole:
        members += 1
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        with suppress(zlib.error):
            text += member.decompress(content, MOST_BYTES + 1 - len(text))
        is_whole = member.eof and len(text) <= MOST_BYTES and members <= _MOST_MEMBERS
        content = member.unused_data
    return _listed(bytes(text) or content, is_whole=is_whole)


def _listed(content: bytes, *, is_whole: bool) -> Sitemap:
    text = content.decode("utf-8-sig", "replace")
    is_xml = "<" in text
    written = (unescape(one[1]) for one in _LOCATION.finditer(text)) if is_xml else iter(text.splitlines())
    found: list[str] = []
    for one in islice(written, _MOST_ADDRESSES):
        with suppress(InvalidAddress):
            found.append(page_address(one))
    has_end = not is_xml or _END.search(text, max(0, text.rfind("loc>"))) is not None
    is_whole = is_whole and has_end and next(written, None) is None
    return Sitemap([], found, is_whole) if "sitemapindex" in text[:2000] else Sitemap(found, [], is_whole)
