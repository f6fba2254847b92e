"""Read the parts of Markdown: items, rows and cells of lists and tables, code, formulas, images, raised signs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from sitestencil.outputs.plain_text import collapsed, counts_visits, picture_words, preformatted
from sitestencil.outputs.tree import Element, walk
from sitestencil.page.html_names import CELLS
from sitestencil.reading.formulas import tidy_tex
from sitestencil.reading.page_tex import PageTex, only_defines

LISTS = frozenset({"ul", "ol", "menu", "dir"})
_MOST_SPANNED = 100
# A row may be much longer than all others, each of which would get its cells.
_MOST_PLACES_PER_CELL = 50
# A relative address has no scheme; only a page of unknown address has any.
_IMAGE = re.compile(r"(?:https?://|(?!#|[a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
_PLAYER = re.compile(
    r"https?://(?:[^/?#]*(?:player|video|vimeo|youtube)[^/?#]*/|[^?#]*/(?:embed|player|videos?)[/.?])",
    re.IGNORECASE,
)
PLAYERS = frozenset({"iframe", "video", "audio"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix"}
_ROMAN |= {5: "v", 4: "iv", 1: "i"}
MOST_LABELLED = 3_999
_SIZE = re.compile(r"\d{1,6}(?:\.\d{1,6})?", re.ASCII)


def items(children: Sequence[Element | str]) -> list[Element]:
    """Return the items of a list; a list beside them belongs to the item before it."""
    items: list[Element] = []
    for child in children:
        name = child.name if isinstance(child, Element) else ""
        if name in LISTS and items:
            items[-1].children.append(child)
        else:
            inner = child.children if isinstance(child, Element) and name == "li" else [child]
            given = child.attributes if isinstance(child, Element) and name == "li" else {}
            items.append(Element("li", attributes=given, children=list(inner)))
    return items


def numbers(element: Element, items: Sequence[Element]) -> list[int]:
    """Return the numbers of a list's items."""
    step = -1 if "reversed" in element.attributes else 1
    found: list[int] = []
    following = _number(element.attributes.get("start", ""), len(items) if step < 0 else 1)
    for item in items:
        found.append(_number(item.attributes.get("value", ""), following))
        following = found[-1] + step
    return found


