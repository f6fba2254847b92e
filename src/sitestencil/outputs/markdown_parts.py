"""Read the parts of lists and tables: their items, rows, and the cells that others cover."""

from collections.abc import Sequence

from sitestencil.outputs.tree import Element

LISTS = frozenset({"ul", "ol", "menu", "dir"})
_MOST_SPANNED = 100


def items(children: Sequence[Element | str]) -> list[Element]:
    """Return the items of a list; a list beside them belongs to the item before it."""
    items: list[Element] = []
    for child in children:
        name = child.name if isinstance(child, Element) else ""
        if name in LISTS and items:
            items[-1].children.append(child)
        else:
            own = child.children if isinstance(child, Element) and name == "li" else [child]
            items.append(Element("li", children=list(own)))
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


def add_covered(row: Element, covered: dict[int, int]) -> None:
    """Add empty cells where a cell of a row above covers the next columns."""
    while covered.get(len(row.children), 0) > 0:
        covered[len(row.children)] -= 1
        row.children.append(Element("td"))


def span(cell: Element, name: str) -> int:
    """Return the number of columns or rows that a cell covers, by the name of the attribute."""
    return max(1, min(_number(cell.attributes.get(name, "")), _MOST_SPANNED))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1
