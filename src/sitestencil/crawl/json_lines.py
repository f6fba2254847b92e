"""Write pages as JSON lines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pyarrow as pa

from sitestencil.crawl.input.places import Place, written
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import row_of


@contextmanager
def json_lines(file: Place) -> Iterator[Callable[[PageContent], object]]:
    """Give what adds a page to a file, which is packed with Zstandard as it is written."""
    encoder = msgspec.json.Encoder()
    with written(file) as stream, pa.CompressedOutputStream(stream, "zstd") as packed:
        yield lambda content: packed.write(encoder.encode(row_of(content)) + b"\n")
