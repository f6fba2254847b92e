"""Find tables that lay out equations: their cells hold formulas, and the numbers of the equations."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitestencil.page.document import Document, once
from sitestencil.page.html_names import CELLS

_NAMED = re.compile(r"(?:^|[\s_-])(?:eqns?|equations?|equationgroup|align)(?:$|[\s_-])", re.IGNORECASE)
_NUMBER = re.compile(r"\s*\(?[A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?\)?\s*")


class EquationTable(NamedTuple):
    """A table that lays out equations: its element, and of each row the formulas."""

    table: int
    rows: Sequence[Sequence[int]]


@once
def equation_tables(document: Document) -> Sequence[EquationTable]:
    """Return the tables that lay out equations, of whose rows each is one formula."""
    return list(_found(document)) if "math" in document.tags else []


def _found(document: Document) -> Iterator[EquationTable]:
    tags, ends = document.tags, document.ends
    for table, tag in enumerate(tags):
        if tag != "table" or not _NAMED.search(document.attributes[table].get("class", "")):
            continue
        within = range(table + 1, ends[table])
        if "table" in tags[table + 1 : ends[table]]:
            continue
        rows = [_formulas(document, row) for row in within if tags[row] == "tr"]
        if all(row is not None for row in rows) and any(rows):
            yield EquationTable(table, [row for row in rows if row])


def _formulas(document: Document, row: int) -> list[int] | None:
    """Return the formulas of a row; None if it has other words than the number of the equation."""
    found: list[int] = []
    for cell in document.children[row]:
        inside = range(cell, document.ends[cell])
        maths = [element for element in inside if document.tags[element] == "math"]
        words = document.text_content(cell).strip()
        in_formulas = sum(_said(document, math) for math in maths)
        if document.tags[cell] not in CELLS or (maths and in_formulas < _said(document, cell)):
            return None
        if not maths and words and not _NUMBER.fullmatch(words):
            return None
        found += maths
    return found


def _said(document: Document, element: int) -> int:
    """Return the number of texts in an element that are no white space."""
    return sum(not document.texts[run].text.isspace() for run in document.runs(element))
