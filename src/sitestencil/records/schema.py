"""Learn the columns of a kind's pages and of the lists in them, proved on pages held out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sitestencil.crawl.kinds import SAME_KIND_FROM, path_steps, similarity
from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.errors import OutOfMemory
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.key_sketch import KeySketch
from sitestencil.records.columns import Column, columns_of
from sitestencil.records.lists import lists_of
from sitestencil.records.slots import Place
from sitestencil.records.stated import stated_in
from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import halves
from sitestencil.rules.site_pages import LEARNING_SECONDS, LEAST_OF_KIND, Kind, KindPage
from sitestencil.rules.values import Value

_LEAST_OF_PAGE = 0.5  # of the columns that a page of a pure kind has
_MOST_TABLES = 3
_MORE = 1.5  # times the values of one table, in several
MOST_COLUMNS = 15

Record = dict[str, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of a kind's pages; or of a list in them, with the selector of its rows.

    Its columns are in the order of the pages, of which `pages` were learned from and proved on. `left_out` are the
    selectors of rows that make no list, with the reason. `constants` are what all pages say alike.
    """

    name: str
    columns: tuple[Column, ...]
    pages: int
    row: str = ""
    lists: "tuple[Table, ...]" = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)

    def belonging(self, page: KindPage) -> float:
        """Return the share of the columns that a page has; all of none."""
        values = [column.value(Place(page)) for column in self.columns]
        return 1 - values.count(None) / max(1, len(values))

    def records(self, page: KindPage) -> list[Record]:
        """Return the rows of a page, each with its address; of the page itself also its main text."""
        places = [Place(page, row) for row in page.matched(self.row)] if self.row else [Place(page)]
        records = [{column.name: column.value(place) for column in self.columns} for place in places]
        text: Record = {} if self.row else {"text": document_text(page.document, page.rest)}
        filled = (one for one in records if any(value is not None for value in one.values()))
        return [{"url": page.document.url, **one, **text} for one in filled]


def tables_of(kind: Kind, most: int = MOST_COLUMNS) -> list[Table]:
    """Return the tables of a kind: more than one if its pages share their slots in groups only.

    There is none if it would take too much time or memory. A table has at most so many columns, the surest.
    """
    tables = list[Table]()
    try:
        with page_limits(LEARNING_SECONDS):
            todo = [pages for pages, _ in _forms(kind.read(), most, _MOST_TABLES)]
            while todo and len(tables) < _MOST_TABLES:
                pages = todo.pop(0)
                name = kind.group.id if not tables else f"{kind.group.id}-{len(tables)}"
                table = _table(name, pages, most)
                pure = [page for page in pages if table.belonging(page) >= _LEAST_OF_PAGE]
                if LEAST_OF_KIND <= len(pure) < len(pages):
                    table = _table(name, pure, most)
                    todo += [[page for page in pages if page not in pure]]
                if pure and (table.columns or table.lists):
                    tables.append(table)
    except (TimeIsUp, OutOfMemory):
        return []
    return tables


def _forms(pages: Sequence[KindPage], most: int, left: int) -> list[tuple[Sequence[KindPage], int]]:
    """Return pages by their forms, each with its number of values: apart only where that gives many more values."""
    if len(pages) < LEAST_OF_KIND:
        return []
    learn, prove = halves(pages)
    values = len(_page_columns(learn, prove, most)[0]) * len(pages)
    alike = _of_one_form(pages)
    others = [page for page in pages if page not in alike]
    if left > 1 and LEAST_OF_KIND <= len(alike) < len(pages):
        parts = [*_forms(alike, most, 1), *_forms(others, most, left - 1)]
        if sum(count for _, count in parts) > _MORE * values:
            return parts
    return [(pages, values)]


def _of_one_form(pages: Sequence[KindPage]) -> list[KindPage]:
    """Return the most pages that share class paths beyond those of all pages: a kind may hold several forms."""
    paths = [{path for _, path in path_steps(KeySketch(page.document))} for page in pages]
    frame = set.intersection(*paths)
    own = [one - frame for one in paths]
    groups = (
        [page for page, other in zip(pages, own, strict=True) if similarity(one, other) >= SAME_KIND_FROM]
        for one in own
    )
    return max(groups, key=len)


def _table(name: str, pages: Sequence[KindPage], most: int) -> Table:
    learn, prove = halves(pages)
    columns, alike = _page_columns(learn, prove, most)
    found, left_out = lists_of(learn, prove, columns, most)
    lists = [Table(f"{name}-list-{at}", inside, len(pages), row) for at, (row, inside) in enumerate(found)]
    outside = tuple(one for one in columns if not _is_in_list(one, lists, learn))
    said = [stated_in(page.document) for page in pages]
    constants = alike | dict(one for one in said[0] if all(one in other for other in said))
    return Table(name, outside, len(pages), "", tuple(lists), left_out, constants)


def _page_columns(
    learn: Sequence[KindPage], prove: Sequence[KindPage], most: int
) -> tuple[tuple[Column, ...], dict[str, str]]:
    return columns_of([*map(Place, learn)], [*map(Place, prove)], field_selectors(learn, prove), most)


def _is_in_list(column: Column, lists: Sequence[Table], pages: Sequence[KindPage]) -> bool:
    """Return whether a column has mostly the values of a list's rows."""
    inside = 0
    for page in pages:
        rows = [(one, Place(page, row)) for one in lists for row in page.matched(one.row)]
        held = {other.slot.first(place) for one, place in rows for other in one.columns}
        inside += column.slot.first(Place(page)) in held
    return 2 * inside > len(pages)
