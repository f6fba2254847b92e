"""Pages from tables: Parquet files and JSON lines, each row with an address and HTML."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sitestencil.crawl.pages import CrawlPage, Skipped, page_or_skipped
from sitestencil.crawl.reading_limits import MOST_BYTES
from sitestencil.errors import PackageMissing, UnusableInput

_URL_NAMES = ("url", "uri", "address", "warc_target_uri")
_HTML_NAMES = ("html", "content", "body", "raw_html", "html_content", "raw_content")
_ROWS = 64
_NO_VALUES = "It lacks the address or the HTML."


def read_table(file: Path, name: str, kind: str) -> Iterator[CrawlPage | Skipped]:
    """Yield each row's page; the offset is the number of the row, from 0.

    Raises:
        UnusableInput: a Parquet file cannot be read, or lacks the columns.
        PackageMissing: pyarrow is not installed.
    """
    rows = _parquet_rows(file) if kind == "parquet" else _json_rows(file)
    for number, row in enumerate(rows):
        if isinstance(row, str):
            yield Skipped(name, number, "broken record", row)
            continue
        url, html = row
        if not isinstance(url, str) or not isinstance(html, str | bytes):
            yield Skipped(name, number, "broken record", _NO_VALUES, url if isinstance(url, str) else "")
        elif len(html) > MOST_BYTES:
            yield Skipped(name, number, "too large", f"It has more than {MOST_BYTES:,} bytes.", url)
        else:
            yield page_or_skipped(url, html, name, number)


def _parquet_rows(file: Path) -> Iterator[tuple[Any, Any]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise PackageMissing("Parquet is read with pyarrow.", "crawl") from None
    try:
        table = pq.ParquetFile(file)
        columns = _column(table.schema_arrow.names, _URL_NAMES), _column(table.schema_arrow.names, _HTML_NAMES)
        if None in columns:
            raise UnusableInput(f"{file} has no columns url and html; it has {table.schema_arrow.names}.")
        for batch in table.iter_batches(batch_size=_ROWS, columns=list(columns)):
            for url, html in zip(batch[columns[0]], batch[columns[1]], strict=True):
                yield url.as_py(), html.as_py()
    except (OSError, pa.ArrowException) as error:
        raise UnusableInput(f"{file} cannot be read: {error}") from None


def _column(names: list[str], wanted: tuple[str, ...]) -> str | None:
    return next((name for name in wanted if name in names), None)


def _json_rows(file: Path) -> Iterator[tuple[Any, Any] | str]:
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        while True:
            try:
                line = lines.readline(4 * MOST_BYTES)
            except (OSError, EOFError) as error:
                yield f"The file is broken from here on: {error}."
                return
            if not line:
                return
            yield _json_row(line)


def _json_row(line: bytes) -> tuple[Any, Any] | str:
    try:
        row = json.loads(line)
    except ValueError as error:
        return f"It is no JSON: {error}."
    if not isinstance(row, dict):
        return "It is no JSON object."
    url = next((row[name] for name in _URL_NAMES if name in row), None)
    return url, next((row[name] for name in _HTML_NAMES if name in row), None)
