"""Files on web servers, read in ranges: the archives of Common Crawl, for example.

The standard library's client is enough: a range is some megabytes, so a new connection for each costs little. The
client for pages reads few small pages of one site under rules that do not fit here.
"""

import io
import re
from collections.abc import Iterator
from email.message import Message
from functools import lru_cache
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, OpenerDirector, Request, build_opener

from sitestencil.crawl.input.buckets import Info
from sitestencil.errors import StoreUnavailable
from sitestencil.site.sources.network import tls_context
from sitestencil.version import VERSION

_SECONDS = 15.0
_PAUSES = (1.0, 4.0, 16.0, 60.0)  # before each further try
_BUSY = frozenset({429, 500, 502, 503, 504})
_MISSING = frozenset({404, 410})
_TOTAL = re.compile(r"bytes (?:\d+-\d+|\*)/(\d+)")


class WebFiles:
    """The files of a web server.

    Args:
        root: its scheme, host and port.
    """

    def __init__(self, root: str) -> None:
        self._root = root

    @classmethod
    @lru_cache(64)
    def at(cls, root: str) -> "WebFiles":
        """Return the files of a server."""
        return cls(root)

    def info(self, key: str, address: str) -> Info | None:
        """Return the properties of a file or folder; None if it is missing."""
        try:
            return _info(f"{self._root}/{key}", address, is_first=True)
        except FileNotFoundError:
            return None

    def below(self, _key: str, address: str, *, recursive: bool = True) -> Iterator[tuple[str, Info]]:
        """Refuse: a server lists no folders."""
        raise StoreUnavailable(f"{address}: a web server lists no folders. Give its files, or --paths.")

    def open(self, key: str, address: str) -> io.RawIOBase:
        """Open a file for reading; raise FileNotFoundError if it is missing."""
        url = f"{self._root}/{key}"
        return _Ranges(url, address, _info(url, address).size)

    def put(self, _file: Path, _key: str, address: str) -> None:
        """Refuse: a server takes no files."""
        raise StoreUnavailable(f"{address}: a web server takes no files. Give a folder or a bucket for the output.")


class _Ranges(io.RawIOBase):
    """A file on a server, read range by range."""

    def __init__(self, url: str, address: str, size: int) -> None:
        self._url = url
        self._address = address
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        size = min(len(buffer), self._size - self._at)
        if size <= 0:
            return 0
        buffer[:size], _ = _range(self._url, self._address, self._at, size)
        self._at += size
        return size

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at


def _info(url: str, address: str, *, is_first: bool = False) -> Info:
    _, headers = _range(url, address, 0, 1, is_first=is_first)
    size = _TOTAL.match(headers["Content-Range"] or "")
    return Info(int(size[1]) if size else 0, headers["ETag"] or headers["Last-Modified"] or "")


def _range(url: str, address: str, start: int, size: int, *, is_first: bool = False) -> tuple[bytes, Message]:
    """Return some bytes of a file, and the answer's headers.

    Try again after failures that may pass, unless it is the first request to the server.
    """
    headers = {"Range": f"bytes={start}-{start + size - 1}", "User-Agent": f"sitestencil/{VERSION}"}
    failure = ""
    for pause in (0.0,) if is_first else (0.0, *_PAUSES):
        sleep(pause)
        try:
            with _opener().open(Request(url, headers=headers), timeout=_SECONDS) as answer:  # noqa: S310 - http alone
                if answer.status != HTTPStatus.PARTIAL_CONTENT:
                    raise StoreUnavailable(f"{address}: the server sends no parts of files. Download it first.")
                data: bytes = answer.read(size)
                if len(data) == size:
                    return data, answer.headers
                failure = "the server's answer was cut"
        except HTTPError as error:
            if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                return b"", error.headers
            if error.code in _MISSING:
                raise FileNotFoundError(address) from None
            failure = f"the server answered {error.code} {error.reason}"
            if error.code not in _BUSY:
                break
        except (OSError, HTTPException) as error:
            failure = f"the server cannot be reached: {getattr(error, 'reason', error)}"
    raise StoreUnavailable(f"{address}: {failure}.")


@lru_cache(1)
def _opener() -> OpenerDirector:
    return build_opener(HTTPSHandler(context=tls_context()))
