"""Headers and cookies that a person gives for one server: they go to its origin, and nowhere else."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.errors import SitestencilError, WrongArgument, shown
from sitestencil.urls import origin

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# They say how a message travels, which is this program's to know.
_OWN = frozenset(
    "host connection content-length transfer-encoding accept-encoding te trailer upgrade expect keep-alive "
    "proxy-authorization proxy-connection".split()
)
_TELL_NO_PERSON = frozenset({"accept", "accept-language", "dnt", "user-agent"})


class PersonalHeaders:
    """What is sent along to the key page's origin: scheme, host and port of the address that the person gave.

    Args:
        headers: by name.
        cookies: each goes where its own domain, path and expiry let it go, within that origin.

    Raises:
        WrongArgument: a header is none, or is not the caller's to set.
    """

    def __init__(self, headers: Mapping[str, str] | None, cookies: "CookieJar | None") -> None:
        for name, value in (headers or {}).items():
            check_header(name, value)
        self._headers = dict(headers or {})
        self._cookies = cookies
        self._origin: str | None = None

    def are_for(self, url: str) -> None:
        """Say which address the person gave; only the first counts."""
        self._origin = self._origin or origin(url)

    @property
    def give_rights(self) -> bool:
        """Whether anything is sent along that a server may know the person by."""
        return self._cookies is not None or any(name.lower() not in _TELL_NO_PERSON for name in self._headers)

    def for_request(self, url: str) -> dict[str, str]:
        """Return the headers to send to an address."""
        if origin(url) != self._origin:
            return {}
        cookie = self._cookies_for(url)
        own = {name: value for name, value in self._headers.items() if name.lower() != "cookie"}
        cookies = [value for name, value in self._headers.items() if name.lower() == "cookie"]
        cookies += [cookie] if cookie else []
        return {**own, "Cookie": "; ".join(cookies)} if cookies else own

    def _cookies_for(self, url: str) -> str | None:
        if self._cookies is None:
            return None
        from urllib.request import Request

        request = Request(url)  # noqa: S310 - nothing is opened: the jar reads the address
        self._cookies.add_cookie_header(request)
        return request.get_header("Cookie")


def cookies_in(file: Path) -> "CookieJar":
    """Return the cookies of a file in the form of Netscape's ``cookies.txt``, as curl and many programs write them.

    Raises:
        SitestencilError: the file cannot be read, or has another form.
    """
    from http.cookiejar import MozillaCookieJar

    jar = MozillaCookieJar()
    try:
        jar.load(str(file), ignore_discard=True, ignore_expires=True)
    except (OSError, ValueError) as error:
        # The jar tells of another form by an OSError without a number.
        reason = getattr(error, "strerror", None) or "it is not in the form of Netscape's cookies.txt"
        raise SitestencilError(f"The cookies in {file} cannot be read: {reason}.") from None
    for cookie in jar:
        if cookie.expires == 0:  # so curl writes one that lasts as long as the session
            cookie.expires = None
    return jar


def check_header(name: str, value: str) -> None:
    """Refuse what is no header, or one that is not the caller's to set.

    Raises:
        WrongArgument: with the reason.
    """
    if not _NAME.fullmatch(name):
        raise WrongArgument(f"{shown(name)} is no name of a header. Give headers as 'Name: value'.")
    if not _VALUE.fullmatch(value):
        raise WrongArgument(f"The header {name} has a value with characters that no header can carry.")
    if name.lower() in _OWN:
        raise WrongArgument(f"The header {name} says how pages travel, and cannot be set.")
