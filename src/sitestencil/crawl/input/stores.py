"""The methods of a store of files: a bucket, or a web server."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol


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


class Store(Protocol):
    """A store; each method also takes the file's address, for errors.

    Every method raises `StoreUnavailable` if the store cannot be reached, or refuses access.
    """

    def info(self, key: str, address: str) -> Info | None:
        """Return the properties of a file or folder; None if it is missing."""
        ...

    def below(self, key: str, address: str, *, recursive: bool = True) -> Iterator[tuple[str, Info]]:
        """Yield the files and folders of a folder, and of its folders, with their paths below it."""
        ...

    def open(self, key: str, address: str) -> io.RawIOBase:
        """Open a file for reading; raise FileNotFoundError if it is missing."""
        ...

    def put(self, file: Path, key: str, address: str) -> None:
        """Store a local file."""
        ...
