"""Extract the content of pages in memory, one by one or in the batches of a data pipeline."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sitestencil.crawl.content import Formats, SiteExtractor, content_or_skipped
from sitestencil.crawl.input.crawled import CrawlPage, Skipped, page_of_row
from sitestencil.crawl.input.tables import python_value
from sitestencil.crawl.learning import SiteTemplates, in_learning_order, learn_site
from sitestencil.crawl.pages import PageContent
from sitestencil.errors import WrongArgument, shown

_MOST_SITES = 1000
_FEW_PAGES = 8  # learn a site again if it had fewer pages than this and more arrive


def contents(
    pages: Any,  # noqa: ANN401 - tables of libraries that may be missing
    wanted: Formats | None = None,
    *,
    at_a_time: int = 1000,
) -> Iterator[PageContent | Skipped]:
    r"""Yield each page's content, or the reason why it has none, in the order given.

    Keep the pages of one site together: then no text depends on the number of pages held in memory. A site's
    templates are learned from the pages that are held with its first one.

    Args:
        pages: pages of any sites: pairs of address and HTML, mappings with ``url`` and ``html``, or values of
            `crawl_page`. A table with these columns of pandas, polars or Arrow also serves, and so do its batches.
        wanted: the formats to write beside the text.
        at_a_time: the number of pages held in memory. A site's pages are held up to ten times as many.

    Raises:
        WrongArgument: ``pages`` is something else, or a table lacks a column.

    Example:
        >>> from sitestencil.crawl import contents
        >>> frame = "<ul class=menu><li>Home<li>Knots<li>Visit</ul><main>{}</main><p class=end>Harbour street 1"
        >>> texts = [f"<h1>Knot {number}</h1><p>How to tie it, in {number} steps" for number in range(9)]
        >>> pages = [(f"https://ropes.example/{text[8]}", frame.format(text)) for text in texts]
        >>> next(contents(pages)).text
        'Knot 0\nHow to tie it, in 0 steps\n'
    """
    batches = SiteContents(wanted or Formats())
    batch: list[CrawlPage | Skipped] = []
    sites: set[str] = set()
    for page in pages_in(pages):
        site = page.site if isinstance(page, CrawlPage) else None
        if len(batch) >= 10 * at_a_time or (len(batch) >= at_a_time and site is not None and site not in sites):
            yield from batches.of(batch)
            batch.clear()
            sites.clear()
        batch.append(page)
        if site is not None:
            sites.add(site)
    yield from batches.of(batch)


@dataclass
class SiteContents:
    """Extract batches of pages, and remember the templates of recent sites.

    Give it whole sites: a page's text depends on the pages of its site in the batch, in whatever order, and on no
    others. A site that comes in several batches is learned from the first, and again if that had few pages.

    Instances can be pickled. Pass one to a function that maps groups, such as pandas' `groupby` or Ray's.

    Attributes:
        wanted: the formats to write beside the text.
        known: the templates of recent sites, each with the number of pages they were learned from.
    """

    wanted: Formats = field(default_factory=Formats)
    known: OrderedDict[str, tuple[SiteTemplates, int]] = field(default_factory=OrderedDict, repr=False)

    def __call__(self, batch: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - as `contents`
        """Return a batch with columns for the content added.

        A row without content has the reason in ``skipped``, and None in the other columns.

        Args:
            batch: a table as in `contents`, with the columns ``url`` and ``html`` and any others.

        Raises:
            WrongArgument: it is no table, or lacks a column.
        """
        columns = columns_of(batch)
        found = list(self.of(list(pages_in(zip(columns["url"], columns["html"], strict=True)))))
        names = ["text", "way", "kind", "fit", "confidence"]
        names += [name for name in ("markdown", "html") if getattr(self.wanted, name)]
        for name in names:
            # The page's own HTML stays.
            columns["content_html" if name == "html" else name] = [getattr(one, name, None) for one in found]
        columns["skipped"] = [f"{one.reason}: {one.detail}" if isinstance(one, Skipped) else None for one in found]
        return columns

    def of(self, pages: Sequence[CrawlPage | Skipped]) -> Iterator[PageContent | Skipped]:
        """Yield each page's content, or the reason why it has none, in the order given."""
        by_site: dict[str, list[CrawlPage]] = {}
        for page in pages:
            if isinstance(page, CrawlPage):
                by_site.setdefault(page.site, []).append(page)
        extractors = {
            site: SiteExtractor(self._templates(site, of_site), self.wanted) for site, of_site in by_site.items()
        }
        for page in pages:
            yield content_or_skipped(extractors[page.site], page) if isinstance(page, CrawlPage) else page

    def _templates(self, site: str, pages: Sequence[CrawlPage]) -> SiteTemplates:
        templates, learned_from = self.known.pop(site, (None, 0))
        if templates is None or learned_from < min(_FEW_PAGES, len(pages)):
            templates, learned_from = learn_site(site, in_learning_order(pages)), len(pages)
        self.known[site] = templates, learned_from
        if len(self.known) > _MOST_SITES:
            self.known.popitem(last=False)
        return templates


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
