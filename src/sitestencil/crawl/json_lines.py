"""Write pages as JSON lines; a temporary name marks a file until it is complete."""

from typing import Self

import msgspec
import pyarrow as pa

from sitestencil.crawl.input.places import Place
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import row_of
from sitestencil.crawl.spill import temporary


class JsonLines:
    """A file of JSON lines, packed with Zstandard as it is written.

    Args:
        file: its final name.
    """

    def __init__(self, file: Place) -> None:
        self._temporary = temporary(file)
        self._encoder = msgspec.json.Encoder()

    def __enter__(self) -> Self:
        """Open the file."""
        self._stream = self._temporary.__enter__().open("wb")
        self._packed = pa.CompressedOutputStream(self._stream, "zstd")
        return self

    def add(self, content: PageContent) -> None:
        """Write a page."""
        self._packed.write(self._encoder.encode(row_of(content)) + b"\n")

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Close the file, and give it its final name unless an error occurred."""
        self._packed.close()
        self._stream.close()
        self._temporary.__exit__(kind, *rest)
