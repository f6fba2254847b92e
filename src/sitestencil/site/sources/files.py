"""Load a page's style sheets, images and fonts over HTTP from any host, under the rules for pages."""

from collections.abc import Mapping
from http.cookiejar import CookieJar

from sitestencil.errors import PageUnavailable
from sitestencil.site.followable import address_acts
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import HttpSource, read_body
from sitestencil.site.sources.response import Response
from sitestencil.urls import without_user


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

    def __init__(
        self, key_url: str, *, headers: Mapping[str, str] | None = None, cookies: CookieJar | None = None
    ) -> None:
        super().__init__(key_url, headers=headers, cookies=cookies)
        self._headers["Accept"] = "*/*"

    async def load_file(self, url: str, *, is_sheet: bool) -> LoadedPage:
        """Load a file.

        Raises:
            PageUnavailable: the file is unavailable, or is not a style sheet as expected; the message tells why.
        """
        return await self._load(without_user(url), _read_sheet if is_sheet else _read_file)

    async def _may_redirect(self, url: str, target: str, key_url: str) -> bool:
        return not address_acts(target)

    def _check_site(self, url: str) -> None:
        own = self._key_url or url
        if own.startswith("https://") and not url.startswith("https://"):
            raise PageUnavailable(f"{url}: is not asked for in clear, since the page came by https.")


async def _read_sheet(answer: Response, url: str, requested: str) -> LoadedPage:
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if answer.is_success and kind != "text/css":
        raise PageUnavailable(f"{url}: is {kind or 'of no stated type'}, not a style sheet.")
    return await _read_file(answer, url, requested)


async def _read_file(answer: Response, url: str, requested: str) -> LoadedPage:
    if not answer.is_success:
        raise PageUnavailable(f"{url}: the server answered {answer.status} {answer.reason}.")
    body, charset = await read_body(answer, url)
    return LoadedPage(url, body, "http", requested, answer.status, charset)
