"""The files of a crawl, wherever they are: on this machine, in a bucket, or on a web server.

A `RemotePath` has the few methods of `pathlib.Path` that a crawl needs, so one code reads and writes both. Failures
of a store are `StoreUnavailable`, never `OSError`: readers take an `OSError` for a damaged file.
"""

import gzip
import hashlib
import io
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Self, TypeAlias, cast
from urllib.parse import urlsplit

from sitestencil import kept_files
from sitestencil.crawl.input.stores import BUCKETS, Bucket, Info, WebFiles, store_at
from sitestencil.errors import UnusableInput, UnusableOutput

_WEB = ("http", "https")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_OPTIONS = re.compile(r"\?(?=[a-z_]+=)")  # those of pyarrow behind a bucket's address; a wildcard has no such form
_LOCAL_WINDOW, _REMOTE_WINDOW = 1 << 20, 1 << 22


@dataclass(frozen=True, slots=True)
class RemotePath:
    """A file or folder in a bucket or on a web server.

    Attributes:
        root: the address of its bucket or server, with the credentials and options that were given.
        key: its path there.
        given: the path that the user gave; others are made from it.
    """

    root: str
    key: str
    given: str

    @classmethod
    def of(cls, address: str) -> Self:
        """Return the place of an address.

        Raises:
            UnusableInput: the address is of no known kind, or names no bucket.
        """
        scheme, _, rest = address.partition("://")
        scheme = scheme.lower()
        if scheme not in (*BUCKETS, *_WEB):
            raise UnusableInput(f"{address}: addresses of files begin with s3://, gs://, https:// or http://.")
        options = ""
        if scheme in BUCKETS and (mark := _OPTIONS.search(rest)):
            rest, options = rest[: mark.start()], rest[mark.start() :]
        host, _, key = rest.partition("/")
        if not host:
            raise UnusableInput(f"{address} names no {'server' if scheme in _WEB else 'bucket'}.")
        key = key.strip("/") if scheme in BUCKETS else key
        return cls(f"{scheme}://{host}{options}", key, key)

    def __str__(self) -> str:
        """Return the address, without credentials and options."""
        parts = urlsplit(self.root)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{self.key}".rstrip("/")

    def __truediv__(self, name: str) -> "RemotePath":
        """Return a place below this one."""
        return RemotePath(self.root, f"{self.key}/{name}".lstrip("/"), self.given)

    @property
    def name(self) -> str:
        """Its last part, without a query."""
        path = self.key.partition("?")[0] if self.is_web else self.key
        return path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The ending of its name."""
        return PurePosixPath(self.name).suffix

    @property
    def parents(self) -> "Sequence[RemotePath]":
        """The folders that hold it, from the nearest."""
        parts = self.key.split("/")
        ends = range(len(parts) - 1, -1, -1)
        return [RemotePath(self.root, "/".join(parts[:end]), self.given) for end in ends]

    @property
    def parent(self) -> "RemotePath":
        """The folder that holds it."""
        return self.parents[0]

    @property
    def is_web(self) -> bool:
        """Whether it is on a web server, which lists no folders and takes no files."""
        return self.root.partition("://")[0] in _WEB

    @property
    def scratch(self) -> Path:
        """A folder on this machine for what belongs to the place that was given: temporary files and a lock.

        Raises:
            UnusableOutput: another user owns the folder or can use it, or a link or file is in its place.
        """
        digest = hashlib.sha256(f"{self.root}/{self.given}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"sitestencil-{digest}"
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not _is_private(folder.lstat()):
            raise UnusableOutput(
                f"{folder} is no folder that only you can use. Delete it, or set TMPDIR to a folder of your own."
            )
        return folder

    @property
    def _store(self) -> Bucket | WebFiles:
        return store_at(self.root)

    def info(self) -> Info | None:
        """Return the properties of a file or folder; None if it is missing."""
        return self._store.info(self.key, str(self))

    def exists(self) -> bool:
        """Return whether a file or folder is there."""
        return self.info() is not None

    def below(self) -> Iterator[tuple[str, Info]]:
        """Yield all files and folders of a folder and its folders, with their paths below it."""
        return self._store.below(self.key, str(self))

    def iterdir(self) -> "Iterator[RemotePath]":
        """Yield the files and folders of a folder."""
        return (self / path for path, _ in self._store.below(self.key, str(self), recursive=False))

    def glob(self, pattern: str) -> "Iterator[RemotePath]":
        """Yield the files and folders of a folder whose names match a pattern."""
        return (entry for entry in self.iterdir() if fnmatchcase(entry.name, pattern))

    def resolve(self) -> Self:
        """Return the place itself."""
        return self

    def open(self, _mode: str = "rb", buffering: int = _REMOTE_WINDOW) -> BinaryIO:
        """Open the file for reading.

        Raises:
            FileNotFoundError: no file is there.
        """
        raw = self._store.open(self.key, str(self))
        return cast(BinaryIO, raw) if buffering == 0 else io.BufferedReader(raw, buffering)

    def read_bytes(self) -> bytes:
        """Return the file's bytes."""
        with self.open() as file:
            return file.read()

    def put(self, file: Path) -> None:
        """Store a local file here."""
        self._store.put(file, self.key, str(self))


