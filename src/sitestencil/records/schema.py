"""Learn the columns of a kind's pages and of the lists in them, proved on pages held out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cssselect import HTMLTranslator

from sitestencil.records.names import ColumnType, date_in, name_of, number_in, type_of
from sitestencil.records.slots import LEAST_FILLED, Place, Slot, slots_of
from sitestencil.rules.candidates import candidates
from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import halves
from sitestencil.rules.site_pages import LEAST_OF_KIND, Kind, KindPage

_LEAST_OF_PAGE = 0.5  # of the columns that a page of a pure kind has
_LEAST_ROWS, _MOST_ROWS, _MOST_LISTS, _TRIED_LISTS, _MOST_TABLES = 3, 60, 4, 12, 3
_XPATH = HTMLTranslator()

Value = str | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its name, unique in the table.
        slot: the place of its values.
        type: their type.
        fill: the share of the pages held out that have a value.
        confidence: how sure the name is, 0 to 1.
        query: the same for parsel: CSS with ``::text`` or ``::attr()``, or ``xpath:`` and an XPath.
    """

    name: str
    slot: Slot
    type: ColumnType
    fill: float
    confidence: float
    query: str

    def value(self, place: Place) -> Value:
        """Return the value in a place: a number, a date in ISO 8601, an address or a text; None without one."""
        value = self.slot.value(place)
        if value is None or self.type not in {"number", "price", "date"}:
            return value
        return date_in(value) or value if self.type == "date" else number_in(value)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of a kind's pages, or of a list in them.

    Attributes:
        name: the kind and a number; for a list with its name.
        columns: the columns, in the order of the pages.
        pages: the number of pages that it was learned from and proved on.
        row: the selector of a list's rows; empty for a table of pages.
        lists: the lists in the pages.
    """

    name: str
    columns: tuple[Column, ...]
    pages: int
    row: str = ""
    lists: "tuple[Table, ...]" = ()

    def filled(self, page: KindPage) -> float:
        """Return the share of the columns that a page has; all of none."""
        values = [column.value(page_place(page)) for column in self.columns]
        return 1 - values.count(None) / max(1, len(values))

    def records(self, page: KindPage) -> list[dict[str, Value]]:
        """Return the rows of a page, each with the page's address."""
        places = [Place(page, row) for row in page.matched(self.row)] if self.row else [page_place(page)]
        url: dict[str, Value] = {"url": page.document.url}
        records = [url | {column.name: column.value(place) for column in self.columns} for place in places]
        return [one for one in records if sum(value is not None for value in one.values()) > 1]


def page_place(page: KindPage) -> Place:
    """Return a whole page, with its head, as a place."""
    return Place(page, 0)


def tables_of(kind: Kind) -> list[Table]:
    """Return the tables of a kind: more than one if its pages share their slots in groups only."""
    tables, pages = list[Table](), kind.read()
    while len(pages) >= LEAST_OF_KIND and len(tables) < _MOST_TABLES:
        name = kind.group.id if not tables else f"{kind.group.id}-{len(tables)}"
        table = _table(name, pages)
        pure = [page for page in pages if table.filled(page) >= _LEAST_OF_PAGE]
        if LEAST_OF_KIND <= len(pure) < len(pages):
            table = _table(name, pure)
        if not pure or not (table.columns or table.lists):
            break
        tables.append(table)
        pages = [page for page in pages if page not in pure]
    return tables


def _table(name: str, pages: Sequence[KindPage]) -> Table:
    learn, prove = halves(pages)
    lists = list[Table]()
    for row in _row_selectors(learn):
        found = _columns([_rows(page, row) for page in learn], [_rows(page, row) for page in prove], {})
        if len(found) > 1 and len(lists) < _MOST_LISTS:
            lists.append(Table(f"{name}-list-{len(lists)}", found, len(pages), row))
    fields = field_selectors(learn, prove)
    columns = _columns([[page_place(page)] for page in learn], [[page_place(page)] for page in prove], fields)
    inside = [one for one in columns if _is_in_list(one.slot, lists, learn)]
    return Table(name, tuple(one for one in columns if one not in inside), len(pages), "", tuple(lists))