def label(number: int, kind: str) -> str:
    """Return how a list of a type labels an item.

    >>> label(4, "i"), label(28, "A"), label(3, "1")
    ('iv.', 'AB.', '3.')
    """
    text = ""
    if kind in {"i", "I"}:
        for value, sign in _ROMAN.items():
            text, number = text + sign * (number // value), number % value
    elif kind in {"a", "A"}:
        while number > 0:
            number, letter = divmod(number - 1, len(_LETTERS))
            text = _LETTERS[letter] + text
    return f"{(text.upper() if kind in {'I', 'A'} else text) or number}."


def parts(table: Element, name: str) -> list[Element]:
    """Return the elements with a name in a table and its sections."""
    sections = [child for child in table.children if isinstance(child, Element)]
    inside = [part for section in sections for part in ([section] if section.name == name else section.children)]
    return [part for part in inside if isinstance(part, Element) and part.name == name]


def rows_and_left(table: Element) -> tuple[list[Element], list[int]]:
    """Return the rows of a table that have cells, and how many each group still has from each of them on."""
    groups: dict[int, list[Element]] = {}
    for child in table.children:
        if isinstance(child, Element):
            own = [child] if child.name == "tr" else child.children
            groups.setdefault(0 if child.name == "tr" else id(child), []).extend(
                row for row in own if isinstance(row, Element) and row.name == "tr" and cells_of(row)
            )
    rows = [row for group in groups.values() for row in group]
    return rows, [left for group in groups.values() for left in range(len(group), 0, -1)]


def has_row_headers(row: Element) -> bool:
    """Return whether a row's header cells name the row: it has other cells, which are not empty."""
    names = {
        cell.name for cell in row.children if isinstance(cell, Element) and (cell.name == "th" or cell.children)
    }
    return {"th", "td"} <= names


def grid(rows: Sequence[Element], rows_left: Sequence[int], most_empty: int) -> list[list[Element | None]] | None:
    """Return the cells of a table's rows, all rows of one length; None stands for an empty cell.

    A cell that covers others leaves them empty. Rows without cells are left out.

    Args:
        rows: the ``tr`` elements.
        rows_left: per row, how many rows its group has from there on: no cell covers more.
        most_empty: the number of empty cells that may be added.

    Returns:
        None if more would be added, or nearly all cells would be empty: then it is no table.
    """
    covered: dict[int, int] = {}  # per column, the rows that a cell above still covers
    lines: list[list[Element | None]] = []
    cells = places = 0
    for row, left in zip(rows, rows_left, strict=True):
        line: list[Element | None] = []
        for cell in cells_of(row):
            _add_covered(line, covered)
            columns, further_rows = _span(cell, "colspan"), min(_span(cell, "rowspan"), left) - 1
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
    """Return the number of columns or rows that a cell covers, by the attribute's name; 0 stands for all rows."""
    given = _number(cell.attributes.get(name, ""))
    return min(given or (_MOST_SPANNED if name == "rowspan" else 1), _MOST_SPANNED)


def _number(text: str, otherwise: int = 1) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise


def code_text(element: Element) -> str:
    """Return the text of code."""
    return "".join(
        "" if is_end else node if isinstance(node, str) else _of_code(node) for node, is_end in walk(element)
    )


def _of_code(node: Element) -> str:
    return "\n" if node.name == "br" else node.attributes.get("alt", "") if node.name == "img" else ""


def code_block(element: Element, language: str) -> Element | str:
    """Return a block of code."""
    text = code_text(element)
    if not text.strip():
        return ""
    return Element("pre", attributes={"language": language}, children=[preformatted(text)])


def code(element: Element, *, in_cell: bool) -> Element | str:
    """Return code within a line. In a cell, an escaped bar would be two characters: there it stays text."""
    text = collapsed(code_text(element))
    if not text.strip() or (in_cell and "\\|" in text):
        return text
    return Element("code", children=[text])


def formula(element: Element, *, is_block: bool, in_cell: bool) -> Element | str:
    """Return a formula; with `is_block`, one on lines of its own stays so. A bar would end a cell."""
    tex = str(element.children[0])
    if in_cell:
        tex = tex.replace("\\|", r"\Vert ").replace("|", r"\vert ")
    shown = dict(element.attributes) if is_block else {}
    return Element("tex", attributes=shown, children=[tex])


def words_and_formulas(text: str, written: PageTex) -> Iterator[Element | str]:
    r"""Yield a text in pieces: words, and the formulas that the page would draw among them.

    >>> from sitestencil.reading.page_tex import ENDS
    >>> pieces = words_and_formulas(r"Let \(x_1\) be $$.", PageTex(ENDS, is_drawn=False))
    >>> [getattr(piece, "children", piece) for piece in pieces]
    ['Let ', ['x_1'], ' be $$.']
    """
    place = 0
    for found in written.find(text):
        tex = "" if only_defines(found.tex) else tidy_tex(found.tex)
        yield text[place : found.start]
        if tex:
            yield Element("tex", attributes={"display": "block"} if found.is_block else {}, children=[tex])
        place = found.end
    yield text[place:]


def image(attributes: Mapping[str, str]) -> Element | str:
    """Return an image, or the words that stand for it."""
    if counts_visits(attributes):
        return ""
    address, words = attributes.get("src") or _largest(attributes.get("srcset", "")), picture_words(attributes)
    return Element("img", attributes={"src": address, "alt": words}) if _IMAGE.match(address) else words


def player(name: str, attributes: Mapping[str, str], sources: Iterable[str] = ()) -> Element | str:
    """Return a link to the film or sound that an element plays, of its poster; nothing for a frame of another kind.

    Args:
        name: the element's name, one of `PLAYERS`.
        attributes: its attributes.
        sources: the addresses of its sources.
    """
    plays = _PLAYER if name == "iframe" else _IMAGE
    address = next(filter(plays.match, [attributes.get("src", ""), *sources]), None)
    if address is None:
        return ""
    host, _, path = address.partition("//")[2].partition("/")
    file = "" if name == "iframe" else unquote(path.partition("?")[0].rpartition("/")[2])
    words = collapsed(attributes.get("title") or attributes.get("aria-label") or file).strip() or host
    poster = attributes.get("poster", "")
    shown = Element("img", attributes={"src": poster, "alt": words}) if _IMAGE.match(poster) else words
    return Element("a", attributes={"href": address}, children=[shown])


def _largest(source_set: str) -> str:
    """Return the address of the largest image in a ``srcset``.

    >>> _largest("https://example.org/a.png 1x, https://example.org/b.png 2x")
    'https://example.org/b.png'
    """
    images = [image.partition(" ") for image in source_set.split(", ")]
    sizes = (_SIZE.match(size) for _, _, size in images)
    return max(zip((float(size[0]) if size else 1 for size in sizes), images, strict=True))[1][0]
