"""Learn the columns of pages, or of a list's rows: their names, forms and queries."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from unicodedata import normalize

from cssselect import HTMLTranslator

from sitestencil.records.labels import WAYS
from sitestencil.records.names import name_of
from sitestencil.records.slots import TRAIL, Place, Slot, first_picture, is_of_frame, slots_of
from sitestencil.rules.values import Form, Value, form_of

_SURE, _SAID = 0.6, 0.8  # confidence in a name that another column has, too; of texts and dates
_LEAST_NAME, _MARKED = 0.2, 0.85  # of a column without a heading; of a link beside its text
_HEADINGS = frozenset({"h1", "h2", "h3"})
# What no one would name of what markup says: of files, of programs, and of the page as such.
_NEVER = re.compile(r"width|height|position|target|inlanguage|(?!review|rating|dis)\w*count|\w*url|\w*type")
_BY_MARKUP = 0.9


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


def columns_of(
    known: Sequence[Place], held: Sequence[Place], fields: Mapping[str, str], most: int
) -> tuple[tuple[Column, ...], dict[str, str]]:
    """Return the columns of places, at most so many; and what all of them say alike, by its name."""
    if len(known) < 2 or len(held) < 2:
        return (), {}
    stated = {_field_slot(selector, known): name for name, selector in fields.items()}
    if not known[0].root and (picture := first_picture(known)):
        stated[picture] = "image"
    differing = [slot for slot in stated if len({slot.value(place) for place in (*known, *held)} - {None}) > 1]
    slots, alike = slots_of(known, held, differing)
    named = list[Column]()
    for slot in slots:
        form = form_of([value for place in known if (value := slot.value(place))])
        fill = sum(slot.value(place) is not None for place in held) / len(held)
        name, query = name_of(slot, known, form.type, stated.get(slot, "")), _query(slot, [*known, *held])
        named.append(Column(name.text, slot, form, round(fill, 3), name.confidence, query))
    columns, taken = list[Column](), {"url", "text"}
    # The surest of several columns of one name has it alone.
    for column in sorted(named, key=lambda one: (one.slot.key != "", -one.confidence)):
        text = next(text for text in _spellings(column.name) if _folded(text) not in taken)
        is_stated = column.slot in stated
        if not _is_noise(column, known, slots, is_second=text != column.name, is_stated=is_stated):
            taken.add(_folded(text))
            columns.append(replace(column, name=text))
    # As a person reads: first those with a sure name, then the others from above.
    columns.sort(key=lambda one: (one.confidence < _SURE, slots.index(one.slot)))
    said = [*(slot for slot in stated if slot not in differing), *alike]
    constants = {} if known[0].root else _constants(said, stated, known, taken)
    return tuple(sorted(columns[:most], key=lambda one: slots.index(one.slot))), constants


def _is_noise(
    column: Column, places: Sequence[Place], slots: Sequence[Slot], *, is_second: bool, is_stated: bool
) -> bool:
    """Return whether no one would name a column: it repeats another one, is of the frame, or has no name."""
    slot, confidence, kind = column.slot, column.confidence, column.form.type
    is_unsure = not is_stated and (confidence < _SURE or slot.key != "")
    if is_second and (is_unsure or slot.label or (kind in {"text", "date"} and confidence < _SAID)):
        return True
    if is_stated or places[0].root:
        return False
    is_of_text = slot.attribute == "href" and confidence < _MARKED and slot._replace(attribute="") in slots
    is_weak = confidence < _LEAST_NAME and slot.selector[-2:] not in _HEADINGS
    if is_of_text or is_weak or (is_unsure and kind == "link") or _is_technical(column.name, confidence):
        return True
    return is_of_frame(slot, places, is_named=not is_unsure)


def _is_technical(name: str, confidence: float) -> bool:
    return confidence >= _BY_MARKUP and _NEVER.fullmatch(name) is not None


def _constants(
    slots: Sequence[Slot], stated: Mapping[Slot, str], places: Sequence[Place], taken: Container[str]
) -> dict[str, str]:
    """Return the values of slots with a sure name that no column has."""
    constants = dict[str, str]()
    for slot in slots:
        value = next((value for place in places if (value := slot.value(place))), "")
        kind = form_of([value]).type
        name = name_of(slot, places, kind, stated.get(slot, ""))
        is_told = name.confidence >= _SURE and kind not in {"link", "picture"} and not _is_technical(*name)
        if is_told and _folded(name.text) not in taken and not is_of_frame(slot, places, is_named=True):
            constants.setdefault(name.text, value)
    return constants


def _spellings(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def _folded(name: str) -> str:
    """Return what programs may take for the same name."""
    return normalize("NFKC", name).casefold()


def _field_slot(selector: str, places: Sequence[Place]) -> Slot:
    """Return the slot of a page's title, author or date: of several elements the first one counts."""
    having = [(one.page.document, at) for one in places if (at := Slot(selector).first(one)) is not None]
    is_dated = bool(having) and all(document.attributes[at].get("datetime") for document, at in having)
    return Slot(selector, "datetime" if is_dated else "")


def _query(slot: Slot, places: Sequence[Place]) -> str:
    """Return what parsel selects the same values with; its ``::text`` gives one text of an element alone."""
    if slot.key:
        return f"json-ld:{slot.key}"
    if slot.label:
        label = f'descendant-or-self::{slot.selector}[normalize-space()="{slot.label}"]'
        if slot.attribute == "inside":
            found = f'descendant-or-self::{slot.selector}[starts-with(normalize-space(),"{slot.label}")]'
            label = f'substring-after({found},"{slot.label}")'
        return f"xpath:normalize-space({label}{WAYS[slot.attribute]})"
    path = HTMLTranslator().css_to_xpath(slot.selector)
    if slot.attribute == TRAIL:
        return f"xpath:normalize-space(({path}//a)[last()])"
    if slot.attribute:
        return f"{slot.selector}::attr({slot.attribute})"
    having = [(one.page.document, at) for one in places if (at := slot.first(one)) is not None]
    if all([document.texts[run].parent for run in document.runs(at)] in ([], [at]) for document, at in having):
        return f"{slot.selector}::text"
    return f"xpath:normalize-space({path})"
