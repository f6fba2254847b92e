"""Write the records of a site: a file for each table, and the schema for programs that need none of this."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, Protocol

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.rows import valid_text
from sitestencil.records.schema import Table, Value, tables_of
from sitestencil.rules.site_pages import SitePages, group_of, kinds_of, read_pages

Format = Literal["parquet", "csv", "jsonl"]
_ROWS = 1_000
_LEAST_FILLED = 0.5  # of a table's columns, for a page that belongs to it


class _Writer(Protocol):
    def write(self, batch: pa.RecordBatch) -> Any: ...  # noqa: ANN401 - as pyarrow has it

    def close(self) -> None: ...


class _JsonLines:
    def __init__(self, file: Path, _schema: pa.Schema) -> None:
        self._lines = file.open("w", encoding="utf-8")

    def write(self, batch: pa.RecordBatch) -> None:
        self._lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in batch.to_pylist())

    def close(self) -> None:
        self._lines.close()


_WRITERS: Mapping[Format, Callable[[Path, pa.Schema], _Writer]] = {
    "parquet": pa.parquet.ParquetWriter,
    "csv": pa.csv.CSVWriter,
    "jsonl": _JsonLines,
}


class _TableFile:
    """A table's file; it is begun with its first rows."""

    def __init__(self, table: Table, folder: Path, form: Format) -> None:
        self._table, self._form = table, form
        self._file = folder / f"{file_name(table)}.{form}"
        types = {"number": pa.float64(), "price": pa.float64()}
        columns = [(column.name, types.get(column.type, pa.string())) for column in table.columns]
        self._schema = pa.schema([("url", pa.string()), *columns])
        self._rows: list[dict[str, Value]] = []
        self._writer: _Writer | None = None
        self.count = 0

    def add(self, rows: Sequence[dict[str, Value]]) -> None:
        self._rows += [
            {name: valid_text(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in rows
        ]
        self.count += len(rows)
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        self._writer = self._writer or _WRITERS[self._form](self._file, self._schema)
        self._writer.write(pa.RecordBatch.from_pylist(self._rows, self._schema))
        self._rows.clear()

    def close(self) -> None:
        self._flush()
        assert self._writer is not None
        self._writer.close()


def file_name(table: Table) -> str:
    """Return the name of a table's file, without its ending."""
    return table.name.replace("/", "-").replace(":", "+")


def write_records(
    inputs: Sequence[str], sites: Sequence[SitePages], folder: Path, form: Format
) -> tuple[dict[Table, int], int]:
    """Write the tables of sites; return the rows of each, and the number of pages that are in no table.

    Args:
        inputs: the inputs, which are read again for all their pages.
        sites: the pages of each site to learn from.
        folder: an existing folder.
        form: the format of the tables.

    Raises:
        OSError: a file cannot be written.
    """
    by_site = {site.site: {kind: tables_of(kind) for kind in kinds_of(site)} for site in sites}
    files: dict[Table, _TableFile] = {}
    unplaced = 0
    with ExitStack() as stack:
        for page in read_pages(inputs):
            found = None if isinstance(page, Skipped) else _placed(page, by_site.get(page.site, {}))
            unplaced += found is None and not isinstance(page, Skipped)
            for table, rows in found or ():
                if table not in files:
                    files[table] = file = _TableFile(table, folder, form)
                    stack.callback(file.close)
                files[table].add(rows)
    tables = [table for own in by_site.values() for of_kind in own.values() for table in of_kind]
    schema = json.dumps([_schema(table) for table in tables], indent=1, ensure_ascii=False)
    (folder / "schema.json").write_text(f"{schema}\n", encoding="utf-8", errors="replace")
    return {table: file.count for table, file in files.items()}, unplaced


def _placed(page: CrawlPage, kinds: Mapping[Any, list[Table]]) -> list[tuple[Table, list[dict[str, Value]]]] | None:
    """Return the rows of a page by table; None if it belongs to none."""
    groups = [kind.group for kind in kinds]
    group = group_of(page, groups)
    kind = next((kind for kind in kinds if kind.group is group), None)
    judged = kind.judged(page) if kind is not None and kinds[kind] else None
    if kind is None or judged is None:
        return None
    table = max(kinds[kind], key=lambda table: table.filled(judged))
    if table.filled(judged) < _LEAST_FILLED:
        return None
    return [(one, rows) for one in (table, *table.lists) if (rows := one.records(judged))]


def _schema(table: Table) -> dict[str, Any]:
    """Return a table as plain data; ``fields`` and ``row`` are what parsel selects with."""
    columns = [
        {"name": one.name, "type": one.type, "filled": one.fill, "name_confidence": one.confidence}
        for one in table.columns
    ]
    fields = {column.name: column.query for column in table.columns}
    lists = {"lists": [_schema(one) for one in table.lists]} if table.lists else {}
    row = {"row": table.row} if table.row else {}
    return {"table": file_name(table), **row, "pages": table.pages, "fields": fields, "columns": columns, **lists}
