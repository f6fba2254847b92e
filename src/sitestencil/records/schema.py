"""Learn the columns of a kind's pages and of the lists in them, proved on pages held out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from unicodedata import normalize

from cssselect import HTMLTranslator

from sitestencil.crawl.kinds import SAME_KIND_FROM, path_steps, similarity
from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.errors import OutOfMemory
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.key_sketch import KeySketch
from sitestencil.reading.reading import element_text
from sitestencil.records.names import name_of
from sitestencil.records.slots import ROW, Place, Slot, is_of_frame, slots_of, stated_in
from sitestencil.rules.fields import field_selectors
from sitestencil.rules.learning import halves
from sitestencil.rules.site_pages import LEARNING_SECONDS, LEAST_OF_KIND, Kind, KindPage
from sitestencil.rules.values import Form, Value, form_of
from sitestencil.selectors.candidates import candidates

_LEAST_OF_PAGE = 0.5  # of the columns that a page of a pure kind has
_LEAST_ROWS, _MOST_ROWS, _MOST_LISTS, _TRIED_LISTS, _MOST_TABLES = 3, 60, 4, 12, 3
_LEAST_LISTED, _MOST_OTHER = 0.3, 0.1  # of the pages, that have a list, and whose rows are of another form
_LEAST_NEW = 0.4  # of the rows of a list, that differ
_ENTRIES = frozenset({"li", "tr", "dt", "dd"})  # an entry may be one text
MOST_COLUMNS = 15
_SURE, _SAID = 0.6, 0.8  # confidence in a name that another column has, too; of texts and dates

Record = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its unique name with the confidence in it, the slot of its values, and their form.

    `fill` is the share of the pages held out that have a value. `query` is the same for parsel: CSS with ``::text``
    or ``::attr()``, or ``xpath:`` and an XPath; of JSON-LD it is ``json-ld:`` and the key.
    """

    name: str
    slot: Slot
    form: Form
    fill: float
    confidence: float
    query: str

    def value(self, place: Place) -> Value:
        """Return the value in a place: a number, a date in ISO 8601, an address or a text; None without one."""
        value = self.slot.value(place)
        return None if value is None else self.form.read(value)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of a kind's pages; or of a list in them, with the selector of its rows.

    Its columns are in the order of the pages, of which `pages` were learned from and proved on. `left_out` are the
    selectors of rows that make no list, with the reason. `constants` are what all pages say alike in JSON-LD.
    """

    name: str
    columns: tuple[Column, ...]
    pages: int
    row: str = ""
    lists: "tuple[Table, ...]" = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)

    def filled(self, page: KindPage) -> float:
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
    tables, pages = list[Table](), kind.read()
    try:
        with page_limits(LEARNING_SECONDS):
            while len(pages) >= LEAST_OF_KIND and len(tables) < _MOST_TABLES:
                name = kind.group.id if not tables else f"{kind.group.id}-{len(tables)}"
                table = _table(name, pages, most)
                if not (table.columns or table.lists):
                    table = _table(name, _of_one_form(pages), most)
                pure = [page for page in pages if table.filled(page) >= _LEAST_OF_PAGE]
                if LEAST_OF_KIND <= len(pure) < len(pages):
                    table = _table(name, pure, most)
                if not pure or not (table.columns or table.lists):
                    break
                tables.append(table)
                pages = [page for page in pages if page not in pure]
    except (TimeIsUp, OutOfMemory):
        return []
    return tables


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
    lists, left_out = list[Table](), dict[str, str]()
    for row in _row_selectors(learn):
        known, held = (
            [Place(page, one) for page in outside for one in page.matched(row)[:_MOST_ROWS]]
            for outside in (learn, prove)
        )
        if len(lists) == _MOST_LISTS:
            left_out[row] = f"there are {_MOST_LISTS} larger lists"
            continue
        if len({element_text(one.page.document, one.root) for one in known}) < _LEAST_NEW * len(known):
            left_out[row] = "most of its rows are the same on other pages"
            continue
        found = _columns(known, held, {}, most)
        if len(found) < 2 and all(one.page.document.tags[one.root] in _ENTRIES for one in (*known, *held)):
            found = (Column("text", Slot(ROW), Form("text"), 1.0, 0.5, "xpath:normalize-space(.)"),)
        elif len(found) < 2:
            left_out[row] = "its rows have fewer than two values that differ"
            continue
        lists.append(Table(f"{name}-list-{len(lists)}", found, len(pages), row))
    columns = _columns([*map(Place, learn)], [*map(Place, prove)], field_selectors(learn, prove), most)
    outside = tuple(one for one in columns if not _is_in_list(one.slot, lists, learn))
    said = [stated_in(page.document) for page in pages]
    constants = dict(one for one in said[0] if all(one in other for other in said))
    return Table(name, outside, len(pages), "", tuple(lists), left_out, constants)


def _columns(
    known: Sequence[Place], held: Sequence[Place], fields: Mapping[str, str], most: int
) -> tuple[Column, ...]:
    if len(known) < 2 or len(held) < 2:
        return ()
    stated = {_field_slot(selector, known): name for name, selector in fields.items()}
    slots, columns, taken = slots_of(known, held, [*stated]), list[Column](), {"url", "text"}
    named = []
    for slot in slots:
        form = form_of([value for place in known if (value := slot.value(place))])
        fill = sum(slot.value(place) is not None for place in held) / len(held)
        named.append((slot, form, name_of(slot, known, form.type, stated.get(slot, "")), fill))
    # The surest of several columns of one name has it alone.
    for slot, form, name, fill in sorted(named, key=lambda one: (one[0].key, -one[2].confidence, -one[3])):
        text = next(text for text in _spellings(name.text) if _folded(text) not in taken)
        is_unsure = slot not in stated and (name.confidence < _SURE or slot.key != "")
        is_other = is_unsure or (form.type in {"text", "date"} and name.confidence < _SAID)
        is_noise = (is_other and text != name.text) or (is_unsure and is_of_frame(slot, known))
        if len(columns) == most or is_noise:
            continue
        taken.add(_folded(text))
        columns.append(Column(text, slot, form, round(fill, 3), name.confidence, _query(slot, [*known, *held])))
    return tuple(sorted(columns, key=lambda column: slots.index(column.slot)))


def _spellings(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def _folded(name: str) -> str:
    """Return what programs may take for the same name."""
    return normalize("NFKC", name).casefold()


def _field_slot(selector: str, places: Sequence[Place]) -> Slot:
    """Return the slot of a page's title, author or date: of several elements the first one counts."""
    having = [(one.page.document, at) for one in places if (at := one.first(selector)) is not None]
    is_dated = bool(having) and all(document.attributes[at].get("datetime") for document, at in having)
    return Slot(selector, "datetime" if is_dated else "")


