"""Read pages from rows in memory: tuples, mappings, and tables of pandas, polars and Arrow."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sitestencil.errors import shown
from sitestencil.site.sources.crawled import MOST_BYTES, CrawlPage, Skipped, page_or_skipped

_COLUMNS = "url", "html"


def pages_in(rows: Any) -> Iterator[CrawlPage | Skipped]:  # noqa: ANN401 - tables of libraries that may be missing
    """Yield each row's page, or the reason why it has none; the offset is the row's number.

    Args:
        rows: pages, pairs of address and HTML, or mappings with ``url`` and ``html``; or a table with these columns
            of pandas, polars or Arrow.
    """
    for number, row in enumerate(_rows(rows)):
        yield row if isinstance(row, CrawlPage | Skipped) else _page(row, number)


def columns_of(batch: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - as `pages_in`
    """Return the columns of a batch as lists of Python's own values."""
    if hasattr(batch, "to_pydict"):  # Arrow
        return dict(batch.to_pydict())
    columns = batch.to_dict(as_series=False) if hasattr(batch, "iter_rows") else batch  # polars
    return {str(name): [_plain(value) for value in values] for name, values in columns.items()}


def _rows(rows: Any) -> Iterable[Any]:  # noqa: ANN401
    if hasattr(rows, "to_pydict") or hasattr(rows, "iter_rows") or hasattr(rows, "iloc"):
        columns = columns_of(rows)
        return zip(*(columns[name] for name in _COLUMNS), strict=True)
    return rows  # type: ignore[no-any-return]


def _page(row: Any, number: int) -> CrawlPage | Skipped:  # noqa: ANN401
    if isinstance(row, Mapping):
        row = row.get("url"), row.get("html")
    url, html = map(_plain, row) if isinstance(row, tuple | list) and len(row) == 2 else (None, None)
    if isinstance(url, bytes):
        url = url.decode("utf-8", "replace")
    if not isinstance(url, str) or not isinstance(html, str | bytes):
        detail = f"It has no address or no HTML: {shown(row)}."
        return Skipped("", number, "broken record", detail, url if isinstance(url, str) else "")
    if not html.strip():
        return Skipped("", number, "empty", "It has no HTML but white space.", url)
    if len(html) > MOST_BYTES:
        return Skipped("", number, "too large", f"It has more than {MOST_BYTES:,} bytes.", url)
    return page_or_skipped(url, html, "", number)


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return Python's own value of a library's scalar."""
    for method in ("as_py", "item"):  # Arrow, NumPy
        if hasattr(value, method):
            return getattr(value, method)()
    return bytes(value) if isinstance(value, bytearray | memoryview) else value
