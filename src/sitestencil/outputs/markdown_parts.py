"""Read the parts of lists and tables: their items, rows, and the cells that others cover."""

from collections.abc import Sequence

from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import CELLS

LISTS = frozenset({"ul", "ol", "menu", "dir"})
_MOST_SPANNED = 100
# A row may be much longer than all others, each of which would get its cells.
_MOST_PLACES_PER_CELL = 50


def items(children: Sequence[Element | str]) -> list[Element]:
    """Return the items of a list; a list beside them belongs to the item before it."""
    items: list[Element] = []
    for child in children:
        name = child.name if isinstance(child, Element) else ""
        if name in LISTS and items:
            items[-1].children.append(child)
        else:
            inner = child.children if isinstance(child, Element) and name == "li" else [child]
            items.append(Element("li", children=list(inner)))
    return items


def start(element: Element, children: Sequence[Element | str]) -> int:
    """Return the number of a list's first item."""
    first = next((child for child in children if isinstance(child, Element)), element)
    return _number(element.attributes.get("start") or first.attributes.get("value", ""))


def parts(table: Element, name: str) -> list[Element]:
    """Return the elements of a name in a table and its sections."""
    sections = [child for child in table.children if isinstance(child, Element)]
    inside = [part for section in sections for part in ([section] if section.name == name else section.children)]
    return [part for part in inside if isinstance(part, Element) and part.name == name]


def has_row_headers(row: Element) -> bool:
    """Return whether a row's header cells name the row: it has other cells, which are not empty."""
    names = {
        cell.name for cell in row.children if isinstance(cell, Element) and (cell.name == "th" or cell.children)
    }
    return {"th", "td"} <= names


def grid(rows: Sequence[Element], most_empty: int) -> list[list[Element | None]] | None:
    """Return the cells of a table's rows, all rows of one length; None stands for an empty cell.

    A cell that covers others leaves them empty. Rows without cells are left out.

    Args:
        rows: the ``tr`` elements.
        most_empty: the number of empty cells that may be added.

    Returns:
        None if more would be added, or nearly all cells would be empty: then it is no table.
    """
    covered: dict[int, int] = {}  # per column, the rows that a cell above still covers
    lines: list[list[Element | None]] = []
    cells = places = 0
    for row in rows:
        line: list[Element | None] = []
        for cell in cells_of(row):
            _add_covered(line, covered)
            columns, further_rows = _span(cell, "colspan"), _span(cell, "rowspan") - 1
            covered.update(dict.fromkeys(range(len(line), len(line) + columns), further_rows))
            line += [cell, *[None] * (columns - 1)]
            cells += 1
            if places + len(line) - cells > most_empty:
                return None
        if line:
            _add_covered(line, covered)
            lines.append(line)
            places += len(line)
    width = max(map(len, lines), default=0)
    all_places = width * len(lines)
    if all_places - cells > most_empty or all_places > _MOST_PLACES_PER_CELL * places:
        return None
    return [[*line, *[None] * (width - len(line))] for line in lines]


def cells_of(row: Element) -> list[Element]:
    """Return the cells of a row."""
    return [cell for cell in row.children if isinstance(cell, Element) and cell.name in CELLS]


def _add_covered(line: list[Element | None], covered: dict[int, int]) -> None:
    """Add empty cells where a cell of a row above covers the next columns."""
    while covered.get(len(line), 0) > 0:
        covered[len(line)] -= 1
        line.append(None)


def _span(cell: Element, name: str) -> int:
    """Return the number of columns or rows that a cell covers, by the name of the attribute."""
    return max(1, min(_number(cell.attributes.get(name, "")), _MOST_SPANNED))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1
