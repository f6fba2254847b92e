"""Requests and responses: a person's headers and cookies, packed bodies, and ``Retry-After``."""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from sitestencil.errors import AskedToWait, BrokenAnswer, PageUnavailable, SitestencilError, WrongArgument, shown
from sitestencil.urls import origin

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_CHARSET = re.compile(r"(?<![\w-])charset\s*=\s*[\"']?([^\s\"',;]+)", re.IGNORECASE)
# Headers that control the transport, which is this program's task.
_OWN = frozenset(
    "host connection content-length transfer-encoding accept-encoding te trailer upgrade expect keep-alive "
    "proxy-authorization proxy-connection".split()
)
# Unpack at most so many bytes at a time, however few packed bytes they need.
_PIECE = 1024 * 1024
LONGEST_WAIT = 3.0
NOT_MODIFIED = 304
_TOO_MANY_REQUESTS = 429
_UNAVAILABLE = 503
_TELL_NO_PERSON = frozenset({"accept", "accept-language", "dnt", "user-agent"})


DENIED = "robots denied: the server asks for it not to be indexed (X-Robots-Tag)"


def is_denied(tag: str) -> bool:
    """Return whether a header ``X-Robots-Tag`` asks all robots, not one by name, to index no page."""
    return any(rule.strip() in {"noindex", "none"} for rule in tag.lower().split(","))


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
        headers = {name: value for name, value in self._headers.items() if name.lower() != "cookie"}
        cookies = [value for name, value in self._headers.items() if name.lower() == "cookie"]
        cookies += [cookie] if cookie else []
        return {**headers, "Cookie": "; ".join(cookies)} if cookies else headers

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


@dataclass(frozen=True, slots=True)
class Response:
    """The head of a response, and its body while the connection is open.

    Attributes:
        status: its status code.
        reason: the server's reason phrase.
        headers: by name in lower case; repeated ones are joined by commas.
        packed: the body's bytes as received.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    packed: AsyncIterator[bytes]

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the body's bytes, unpacked from at most one of `PACKINGS`.

        Raises:
            BrokenAnswer: the body cannot be unpacked.
        """
        packing = self.headers.get("content-encoding", "").strip(" ,").lower()
        unpacker = _UNPACKERS[packing](packing) if packing in _UNPACKERS else None
        is_empty = True
        async for packed in self.packed:
            if unpacker is None:
                yield packed
                continue
            is_empty = is_empty and not packed
            if packed and unpacker.is_at_end:  # such as a second member: browsers differ about them
                raise BrokenAnswer("something follows what is packed")
            for piece in unpacker.unpack(packed):
                yield piece
        if unpacker is not None and not (is_empty or unpacker.is_at_end):
            raise BrokenAnswer("what is packed is cut off")


def headers_by_name(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers in the form of `Response`."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in pairs:
        name = raw_name.decode("latin-1").lower()
        try:
            value = raw_value.decode()
        except UnicodeDecodeError:
            value = raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def charset_of(content_type: str) -> str | None:
    """Return the encoding that a ``Content-Type`` names."""
    named = _CHARSET.search(content_type)
    return named[1] if named else None


class _Unzip:
    """Unpack gzip, or deflate, which some servers send without its header."""

    def __init__(self, packing: str) -> None:
        self._is_gzip = packing == "gzip"
        self._unpacker: zlib._Decompress | None = None

    @property
    def is_at_end(self) -> bool:
        return self._unpacker is not None and self._unpacker.eof

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        if self._unpacker is None and packed:
            has_head = packed[0] & 0x0F == zlib.DEFLATED
            wrapped = zlib.MAX_WBITS if has_head else -zlib.MAX_WBITS
            self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16 if self._is_gzip else wrapped)
        if self._unpacker is None:
            return
        try:
            while piece := self._unpacker.decompress(packed, _PIECE):
                yield piece
                packed = self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise BrokenAnswer(str(error)) from None
        if self._unpacker.unused_data:
            raise BrokenAnswer("something follows what is packed")


class _Unbrotli:
    def __init__(self, _packing: str) -> None:
        import brotli

        self._broken = brotli.error
        self._unpacker = brotli.Decompressor()

    @property
    def is_at_end(self) -> bool:
        return bool(self._unpacker.is_finished())

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        try:
            while piece := self._unpacker.process(packed, output_buffer_limit=_PIECE // 2):
                yield piece
                packed = b""
        except self._broken as error:
            raise BrokenAnswer(str(error)) from None


_UNPACKERS: Mapping[str, type[_Unzip] | type[_Unbrotli]] = {"gzip": _Unzip, "deflate": _Unzip, "br": _Unbrotli}
PACKINGS = frozenset(_UNPACKERS)


class Courtesy:
    """Wait once if a server asks for it (429, or 503 with ``Retry-After``), and then stop requests to it.

    Args:
        longest_wait: the most seconds to wait; 0: stop at once.
    """

    def __init__(self, longest_wait: float = LONGEST_WAIT) -> None:
        self._longest_wait = longest_wait
        self._wait_until: float | None = None
        self._refused: str | None = None

    async def before_asking(self, url: str) -> None:
        """Wait as long as the server has asked for.

        Raises:
            PageUnavailable: the server wants no more requests.
        """
        if self._refused is not None:
            raise PageUnavailable(f"{url} was not requested: {self._refused}.")
        if self._wait_until is not None:
            await asyncio.sleep(max(0.0, self._wait_until - monotonic()))

    def is_asked_to_wait(self, url: str, status: int, retry_after: str | None) -> bool:
        """Return whether to retry after `before_asking` has waited; False for any other response.

        Raises:
            AskedToWait: the server asks for a longer wait, or for a second one.
        """
        if status != _TOO_MANY_REQUESTS and not (status == _UNAVAILABLE and retry_after):
            return False
        seconds = seconds_to_wait(retry_after)
        now = monotonic()
        waiting = self._wait_until is not None and now < self._wait_until
        if seconds is not None and seconds <= self._longest_wait and (waiting or self._wait_until is None):
            self._wait_until = self._wait_until if waiting else now + seconds
            return True
        self._refused = f"the server answered {status}, which asks for fewer requests"
        raise AskedToWait(f"{url}: {self._refused}.", seconds)


def seconds_to_wait(retry_after: str | None) -> float | None:
    """Return the seconds in a ``Retry-After`` header, a number or a date; None without one."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    from email.utils import parsedate_to_datetime

    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
