"""Files that a page is drawn with, over HTTP: from any host, under the rules that pages are loaded by."""

from collections.abc import Mapping
from http.cookiejar import CookieJar

from sitestencil.errors import PageUnavailable
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.answer import Answer
from sitestencil.site.sources.http import HttpSource, read_body
from sitestencil.urls import without_user


class FileSource(HttpSource):
    """Loads the style sheets, images and fonts of one page, wherever they are on the web.

    What is not of the key page's host may be loaded too; all else is as with pages. A key page on the public web
    leads to no machine on a private network, and one on a private network to no other machine; a page that came by
    https to nothing in clear; no cookie and no header of the caller's goes to another origin than the key page's; a
    file has 10 seconds and 5 MB.

    Args:
        key_url: the address of the page that names the files.
        headers: are sent with each request to its origin.
        cookies: likewise, each as far as its own domain and path allow.
    """

    def __init__(
        self, key_url: str, *, headers: Mapping[str, str] | None = None, cookies: CookieJar | None = None
    ) -> None:
        super().__init__(key_url, headers=headers, cookies=cookies)
        self._headers["Accept"] = "*/*"

    async def load_file(self, url: str, *, is_sheet: bool) -> LoadedPage:
        """Load a file.

        Raises:
            PageUnavailable: it could not be had, or is to be a style sheet and is none; the text says why.
        """
        return await self._load(without_user(url), _read_sheet if is_sheet else _read_file)

    def _check_site(self, url: str) -> None:
        own = self._key_url or url
        if own.startswith("https://") and not url.startswith("https://"):
            raise PageUnavailable(f"{url}: is not asked for in clear, since the page came by https.")


async def _read_sheet(answer: Answer, url: str, requested: str) -> LoadedPage:
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if answer.is_success and kind != "text/css":
        raise PageUnavailable(f"{url}: is {kind or 'of no stated type'}, not a style sheet.")
    return await _read_file(answer, url, requested)


async def _read_file(answer: Answer, url: str, requested: str) -> LoadedPage:
    if not answer.is_success:
        raise PageUnavailable(f"{url}: the server answered {answer.status} {answer.reason}.")
    body, charset = await read_body(answer, url)
    return LoadedPage(url, body, "http", requested, answer.status, charset)
