"""Write pages as WARC conversion records and as JSON lines; a temporary name marks a file until it is complete."""

import gzip
import hashlib
from abc import ABC, abstractmethod
from base64 import b32encode
from typing import Any, Literal, Self
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pyarrow as pa

from sitestencil.crawl.input.places import Place
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.rows import row_of
from sitestencil.crawl.spill import temporary
from sitestencil.version import VERSION

Fields = Literal["own", "datatrove"]


class PackedFile(ABC):
    """A file of pages that is packed as it is written.

    Args:
        file: its final name.
    """

    def __init__(self, file: Place) -> None:
        self._file = file
        self._temporary = temporary(file)

    def __enter__(self) -> Self:
        """Open the file."""
        self._stream = self._temporary.__enter__().open("wb")
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Close the file, and give it its final name unless an error occurred."""
        self._stream.close()
        self._temporary.__exit__(kind, *rest)

    @abstractmethod
    def add(self, content: PageContent) -> None:
        """Write a page."""


class WarcRecords(PackedFile):
    """A WARC file of conversion records (WARC 1.1, 6.7), below a warcinfo record.

    Args:
        file: its final name.
        date: the date of the crawl's start.
    """

    def __init__(self, file: Place, date: str) -> None:
        super().__init__(file)
        self._date = date
        self._info = _id_of(file.name, date)

    def __enter__(self) -> Self:
        """Open the file, and write its warcinfo record."""
        super().__enter__()
        fields = f"software: sitestencil {VERSION}\r\nformat: WARC File Format 1.1\r\n"
        head = {"WARC-Type": "warcinfo", "WARC-Date": self._date, "WARC-Record-ID": self._info}
        self._write({**head, "WARC-Filename": self._file.name, "Content-Type": "application/warc-fields"}, fields)
        return self

    def add(self, content: PageContent) -> None:
        """Write a page's text; its date is that of its record in the input."""
        record = content.record
        head = {
            "WARC-Type": "conversion",
            "WARC-Target-URI": "".join((record.url or content.url).split()),
            "WARC-Date": record.date or self._date,
            "WARC-Record-ID": _id_of(content.url, content.source, str(content.offset)),
            "WARC-Refers-To": record.id,
            "WARC-Warcinfo-ID": self._info,
            "Content-Type": "text/plain; charset=utf-8",
        }
        self._write({name: value for name, value in head.items() if value}, content.text)

    def _write(self, head: dict[str, Any], text: str) -> None:
        block = text.encode("utf-8", "replace")
        digest = b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()
        head |= {"WARC-Block-Digest": f"sha1:{digest}", "Content-Length": len(block)}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        record = b"".join([f"WARC/1.1\r\n{lines}\r\n".encode("utf-8", "replace"), block, b"\r\n\r\n"])
        self._stream.write(gzip.compress(record, 6, mtime=0))


def _id_of(*parts: str) -> str:
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, ' '.join(parts))}>"


class JsonLines(PackedFile):
    """A file of JSON lines, packed with Zstandard.

    Args:
        file: its final name.
        fields: the fields of a line.
    """

    def __init__(self, file: Place, fields: Fields) -> None:
        super().__init__(file)
        self._of = row_of if fields == "own" else _of_datatrove
        self._encoder = msgspec.json.Encoder()

    def __enter__(self) -> Self:
        """Open the file."""
        super().__enter__()
        self._packed = pa.CompressedOutputStream(self._stream, "zstd")
        return self

    def add(self, content: PageContent) -> None:
        """Write a page."""
        self._packed.write(self._encoder.encode(self._of(content)) + b"\n")

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Close the file, and give it its final name unless an error occurred."""
        self._packed.close()
        super().__exit__(kind, *rest)


def _of_datatrove(content: PageContent) -> dict[str, Any]:
    """Return a page as a document of datatrove."""
    row = row_of(content)
    name = row["record_id"] or f"{content.source}/{content.offset}"
    return {"text": row.pop("text"), "id": name, "metadata": row}
