"""Send a person's headers and cookies to one origin, and nowhere else."""

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
# Headers that control the transport, which is this program's task.
_OWN = frozenset(
    "host connection content-length transfer-encoding accept-encoding te trailer upgrade expect keep-alive "
    "proxy-authorization proxy-connection".split()
)
_TELL_NO_PERSON = frozenset({"accept", "accept-language", "dnt", "user-agent"})


class PersonalHeaders:
    """Headers and cookies for the key page's origin: scheme, host and port of the given address.

    Args:
        headers: the headers by name.
        cookies: each goes to its own domain and path until it expires, within that origin.

    Raises:
        WrongArgument: a header is invalid, or controls the transport.
    """

    def __init__(self, headers: Mapping[str, str] | None, cookies: "CookieJar | None") -> None:
        if headers is not None and not isinstance(headers, Mapping):
            raise WrongArgument(f"headers= takes a dictionary of headers by name, not {shown(headers)}.")
        for name, value in (headers or {}).items():
            check_header(name, value)
        self._headers = dict(headers or {})
        self._cookies = cookies
        self._origin: str | None = None

    def are_for(self, url: str) -> None:
        """Set the origin; only the first call counts."""
        self._origin = self._origin or origin(url)

    @property
    def give_rights(self) -> bool:
        """Whether a server may recognize the person by the headers or cookies."""
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
    """Return the cookies of a file in Netscape's ``cookies.txt`` format, as curl writes it.

    Raises:
        SitestencilError: the file cannot be read, or has another format.
    """
    from http.cookiejar import MozillaCookieJar

    jar = MozillaCookieJar()
    try:
        jar.load(str(file), ignore_discard=True, ignore_expires=True)
    except (OSError, ValueError) as error:
        # The jar reports another format by an OSError without a number.
        reason = getattr(error, "strerror", None) or "it is not in the form of Netscape's cookies.txt"
        raise SitestencilError(f"The cookies in {file} cannot be read: {reason}.") from None
    for cookie in jar:
        if cookie.expires == 0:  # curl's form of a session cookie
            cookie.expires = None
    return jar


def check_header(name: str, value: str) -> None:
    """Refuse an invalid header, or one that controls the transport.

    Raises:
        WrongArgument: the header is refused, with the reason.
    """
    if not _NAME.fullmatch(name):
        raise WrongArgument(f"{shown(name)} is no name of a header. Give headers as 'Name: value'.")
    if not _VALUE.fullmatch(value):
        raise WrongArgument(f"The header {name} has a value with characters that no header can carry.")
    if name.lower() in _OWN:
        raise WrongArgument(f"The header {name} says how pages travel, and cannot be set.")