Place: TypeAlias = Path | RemotePath


def place(text: str) -> Place:
    """Return the place that an argument names: a path, or an address with a scheme."""
    return RemotePath.of(text) if _SCHEME.match(text) else Path(text)


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder that exists.

    Attributes:
        place: its place.
        info: its size and version.
        path: its path below the folder that was listed, or its name.
    """

    place: Place
    info: Info
    path: str


def found(given: Place) -> list[Found]:
    """Return the files and folders that an argument names: one, or those that match its wildcards, by name.

    Raises:
        UnusableInput: there are none.
    """
    info = _info(given)
    if info is not None:
        return [Found(given, info, given.name)]
    is_pattern = has_magic(str(given)) and not (isinstance(given, RemotePath) and given.is_web)
    if not is_pattern:
        raise UnusableInput(f"{given} does not exist.")
    matching = _matching(given)
    if not matching:
        raise UnusableInput(f"No file matches {given}.")
    return matching


def listed(file: Place, prefix: str) -> list[Place]:
    """Return the places that a file names, one on each line; empty lines and those that begin with # do not count.

    Args:
        file: the list, packed with gzip if its name ends with ``.gz``.
        prefix: precedes each line.

    Raises:
        UnusableInput: the file is missing, empty, or no such list.
    """
    try:
        data = file.read_bytes()
        lines = (gzip.decompress(data) if file.suffix == ".gz" else data).decode().splitlines()
    except FileNotFoundError:
        raise UnusableInput(f"{file} does not exist.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError):
        raise UnusableInput(f"{file} is no list of paths.") from None
    paths = [place(f"{prefix}{line.strip()}") for line in lines if line.strip() and not line.startswith("#")]
    if not paths:
        raise UnusableInput(f"{file} names no path.")
    return paths


def written(file: Place) -> AbstractContextManager[BinaryIO]:
    """Give a new file to write; it gets its name, or is stored in its bucket, when the block succeeds."""
    if isinstance(file, RemotePath):
        return kept_files.written(file.scratch / file.name, file.put)
    return kept_files.written(file)


def write_place(file: Place, data: bytes) -> None:
    """Write a file whole; see `written`."""
    with written(file) as stream:
        stream.write(data)


def home_of(folder: Place) -> Path:
    """Return the folder on this machine that belongs to an output's folder: mostly that one."""
    return folder.scratch if isinstance(folder, RemotePath) else folder


def files_below(folder: Place) -> list[Found]:
    """Return all files of a folder and its folders, by path; links are followed, and each folder counts once."""
    if isinstance(folder, RemotePath):
        files = [Found(folder / path, info, path) for path, info in folder.below() if not info.is_folder]
    else:
        files = [
            Found(file, info, file.relative_to(folder).as_posix())
            for parent, names in _walked(folder)
            for name in names
            if (info := _info(file := Path(parent, name))) is not None
        ]
    return sorted(files, key=lambda file: file.path.split("/"))


def _walked(folder: Path) -> Iterator[tuple[str, list[str]]]:
    met: set[str] = set()
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders.sort()
        if (real := os.path.realpath(parent)) in met:
            folders.clear()
        else:
            met.add(real)
            yield parent, names


def buffered(raw: BinaryIO, file: Place) -> BinaryIO:
    """Return a buffer for many short reads of a file: each read of a store is a request."""
    window = _REMOTE_WINDOW if isinstance(file, RemotePath) else _LOCAL_WINDOW
    return io.BufferedReader(cast(io.RawIOBase, raw), window)


def _is_private(facts: os.stat_result) -> bool:
    """Return whether this is a folder, of this user alone where the system has users."""
    is_ours = not hasattr(os, "getuid") or (facts.st_uid == os.getuid() and not facts.st_mode & 0o077)
    return stat.S_ISDIR(facts.st_mode) and is_ours


def _info(given: Place) -> Info | None:
    if isinstance(given, RemotePath):
        return given.info()
    # A pipe or a device may never end.
    if not (given.is_file() or given.is_dir()):
        return None
    facts = given.stat()
    return Info(facts.st_size, str(facts.st_mtime_ns), is_folder=given.is_dir())


def _matching(given: Place) -> list[Found]:
    if not isinstance(given, RemotePath):
        names = glob(str(given), recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
        return [Found(file, info, file.name) for file in map(Path, sorted(names)) if (info := _info(file))]
    parts = given.key.split("/")
    fixed = next(number for number, part in enumerate(parts) if has_magic(part))
    folder = RemotePath(given.root, "/".join(parts[:fixed]), given.given)
    entries = sorted((path.split("/"), info) for path, info in folder.below())
    return [
        Found(folder / "/".join(path), info, path[-1]) for path, info in entries if _matches(path, parts[fixed:])
    ]


def _matches(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether a path's parts match; ``**`` is any number of folders."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_matches(path[skipped:], pattern[1:]) for skipped in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and _matches(path[1:], pattern[1:])
