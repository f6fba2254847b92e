"""Write the records of a site: a file for each table, and the schema for programs that need none of this."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.rows import valid_text
from sitestencil.kept_files import write_file, written
from sitestencil.records.schema import MOST_COLUMNS, Record, Table, tables_of
from sitestencil.rules.site_pages import Kind, KindPage, Report, SitePages, group_of, kinds_of
from sitestencil.whole_site.gathering import free_name, plain_name

Format = Literal["parquet", "csv", "jsonl"]
_ROWS = 1_000
_LEAST_FILLED = 0.5  # of a table's columns, for a page that belongs to it


class _JsonLines:
    def __init__(self, stream: BinaryIO, _schema: pa.Schema) -> None:
        self._lines = stream
        self.close = stream.flush

    def write(self, batch: pa.RecordBatch) -> None:
        self._lines.writelines(f"{json.dumps(row, ensure_ascii=False)}\n".encode() for row in batch.to_pylist())


_WRITERS: Mapping[Format, Any] = {
    "parquet": pa.parquet.ParquetWriter,
    "csv": pa.csv.CSVWriter,
    "jsonl": _JsonLines,
}


class _TableFile:
    def __init__(self, table: Table, stream: BinaryIO, form: Format) -> None:
        types = {"number": pa.float64(), "price": pa.float64()}
        columns = [(column.name, types.get(column.form.type, pa.string())) for column in table.columns]
        columns += [] if table.row else [("text", pa.string())]
        self._schema = pa.schema([("url", pa.string()), *columns])
        self._writer = _WRITERS[form](stream, self._schema)
        self._rows: list[Record] = []
        self.count = 0

    def add(self, rows: Sequence[Record]) -> None:
        for row in rows:
            self._rows.append({name: valid_text(one) if isinstance(one, str) else one for name, one in row.items()})
        self.count += len(rows)
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        self._writer.write(pa.RecordBatch.from_pylist(self._rows, self._schema))
        self._rows.clear()

    def close(self) -> None:
        self._flush()
        self._writer.close()


def write_records(
    pages: Iterable[CrawlPage | Skipped],
    sites: Sequence[SitePages],
    folder: Path,
    form: Format,
    report: Report,
    most: int = MOST_COLUMNS,
) -> tuple[dict[str, tuple[Table, int]], int]:
    """Write tables of all pages; return each by the name of its file with its rows, and the number of other pages.

    Sites are the pages to learn from. The folder exists.

    Raises:
        OSError: a file cannot be written.
    """
    kinds = [kind for site in sites for kind in kinds_of(site)]
    of_kinds: dict[Kind, list[Table]] = {}
    for kind in kinds:
        report(len(of_kinds), len(kinds))
        of_kinds[kind] = tables_of(kind, most)
    taken = set[str]()
    tables = [table for of_kind in of_kinds.values() for one in of_kind for table in (one, *one.lists)]
    names = {table: free_name(plain_name(table.name), table.name, taken) for table in tables}
    files: dict[Table, _TableFile] = {}
    unplaced = 0
    with ExitStack() as stack:
        for page in pages:
            if isinstance(page, Skipped):
                continue
            found = _placed(page, {kind: of_kind for kind, of_kind in of_kinds.items() if kind.site == page.site})
            unplaced += not found
            for table, rows in found:
                if table not in files:
                    stream = stack.enter_context(written(folder / f"{names[table]}.{form}"))
                    files[table] = _TableFile(table, stream, form)
                    stack.callback(files[table].close)
                files[table].add(rows)
    data = [_schema(table, names) for of_kind in of_kinds.values() for table in of_kind]
    text = json.dumps(data, indent=1, ensure_ascii=False)
    write_file(folder / "schema.json", f"{text}\n".encode("utf-8", "replace"))
    return {names[table]: (table, file.count) for table, file in files.items()}, unplaced


def _placed(page: CrawlPage, kinds: Mapping[Kind, list[Table]]) -> list[tuple[Table, list[Record]]]:
    """Return the rows of a page by table; none if it belongs to no table."""
    group = group_of(page, [kind.group for kind in kinds])
    kind = next((kind for kind, tables in kinds.items() if tables and kind.group is group), None)
    judged = kind.judged(page) if kind is not None else None
    if kind is None or judged is None:
        return []
    table = likeliest(kinds[kind], judged)
    tables = (table, *table.lists) if table is not None else ()
    return [(one, rows) for one in tables if (rows := one.records(judged))]


def likeliest(tables: Sequence[Table], page: KindPage) -> Table | None:
    """Return the table of which a page has most columns beyond those that it lacks; None if it has half of none."""
    shares = {table: table.belonging(page) for table in tables}
    likely = (table for table, share in shares.items() if share >= _LEAST_FILLED)
    return max(likely, key=lambda table: len(table.columns) * (2 * shares[table] - 1), default=None)


def _schema(table: Table, names: Mapping[Table, str]) -> dict[str, Any]:
    """Return a table as plain data; ``fields`` and ``row`` are what parsel selects with."""
    columns = [
        {"name": one.name, "type": one.form.type, "filled": one.fill, "name_confidence": one.confidence}
        for one in table.columns
    ]
    fields = {column.name: column.query for column in table.columns if not column.slot.key}
    stated = {column.name: column.slot.key for column in table.columns if column.slot.key}
    data = {"table": names[table], "pages": table.pages, "fields": fields, "columns": columns}
    others = {"json_ld": stated, "constants": table.constants, "row": table.row, "lists_left_out": table.left_out}
    data |= {name: one for name, one in others.items() if one}
    if table.lists:
        data["lists"] = [_schema(one, names) for one in table.lists]
    return data
