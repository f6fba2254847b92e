"""Read pages from rows in memory: tuples, mappings, and tables of pandas, polars and Arrow."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sitestencil.crawl.input.crawled import CrawlPage, Skipped, page_of_row
from sitestencil.crawl.input.tables import python_value
from sitestencil.errors import WrongArgument, shown


def pages_in(rows: Any) -> Iterator[CrawlPage | Skipped]:  # noqa: ANN401 - tables of libraries that may be missing
    """Yield each row's page, or the reason why it has none; the offset is the row's number.

    Args:
        rows: pages, pairs of address and HTML, mappings with ``url`` and ``html``, or tables. Alone, a table or a
            mapping of columns serves too.

    Raises:
        WrongArgument: it is something else, or a table lacks a column.
    """
    for number, row in enumerate(_rows(rows)):
        yield row if isinstance(row, CrawlPage | Skipped) else _page(row, number)


def columns_of(batch: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - as `pages_in`
    """Return the columns of a table as lists.

    Raises:
        WrongArgument: it is no table, or lacks a column.
    """
    if hasattr(batch, "to_pydict"):  # Arrow
        columns = {
            name: [python_value(value) for value in column]
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        }
    elif hasattr(batch, "iter_rows"):  # polars
        columns = batch.to_dict(as_series=False)
    elif hasattr(batch, "items"):
        columns = {str(name): list(values) for name, values in batch.items()}
    else:
        raise WrongArgument(
            f"A table has columns, such as {{'url': [...], 'html': [...]}}; this is {shown(batch)}."
        )
    if not {"url", "html"} <= columns.keys():
        raise WrongArgument(f"A table needs the columns url and html; this one has {list(columns)}.")
    return columns


def _is_table(value: Any) -> bool:  # noqa: ANN401
    return any(hasattr(value, method) for method in ("to_pydict", "iter_rows", "columns"))


def _rows(rows: Any) -> Iterator[Any]:  # noqa: ANN401
    is_columns = isinstance(rows, Mapping) and not isinstance(rows.get("url"), str)
    if _is_table(rows) or is_columns:
        columns = columns_of(rows)
        yield from zip(columns["url"], columns["html"], strict=True)
    elif isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise WrongArgument(
            f"Give rows of address and HTML, or a table with the columns url and html, not {shown(rows)}."
        )
    else:
        for row in rows:
            yield from _rows(row) if _is_table(row) else (row,)


def _page(row: Any, number: int) -> CrawlPage | Skipped:  # noqa: ANN401
    if isinstance(row, Mapping):
        row = row.get("url"), row.get("html")
    if not isinstance(row, tuple | list) or len(row) != 2:
        detail = f"It is no pair of address and HTML, and no mapping with url and html: {shown(row)}."
        return Skipped("", number, "broken record", detail)
    url, html = map(_plain, row)
    return page_of_row(url, html, "", number)


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return Python's own value of a library's scalar."""
    if hasattr(value, "as_py"):  # Arrow
        return python_value(value)
    return bytes(value) if isinstance(value, bytearray | memoryview) else value