def _columns(
    learn: Sequence[Sequence[Place]], prove: Sequence[Sequence[Place]], fields: dict[str, str]
) -> tuple[Column, ...]:
    known, held = [place for own in learn for place in own], [place for own in prove for place in own]
    if len(known) < 2 or len(held) < 2:
        return ()
    columns, taken = list[Column](), Counter(["url"])
    named = []
    slots = slots_of(known, held)
    slots += [slot for slot in _field_slots(fields, known) if all(not _is_known(slot, one, known) for one in slots)]
    for slot in slots:
        kind = type_of(slot, [value for place in known if (value := slot.value(place))])
        fill = sum(slot.value(place) is not None for place in held) / len(held)
        named.append((slot, kind, name_of(slot, known, kind, fields), fill))
    # The surest of several columns of one name has it alone.
    for slot, kind, name, fill in sorted(named, key=lambda one: (-one[2].confidence, -one[3])):
        taken[name.text] += 1
        text = name.text if taken[name.text] == 1 else f"{name.text}_{taken[name.text]}"
        columns.append(Column(text, slot, kind, round(fill, 3), name.confidence, _query(slot, known)))
    order = [slot for slot, *_ in named]
    return tuple(sorted(columns, key=lambda column: order.index(column.slot)))


def _field_slots(fields: dict[str, str], places: Sequence[Place]) -> list[Slot]:
    """Return the slots of the pages' title, author and date: there the first of several elements counts."""
    slots = []
    for selector in fields.values():
        places_of = [(place, element) for place in places if (element := place.first(selector)) is not None]
        dated = [place.page.document.attributes[element].get("datetime") for place, element in places_of]
        slots.append(Slot(selector, "datetime" if places_of and all(dated) else ""))
    return slots


def _is_known(slot: Slot, other: Slot, places: Sequence[Place]) -> bool:
    return slot.attribute == other.attribute and all(slot.value(one) == other.value(one) for one in places)


def _query(slot: Slot, places: Sequence[Place]) -> str:
    """Return what parsel selects the same values with; its ``::text`` gives one text of an element alone."""
    if slot.attribute:
        return f"{slot.selector}::attr({slot.attribute})"
    for place in places:
        element, document = place.first(slot.selector), place.page.document
        runs = document.runs(element) if element is not None else range(0)
        if len(runs) > 1 or any(document.texts[run].parent != element for run in runs):
            return f"xpath:normalize-space({_XPATH.css_to_xpath(slot.selector)})"
    return f"{slot.selector}::text"


def _rows(page: KindPage, row: str) -> list[Place]:
    return [Place(page, element) for element in page.matched(row)[:_MOST_ROWS]]


def _row_selectors(pages: Sequence[KindPage]) -> list[str]:
    """Return selectors of the rows of lists: siblings of one kind with content, on most pages."""
    places = []
    for page in pages:
        own = dict[int, int]()
        for children in page.document.children:
            alike: dict[str, list[int]] = {}
            for child in children:
                alike.setdefault(page.document.tags[child], []).append(child)
            for group in alike.values():
                sizes = [(page.words_in(child) & page.content).bit_count() for child in group]
                if sum(map(bool, sizes)) >= _LEAST_ROWS:
                    own.update(zip(group, sizes, strict=True))
        places.append(own)
    chosen = list[str]()
    covered: list[set[int]] = [set() for _ in pages]
    for selector in candidates(pages, places):
        matched = [page.matched(selector) for page in pages]
        filled = sum(len(own) >= _LEAST_ROWS for own in matched)
        is_rows = all(element in own for own, rows in zip(places, matched, strict=True) for element in rows)
        if filled < LEAST_FILLED * len(pages) or not is_rows:
            continue
        ranges = [
            {one for row in rows for one in range(row, page.document.ends[row])}
            for page, rows in zip(pages, matched, strict=True)
        ]
        if not any(not known.isdisjoint(own) for known, own in zip(covered, ranges, strict=True)):
            chosen.append(selector)
            covered = [known | own for known, own in zip(covered, ranges, strict=True)]
        if len(chosen) == _TRIED_LISTS:
            break
    return chosen


def _is_in_list(slot: Slot, lists: Sequence[Table], pages: Sequence[KindPage]) -> bool:
    """Return whether a slot is mostly in rows of a list."""
    inside = 0
    for page in pages:
        element = page_place(page).first(slot.selector)
        rows = [row for one in lists for row in page.matched(one.row)]
        inside += element is not None and any(row <= element < page.document.ends[row] for row in rows)
    return 2 * inside > len(pages)
