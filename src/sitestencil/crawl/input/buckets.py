"""Files in buckets, by the filesystems that pyarrow has built in. They find the user's credentials themselves."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sitestencil.errors import PackageMissing, StoreUnavailable

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

    @classmethod
    @lru_cache(16)
    def at(cls, root: str) -> "Bucket":
        """Return the bucket at an address; a process opens each once."""
        return cls(root)

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
        with _told(address):
            return _Stream(self._files.open_input_file(self._path(key)), address)

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


class _Stream(io.RawIOBase):
    """A file in a bucket whose failures are `StoreUnavailable`."""

    def __init__(self, file: Any, address: str) -> None:  # noqa: ANN401 - pyarrow has no types
        self._file = file
        self._address = address

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        with _told(self._address):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


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
