"""Read pages from tables: Parquet files and JSON lines, each row with an address and HTML."""

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO, cast

from sitestencil.errors import PackageMissing, UnusableInput
from sitestencil.site.sources.crawled import MOST_BYTES, CrawlPage, Record, Skipped, in_unicode, page_or_skipped
from sitestencil.site.sources.places import Place, buffered

_URL_NAMES = ("url", "uri", "address", "warc_target_uri")
_HTML_NAMES = ("html", "content", "body", "raw_html", "html_content", "raw_content")
_ROWS = 64
_BUFFER = 1 << 20
_LONGEST_LINE = 4 * MOST_BYTES  # a page's byte may take several in JSON
_LONGEST_DETAIL = 300
_TOO_LONG = f"Its line has more than {_LONGEST_LINE:,} bytes."
_NO_VALUES = "It lacks the address or the HTML."


def read_table(file: Place, name: str, kind: str) -> Iterator[CrawlPage | Skipped]:
    """Yield each row's page; the offset is the row's number, from 0.

    Raises:
        UnusableInput: a Parquet file lacks the columns.
        PackageMissing: pyarrow is not installed.
    """
    rows: Iterator[dict[str, Any] | str | None] = _parquet_rows(file) if kind == "parquet" else _json_rows(file)
    for number, row in enumerate(rows):
        if row is None:
            continue
        if isinstance(row, str):
            reason = "too large" if row is _TOO_LONG else "broken record"
            yield Skipped(name, number, reason, row)
            continue
        url, html, record = _taken(row)
        if isinstance(url, str):
            url = in_unicode(url)  # JSON may hold half of a surrogate pair
        if not isinstance(url, str) or not isinstance(html, str | bytes):
            yield Skipped(name, number, "broken record", _NO_VALUES, url if isinstance(url, str) else "")
        elif len(html) > MOST_BYTES:
            yield Skipped(name, number, "too large", f"It has more than {MOST_BYTES:,} bytes.", url)
        else:
            yield page_or_skipped(url, html, name, number, record=record)


def _taken(row: dict[str, Any]) -> tuple[Any, Any, Record]:
    """Return a row's address, its HTML, and its other columns as JSON."""
    url, html = (_column(list(row), names) for names in (_URL_NAMES, _HTML_NAMES))
    others = {name: value for name, value in row.items() if name not in {url, html}}
    columns = in_unicode(json.dumps(others, ensure_ascii=False, default=str)) if others else None
    return row.get(url or ""), row.get(html or ""), Record(columns=columns)


def _parquet_rows(file: Place) -> Iterator[dict[str, Any] | str]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise PackageMissing("Parquet is read with pyarrow.", "crawl") from None
    try:
        # With the defaults, a whole column of a row group, perhaps of the file, would be in memory.
        with file.open("rb", buffering=0) as data:
            table = pq.ParquetFile(data, buffer_size=_BUFFER, pre_buffer=False)
            names = table.schema_arrow.names
            if None in (_column(names, _URL_NAMES), _column(names, _HTML_NAMES)):
                raise UnusableInput(f"{file} has no columns url and html; it has {names}.")
            for batch in table.iter_batches(batch_size=_ROWS, use_threads=False):
                for row in zip(*batch.columns, strict=True):
                    yield dict(zip(batch.schema.names, map(_value, row), strict=True))
    except (OSError, pa.ArrowException) as error:
        yield _broken_from_here(error)


def _value(scalar: Any) -> Any:  # noqa: ANN401 - whatever type a column has
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes().decode("utf-8", "replace")


def _broken_from_here(error: Exception) -> str:
    return f"The file is broken from here on: {str(error)[:_LONGEST_DETAIL].rstrip('.')}."


def _column(names: list[str], wanted: tuple[str, ...]) -> str | None:
    return next((name for name in wanted if name in names), None)


def _json_rows(file: Place) -> Iterator[dict[str, Any] | str | None]:
    with ExitStack() as files:
        packed = files.enter_context(buffered(file.open("rb", buffering=0), file))
        lines = files.enter_context(_unpacked(packed, file.suffix))
        while True:
            try:
                line = lines.readline(_LONGEST_LINE)
                is_whole = _skip_rest(lines, line)
            except (OSError, EOFError, zlib.error) as error:
                yield _broken_from_here(error)
                return
            if not line:
                return
            yield _json_row(line) if is_whole else _TOO_LONG


def _unpacked(lines: BinaryIO, suffix: str) -> BinaryIO:
    if suffix == ".gz":
        return cast(BinaryIO, gzip.GzipFile(fileobj=lines))
    if suffix != ".zst":
        return lines
    try:
        import pyarrow as pa
    except ImportError:
        raise PackageMissing("Zstandard is unpacked with pyarrow.", "crawl") from None
    return io.BufferedReader(pa.CompressedInputStream(lines, "zstd"), _BUFFER)


def _skip_rest(lines: BinaryIO, line: bytes) -> bool:
    """Return whether a line is short enough to read; otherwise skip its rest."""
    is_whole = len(line) < _LONGEST_LINE or line.endswith(b"\n")
    while len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
        line = lines.readline(_LONGEST_LINE)
    return is_whole


def _json_row(line: bytes) -> dict[str, Any] | str | None:
    if not line.strip():
        return None
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"It is no JSON: {str(error)[:_LONGEST_DETAIL].rstrip('.')}."
    return row if isinstance(row, dict) else "It is no JSON object."
