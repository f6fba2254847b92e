"""Read pages from tables: Parquet files and JSON lines, each row with an address and HTML."""

import gzip
import io
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, BinaryIO, cast

import msgspec

from sitestencil.crawl.input.crawled import MOST_BYTES, CrawlPage, Record, Skipped, fault, in_unicode, page_of_row
from sitestencil.crawl.input.places import Place, buffered
from sitestencil.errors import PackageMissing, UnusableInput

_URL_NAMES = ("url", "uri", "address", "warc_target_uri")
_HTML_NAMES = ("html", "content", "body", "raw_html", "html_content", "raw_content")
_LIST_OF_PAGES = "json-pages-"  # https://specs.webrecorder.net/wacz/1.1.1/
_ROWS = 64
_BUFFER = 1 << 20
_MOST_UNPACKED = 1 << 28
_MOST_TIMES = 200  # HTML packs to a tenth or so, pages of one site to a fiftieth
_BATCH_BYTES = 1 << 27
_ITEM_BYTES = 8  # of a list, which a few bytes can repeat without end
_LARGEST_ROW = 2 * MOST_BYTES
_LONGEST_LINE = 4 * MOST_BYTES  # a page's byte may take several in JSON
_TOO_LONG = f"Its line has more than {_LONGEST_LINE:,} bytes."
_UNPACKS_TO_MUCH = (
    f"The row group from here on unpacks to over {_MOST_UNPACKED:,} bytes, {_MOST_TIMES} times the file."
)
_ROWS_UNPACK_TO_MUCH = f"The rows up to here unpack to over {_MOST_UNPACKED:,} bytes. The rest is left out."
_ROW_TOO_LARGE = f"Its row has more than {_LARGEST_ROW:,} bytes."
_TOO_LARGE = (_TOO_LONG, _UNPACKS_TO_MUCH, _ROWS_UNPACK_TO_MUCH, _ROW_TOO_LARGE)
_MOST_IN_VAIN, _IN_VAIN_FOR_PAGE = 100_000, 100  # rows without a page: a few bytes can repeat them without end
_MOSTLY_IN_VAIN = f"The file up to here has {_IN_VAIN_FOR_PAGE} times as many rows as pages. The rest is left out."


def is_bomb(unpacked: int, packed: int) -> bool:
    """Return whether a part of a file is too large for its packed bytes."""
    return unpacked > max(_MOST_UNPACKED, _MOST_TIMES * packed)


def read_table(file: Place, name: str, kind: str) -> Iterator[CrawlPage | Skipped]:
    """Yield each row's page; the offset is the row's number, from 0.

    Raises:
        Exception: the file cannot be read, or not further.
    """
    rows = pages = 0
    page: CrawlPage | Skipped
    for number, row in _parquet_rows(file) if kind == "parquet" else enumerate(_json_rows(file)):
        rows += 1
        if rows > _MOST_IN_VAIN + _IN_VAIN_FOR_PAGE * pages:
            yield Skipped(name, number, "broken record", _MOSTLY_IN_VAIN)
            return
        if row is None:
            continue
        if isinstance(row, str):
            reason = "too large" if row in _TOO_LARGE else "broken record"
            yield Skipped(name, number, reason, row)
            continue
        if not number and str(row.get("format")).startswith(_LIST_OF_PAGES):
            yield Skipped(name, number, "not read", "It lists the pages of a WACZ, without their HTML.")
            return
        try:
            url, html, record = _taken(row)
            page = page_of_row(url, html, name, number, record)
        except Exception as error:
            page = Skipped(name, number, "broken record", f"{fault(error)}.")
        pages += isinstance(page, CrawlPage)
        yield page


def _taken(row: dict[str, Any]) -> tuple[Any, Any, Record]:
    """Return a row's address, its HTML, and its other columns as JSON.

    Raises:
        UnusableInput: there are two of them.
    """
    url, html = (_column(list(row), names) for names in (_URL_NAMES, _HTML_NAMES))
    others = {name: value for name, value in row.items() if name not in {url, html}}
    return row.get(url or ""), row.get(html or ""), Record(columns=_as_json(others) if others else None)


def _as_json(columns: dict[str, Any]) -> str:
    try:
        return msgspec.json.encode(columns, enc_hook=str).decode()
    except UnicodeEncodeError:  # JSON lines may hold half of a surrogate pair
        return _as_json(json.loads(in_unicode(json.dumps(columns, ensure_ascii=False))))