def _query(slot: Slot, places: Sequence[Place]) -> str:
    """Return what parsel selects the same values with; its ``::text`` gives one text of an element alone."""
    if slot.key:
        return f"json-ld:{slot.key}"
    if slot.attribute:
        return f"{slot.selector}::attr({slot.attribute})"
    having = [(one.page.document, at) for one in places if (at := one.first(slot.selector)) is not None]
    if all([document.texts[run].parent for run in document.runs(at)] in ([], [at]) for document, at in having):
        return f"{slot.selector}::text"
    return f"xpath:normalize-space({HTMLTranslator().css_to_xpath(slot.selector)})"


def _row_selectors(pages: Sequence[KindPage]) -> list[str]:
    """Return selectors of the rows of lists: siblings of one tag with content, on a share of the pages."""
    places = []
    for page in pages:
        found = dict[int, int]()
        for children in page.document.children:
            alike: dict[str, dict[int, int]] = {}
            for child in children:
                size = (page.words_in(child) & page.content).bit_count()
                alike.setdefault(page.document.tags[child], {})[child] = size
            for group in alike.values():
                if sum(map(bool, group.values())) >= _LEAST_ROWS:
                    found |= group
        places.append(found)
    chosen = list[str]()
    covered: list[set[int]] = [set() for _ in pages]
    for selector in candidates([page.document for page in pages], places):
        matched = [page.matched(selector) for page in pages]
        # A page may have few rows, or none.
        listed = [
            found.keys() >= {*rows} for found, rows in zip(places, matched, strict=True) if len(rows) >= _LEAST_ROWS
        ]
        is_filled = len(listed) >= max(2, _LEAST_LISTED * len(pages))
        if not is_filled or listed.count(False) > _MOST_OTHER * len(listed):
            continue
        ranges = [
            {one for row in rows for one in range(row, page.document.ends[row])}
            for page, rows in zip(pages, matched, strict=True)
        ]
        if all(known.isdisjoint(found) for known, found in zip(covered, ranges, strict=True)):
            chosen.append(selector)
            covered = [known | found for known, found in zip(covered, ranges, strict=True)]
        if len(chosen) == _TRIED_LISTS:
            break
    return chosen


def _is_in_list(slot: Slot, lists: Sequence[Table], pages: Sequence[KindPage]) -> bool:
    """Return whether a slot is mostly in rows of a list."""
    inside = 0
    for page in pages:
        element = Place(page).first(slot.selector)
        rows = [row for one in lists for row in page.matched(one.row)]
        inside += element is not None and any(row <= element < page.document.ends[row] for row in rows)
    return 2 * inside > len(pages)
