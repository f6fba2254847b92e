"""Read and write files of stores elsewhere: buckets of S3's and Google's kind, and web servers, read in ranges.

For web servers the standard library's client is enough: a range is some megabytes, so a new connection for each
costs little. The client for pages reads few small pages of one site under rules that do not fit here.

fsspec with universal-pathlib (2026) would save some 60 lines and bring 49 packages of 115 MB. It calls a server
that is down a missing file, reads servers without ranges as streams, never asks a busy one again, and shows the
passwords in addresses.
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from functools import lru_cache
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, OpenerDirector, Request, build_opener

from sitestencil.errors import PackageMissing, StoreUnavailable
from sitestencil.site.sources.network import tls_context
from sitestencil.version import VERSION

BUCKETS = ("s3", "gs", "gcs", "abfs", "abfss")
_PIECE = 1 << 22
# By default pyarrow tries for 15 minutes to reach Google's servers.
_GOOGLE = {"gs", "gcs"}
_GOOGLE_OPTION = "retry_limit_seconds=10"
_REASONS = (
    (r"NO_SUCH_BUCKET|bucket does not exist", "the bucket does not exist"),
    (
        r"OAuth2|gcloud",
        "Google cannot be reached, or accepts no credentials; check the network and GOOGLE_APPLICATION_CREDENTIALS",
    ),
    (
        r"ACCESS_DENIED|ACCESS_KEY|SIGNATURE|TOKEN|CREDENTIAL|PERMISSION_DENIED|UNAUTHENTICATED|status 40[13]",
        "access is denied; check the credentials (S3: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE)",
    ),
    (r"NETWORK_CONNECTION|curlCode|UNAVAILABLE|timeout", "it cannot be reached; check the network"),
)


class Info(NamedTuple):
    """A file's properties that are known without reading it.

    Attributes:
        size: its bytes.
        stamp: its version; it changes with the file.
        is_folder: whether it is a folder.
    """

    size: int
    stamp: str
    is_folder: bool = False


class Bucket:
    """A bucket.

    Args:
        root: its address, with pyarrow's options.
    """

    def __init__(self, root: str) -> None:
        try:
            import pyarrow as pa
            from pyarrow import fs
        except ImportError:
            raise PackageMissing("Buckets are read with pyarrow.", "crawl") from None
        scheme = root.partition("://")[0]
        if scheme in _GOOGLE and "retry_limit_seconds" not in root:
            root += f"{'&' if '?' in root else '?'}{_GOOGLE_OPTION}"
        self._fs = fs
        without_credentials = f"{scheme}://{root.partition('?')[0].partition('://')[2].rpartition('@')[2]}"
        with _told(without_credentials):
            try:
                self._files, self._name = fs.FileSystem.from_uri(root)
            except (ValueError, pa.ArrowException) as error:
                reason = _first_line(error).replace(root, without_credentials)
                raise StoreUnavailable(f"{without_credentials}: {reason}.") from None

    def info(self, key: str, address: str) -> Info | None:
        """Return the properties of a file or folder; None if it is missing."""
        with _told(address):
            info = self._files.get_file_info(self._path(key))
        return None if info.type == self._fs.FileType.NotFound else self._info(info)

    def below(self, key: str, address: str, *, recursive: bool = True) -> Iterator[tuple[str, Info]]:
        """Yield the files and folders of a folder, and of its folders, with their paths below it."""
        path = self._path(key)
        with _told(address):
            found = self._files.get_file_info(
                self._fs.FileSelector(path, recursive=recursive, allow_not_found=True)
            )
        for info in found:
            yield info.path[len(path) + 1 :], self._info(info)

    def open(self, key: str, address: str) -> io.RawIOBase:
        """Open a file for reading; raise FileNotFoundError if it is missing."""

        def read(at: int, size: int) -> bytes:
            with _told(address):
                return bytes(file.read_at(size, at))

        with _told(address):
            file = self._files.open_input_file(self._path(key))
            return in_ranges(read, file.size())

    def put(self, file: Path, key: str, address: str) -> None:
        """Store a local file. It appears when it is complete."""
        with file.open("rb") as data, _told(address):
            stream = self._files.open_output_stream(self._path(key))
            with stream:
                while piece := data.read(_PIECE):
                    stream.write(piece)

    def _path(self, key: str) -> str:
        return f"{self._name}/{key}" if key else str(self._name)

    def _info(self, info: Any) -> Info:  # noqa: ANN401 - pyarrow has no types
        is_folder = info.type == self._fs.FileType.Directory
        return Info(info.size or 0, str(info.mtime_ns), is_folder=is_folder)


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Turn an error of a store into a sentence."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # pyarrow's ArrowInvalid is a ValueError
        if isinstance(error, OSError) and error.errno is not None and not isinstance(error, PermissionError):
            raise
        text = str(error)
        reason = next((words for pattern, words in _REASONS if re.search(pattern, text, re.IGNORECASE)), None)
        raise StoreUnavailable(f"{address}: {reason or _first_line(error)}.") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300].rstrip(".")


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
        return in_ranges(lambda at, size: _range(url, address, at, size)[0], _info(url, address).size)

    def put(self, _file: Path, _key: str, address: str) -> None:
        """Refuse: a server takes no files."""
        raise StoreUnavailable(f"{address}: a web server takes no files. Give a folder or a bucket for the output.")


@lru_cache(64)
def store_at(root: str) -> Bucket | WebFiles:
    """Return the bucket or server at an address; a process opens each once."""
    return WebFiles(root) if root.startswith(("http://", "https://")) else Bucket(root)


def in_ranges(read: Callable[[int, int], bytes], size: int) -> io.RawIOBase:
    """Return a file of a size whose bytes a function reads: from a place on, so many."""
    return _Ranges(read, size)


class _Ranges(io.RawIOBase):
    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        self._read = read
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
        data = self._read(self._at, size)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

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
