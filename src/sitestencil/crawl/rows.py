"""Write a crawl's tables of pages and templates as Parquet, in batches."""

import logging
from array import array
from collections.abc import Callable, Sequence
from dataclasses import fields
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from sitestencil.crawl.content import Formats
from sitestencil.crawl.input.places import Place, written
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import ReadPages
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.regions import PageKind
from sitestencil.detectors.detection import Detection
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.plain_text import collapsed, document_text
from sitestencil.outputs.selectors import selectors
from sitestencil.page.document import Document, Range
from sitestencil.page.html_names import NO_TEXT
from sitestencil.page.metadata import Metadata
from sitestencil.printable import printable
from sitestencil.reading.reading import SILENT
from sitestencil.template import Template

log = logging.getLogger(__name__)

_ROWS = 1000
_TEXT_BYTES = 8 * 1024 * 1024
_TEMPLATE_BYTES = 500_000  # assumed for a template's row in memory until it is written
_Row = TypeVar("_Row")

_RANGES = pa.list_(pa.struct([("start", pa.int32()), ("end", pa.int32())]))
_REGIONS = pa.list_(pa.struct([("path", pa.string()), ("text", pa.string()), ("pages", pa.list_(pa.string()))]))
_RENAMED = {"normalized_url": "url"}
_RECORD = {
    "url": "url",
    "record_id": "id",
    "date": "date",
    "status": "status",
    "digest": "digest",
    "truncated": "truncated",
    "input": "columns",
}
_METADATA = tuple(field.name for field in fields(Metadata) if field.name != "url")
PAGES = pa.schema(
    [
        ("url", pa.string()),
        ("normalized_url", pa.string()),
        ("record_id", pa.string()),
        ("date", pa.string()),
        ("status", pa.int32()),
        ("digest", pa.string()),
        ("truncated", pa.string()),
        ("declared_charset", pa.dictionary(pa.int32(), pa.string())),
        ("charset", pa.dictionary(pa.int32(), pa.string())),
        ("source", pa.dictionary(pa.int32(), pa.string())),
        ("offset", pa.int64()),
        ("site", pa.dictionary(pa.int32(), pa.string())),
        ("kind", pa.dictionary(pa.int32(), pa.string())),
        ("way", pa.dictionary(pa.int32(), pa.string())),
        ("page_kind", pa.dictionary(pa.int32(), pa.string())),
        ("fit", pa.float32()),
        ("confidence", pa.float32()),
        ("doubt", pa.dictionary(pa.int32(), pa.string())),
        ("words", pa.int32()),
        ("links", pa.int32()),
        ("elements", pa.int32()),
        ("template", _RANGES),
        *((name, pa.string()) for name in _METADATA),
        ("input", pa.string()),
        ("text", pa.large_string()),
        ("markdown", pa.large_string()),
        ("html", pa.large_string()),
    ]
)
TEMPLATES = pa.schema(
    [
        ("id", pa.string()),
        ("site", pa.string()),
        ("key_page", pa.string()),
        ("pages", pa.list_(pa.string())),
        ("of_kind", pa.int32()),
        ("stands_on", pa.binary()),
        ("confidence", pa.float32()),
        ("regions", _REGIONS),
        ("header", pa.large_string()),
        ("footer", pa.large_string()),
        ("html", pa.large_string()),
        ("template_selectors", pa.list_(pa.string())),
        ("content_selectors", pa.list_(pa.string())),
        ("learned", pa.large_binary()),
        ("site_pages", pa.int32()),
    ]
)


def page_batch(pages: Sequence[PageContent]) -> pa.RecordBatch:
    """Return pages as a table."""
    columns: list[Any] = []
    for field in PAGES:
        if field.name == "template":
            columns.append(_ranges_column([page.template for page in pages]))
            continue
        values = [_value(page, field.name) for page in pages]
        if pa.types.is_large_string(field.type):
            values = [None if value is None else valid_text(value) for value in values]
        columns.append(pa.array(values, _value_type(field.type)))
        if pa.types.is_dictionary(field.type):
            columns[-1] = columns[-1].dictionary_encode()
    return pa.RecordBatch.from_arrays(columns, schema=PAGES)


def _value(page: PageContent, name: str) -> Any:  # noqa: ANN401 - of any column
    if name in _RECORD:
        return getattr(page.record, _RECORD[name])
    return getattr(page.metadata if name in _METADATA else page, _RENAMED.get(name, name), None)


def row_of(page: PageContent) -> dict[str, Any]:
    """Return a page's row, without its template."""
    values = {name: _value(page, name) for name in PAGES.names if name != "template"}
    return {name: valid_text(value) if isinstance(value, str) else value for name, value in values.items()}


def _value_type(column: pa.DataType) -> pa.DataType:
    return column.value_type if pa.types.is_dictionary(column) else column


def _ranges_column(ranges: Sequence[Sequence[Range]]) -> pa.Array:
    starts, ends, offsets = array("i"), array("i"), array("i", [0])
    for of_row in ranges:
        starts.extend(first for first, _ in of_row)
        ends.extend(last for _, last in of_row)
        offsets.append(len(starts))
    pairs = pa.StructArray.from_arrays(
        [pa.array(starts, pa.int32()), pa.array(ends, pa.int32())], names=["start", "end"]
    )
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pairs)


