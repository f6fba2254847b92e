"""Load a site politely: each page once for several extractions, or of a whole site only what changed."""

from collections import OrderedDict
from functools import partial
from typing import Any, NamedTuple

from sitestencil.errors import PageUnavailable
from sitestencil.site.followable import acting_word
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import FILE_SECONDS, HttpSource, read_file, read_page
from sitestencil.site.sources.messages import NOT_MODIFIED, Courtesy, Response, is_denied
from sitestencil.site.sources.robots import MOST_BYTES, Sitemap, sitemap_of
from sitestencil.urls import origin, page_key, without_user

_FOR_GOOD = (301, 308)
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
    """A page as it was just loaded, with its version and the version's date, if the server says them.

    It `is_denied` to robots if the server asks them not to index it.
    """

    page: LoadedPage
    etag: str
    modified: str
    is_denied: bool = False


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
        return Fresh(
            page, named.get("etag", ""), named.get("last-modified", ""), is_denied(named.get("x-robots-tag", ""))
        )

    def _redirect(self, answer: Response, url: str) -> str:
        self.is_moved = answer.status in _FOR_GOOD
        return super()._redirect(answer, url)

    async def _may_redirect(self, url: str, target: str, key_url: str) -> bool:
        if await self.may_act(key_url):
            return await super()._may_redirect(url, target, key_url)
        return page_key(url).rstrip("/") == page_key(target).rstrip("/") or not acting_word(target)

    def stay_at(self, key_url: str, asked: str) -> None:
        """Load only pages of a page's site from now on; if another was asked for, its robots.txt is loaded anew."""
        if origin(asked) != origin(key_url):
            self._rules = None
        self._key_url = key_url

    async def sitemap(self, url: str) -> Sitemap:
        """Return a sitemap of the site.

        Raises:
            AskedToWait: the server asks for fewer requests.
            PageUnavailable: the sitemap is unavailable, or lists nothing; the message tells why.
        """
        self._courtesy = Courtesy(longest_wait=0)
        page = await self._load(without_user(url), partial(read_file, most=MOST_BYTES), FILE_SECONDS)
        assert isinstance(page.content, bytes), "a server's answer is no tree"
        found = sitemap_of(page.content, page.url)
        if not (found.pages or found.further):
            raise PageUnavailable(f"{url}: it lists no pages.")
        return found