def _parquet_rows(file: Place) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield each row with its number; instead of a row group that unpacks to too much, why it is skipped."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise PackageMissing("Parquet is read with pyarrow.", "crawl") from None
    number = cells = 0
    try:
        # With the defaults, a whole column of a row group, perhaps of the file, would be in memory.
        with file.open("rb", buffering=0) as data:
            table = pq.ParquetFile(data, buffer_size=_BUFFER, pre_buffer=False)
            names = table.schema_arrow.names
            if None in (_column(names, _URL_NAMES, file), _column(names, _HTML_NAMES, file)):
                raise UnusableInput(f"{file} has no columns url and html; it has {names}.")
            most_packed = data.seek(0, os.SEEK_END)
            for group in range(table.num_row_groups):
                facts = table.metadata.row_group(group)
                unpacked, packed = _sizes(facts)
                if is_bomb(unpacked, min(packed, most_packed)):
                    yield number, _UNPACKS_TO_MUCH
                    number += facts.num_rows
                    continue
                for batch in batches(table, group):
                    for at in range(batch.num_rows):
                        row = [column[at] for column in batch.columns]
                        size = sum(map(_size, row))
                        cells += size
                        if is_bomb(cells, most_packed):
                            yield number, _ROWS_UNPACK_TO_MUCH
                            return
                        values = map(python_value, row)
                        is_large = size > _LARGEST_ROW
                        yield number, _ROW_TOO_LARGE if is_large else dict(zip(names, values, strict=True))
                        number += 1
    except MemoryError as error:  # a length in the file that no memory holds
        raise UnusableInput(str(error)) from None


def batches(table: Any, group: int, columns: list[str] | None = None) -> Iterator[Any]:  # noqa: ANN401 - pyarrow's
    """Yield a row group of a Parquet file in batches of a bounded size."""
    # Each row may hold the group's longest text again.
    unpacked, _ = _sizes(table.metadata.row_group(group))
    rows = max(1, min(_ROWS, _BATCH_BYTES // max(unpacked, 1)))
    yield from table.iter_batches(batch_size=rows, row_groups=[group], columns=columns, use_threads=False)


def _size(cell: Any) -> int:  # noqa: ANN401 - pyarrow's Scalar
    """Return the bytes of a text or a list, without those that its column shares."""
    import pyarrow as pa

    cell = cell.value if isinstance(cell, pa.DictionaryScalar | pa.ExtensionScalar) else cell
    if cell is None or not cell.is_valid:
        return 0
    if hasattr(cell, "as_buffer"):
        return int(cell.as_buffer().size)
    return int(pa.array([cell], cell.type).nbytes) if pa.types.is_nested(cell.type) else 0


def _sizes(group: Any) -> tuple[int, int]:  # noqa: ANN401 - pyarrow's RowGroupMetaData
    """Return the bytes of a row group when unpacked, and packed, as the file says."""
    columns = [group.column(number) for number in range(group.num_columns)]
    unpacked = sum(
        column.total_uncompressed_size + _ITEM_BYTES * max(0, column.num_values - group.num_rows)
        for column in columns
    )
    return unpacked, sum(column.total_compressed_size for column in columns)


def python_value(scalar: Any) -> Any:  # noqa: ANN401 - whatever type a column has
    """Return Python's own value of Arrow's; if there is none, as for invalid UTF-8, Arrow's text."""
    import pyarrow as pa

    with suppress(ValueError, ArithmeticError, LookupError):
        return scalar.as_py()
    try:
        return scalar.cast(pa.string()).as_buffer().to_pybytes().decode("utf-8", "replace")
    except pa.ArrowException:  # a list or a struct
        return pa.array([scalar]).to_string()


def _column(names: list[str], wanted: tuple[str, ...], of: object = "It") -> str | None:
    """Return the first wanted name, in any case, that there is.

    Raises:
        UnusableInput: it is there twice.
    """
    for name in wanted:
        columns = [one for one in names if one.lower() == name]
        if len(columns) > 1:
            raise UnusableInput(f"{of} has {len(columns)} columns {name}.")
        if columns:
            return columns[0]
    return None


def _json_rows(file: Place) -> Iterator[dict[str, Any] | str | None]:
    with ExitStack() as files:
        packed = files.enter_context(buffered(file.open("rb", buffering=0), file))
        lines = files.enter_context(_unpacked(packed, file.suffix))
        unpacked, is_whole = 0, True
        while True:
            if not (line := lines.readline(_LONGEST_LINE)):
                return
            unpacked += len(line)
            if is_bomb(unpacked, packed.tell()):
                yield _ROWS_UNPACK_TO_MUCH
                return
            was_whole, is_whole = is_whole, len(line) < _LONGEST_LINE or line.endswith(b"\n")
            if was_whole:
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


def _json_row(line: bytes) -> dict[str, Any] | str | None:
    if not line.strip():
        return None
    try:
        row = json.loads(line, object_pairs_hook=_object)
    except UnusableInput as error:
        return str(error)
    except Exception as error:
        return f"It is no JSON: {fault(error)}."
    return row if isinstance(row, dict) else "It is no JSON object."


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        _column([name for name, _ in pairs], _HTML_NAMES)
    return members