def valid_text(text: str) -> str:
    """Return a text that UTF-8 can encode: half of a surrogate pair becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def template_batch(rows: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    """Return templates as a table."""
    return pa.RecordBatch.from_pylist(rows, schema=TEMPLATES)


def template_row(
    group: PageKind,
    site_pages: int,
    read: ReadPages | None = None,
    wanted: Formats | None = None,
    *,
    outputs: bool = True,
) -> dict[str, Any]:
    """Return a template's row.

    Args:
        group: the kind of page and its template.
        site_pages: the number of the site's pages.
        read: pages that are parsed already.
        wanted: the content whose selectors are written, and whether the template is written as HTML.
        outputs: write the columns that need the template's page.
    """
    if group.key_page is None:
        return {**(group.known or {}), "site_pages": max(group.site_pages, site_pages)}
    page = group.key_page
    sample = (read or {}).get((page.source, page.offset)) or SamplePage(page)
    return {
        "id": group.id,
        "site": group.id.rpartition("/")[0],
        "key_page": page.url,
        "pages": list(group.pages),
        "of_kind": group.of_kind,
        "stands_on": group.stands_on,
        "confidence": group.confidence,
        **(_outputs(group, sample, wanted or Formats()) if outputs else {}),
        "learned": group.learned.to_bytes(),
        "site_pages": site_pages,
    }


def _region_rows(group: PageKind, document: Document) -> list[dict[str, Any]]:
    """Return a template's regions, each with the pages that have it, of those the template was learned from."""
    regions = group.regions
    tops = list(regions.tops())
    of_element: dict[int, list[str]] = {}
    texts: list[list[str]] = []
    for top in tops:
        texts.append([])
        first = regions.sketch.document_elements[top]
        of_element |= dict.fromkeys(range(first, document.ends[first]), texts[-1])
    for run in document.texts:
        if run.parent in of_element and document.tags[run.parent] not in NO_TEXT:
            of_element[run.parent].append(run.text)
    return [
        {
            "path": regions.path(top),
            "text": valid_text(collapsed(" ".join(words)).strip()),
            "pages": [group.pages[number] for number in regions.pages(top)],
        }
        for top, words in zip(tops, texts, strict=True)
    ]


def _outputs(group: PageKind, sample: SamplePage, wanted: Formats) -> dict[str, Any]:
    """Return the columns that need the template's page; none if that fails or takes too long."""
    try:
        with page_limits(MOST_SECONDS):
            document = sample.document
            detection = group.learned.of_key_page
            rest = wanted.choice.rest(document, detection)
            template = Template(document, detection, group.learned.detector)
            content = JudgedPage(document, rest.template, rest.template_texts)
            found = selectors(template.judged_page(), content)
            header, footer = _header_and_footer(sample, detection)
            return {
                "regions": _region_rows(group, document),
                "header": valid_text(header),
                "footer": valid_text(footer),
                "html": valid_text(template.to_html()) if wanted.template_html else None,
                "template_selectors": [valid_text(one) for one in found.template],
                "content_selectors": [valid_text(one) for one in found.content],
            }
    except (Exception, TimeIsUp) as error:
        url = printable(sample.page.url)
        log.warning("The template of %s is written without selectors and HTML: %r", url, error)
        return {}


def _header_and_footer(sample: SamplePage, detection: Detection) -> tuple[str, str]:
    """Return the template's text before the first and after the last text of the content."""
    document = sample.document
    tags, body, runs = document.tags, document.body or 0, document.texts
    of_content = [
        number
        for number, (run, is_template) in enumerate(zip(runs, detection.template_texts, strict=True))
        if not (is_template and detection.template[run.parent])
        and run.parent >= body
        and tags[run.parent] not in SILENT
        if not run.text.isspace()
    ]
    first, last = (of_content[0], of_content[-1]) if of_content else (len(runs), len(runs))
    everything = [True] * len(document)
    header = Detection(everything, [number >= first for number in range(len(runs))], ())
    footer = Detection(everything, [number <= last for number in range(len(runs))], ())
    return document_text(document, header), document_text(document, footer)


class ParquetFile(Generic[_Row]):
    """A Parquet file that rows are added to; a temporary name marks it until it is complete.

    Args:
        file: its final name.
        schema: its columns.
        batch: makes a batch of rows.
        size: returns a row's share of the bytes that a batch may hold.
    """

    def __init__(
        self,
        file: Place,
        schema: pa.Schema,
        batch: Callable[[Sequence[_Row]], pa.RecordBatch],
        size: Callable[[_Row], int],
    ) -> None:
        self._written = written(file)
        self._schema = schema
        self._batch = batch
        self._size = size
        self._rows: list[_Row] = []
        self._bytes = 0

    def __enter__(self) -> Self:
        """Open the file."""
        self._writer = pq.ParquetWriter(self._written.__enter__(), self._schema, compression="zstd")
        return self

    def add(self, row: _Row) -> None:
        """Add a row."""
        self._rows.append(row)
        self._bytes += self._size(row)
        if len(self._rows) >= _ROWS or self._bytes >= _TEXT_BYTES:
            self._flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, and give it its final name unless an error occurred."""
        if kind is None:
            self._flush()
        self._writer.close()
        self._written.__exit__(kind, error, trace)

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_batch(self._batch(self._rows))
            self._rows.clear()
            self._bytes = 0


def page_table(file: Place) -> ParquetFile[PageContent]:
    """Return the file of a table of pages."""

    def size(page: PageContent) -> int:
        return len(page.text) + len(page.markdown or "") + len(page.html or "")

    return ParquetFile(file, PAGES, page_batch, size)


def template_table(file: Place) -> ParquetFile[dict[str, Any]]:
    """Return the file of a table of templates."""
    return ParquetFile(file, TEMPLATES, template_batch, lambda _: _TEMPLATE_BYTES)
