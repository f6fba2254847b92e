"""Read a page once: the pieces of its text in page order, before anything of it is chosen."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sitestencil.page.document import Document, once
from sitestencil.page.hidden import without_text
from sitestencil.page.html_names import BLOCKS, CELLS, HEADINGS, NO_PAGE_TEXT, NO_TEXT, UNSEEN, VOID
from sitestencil.reading.footnotes import footnotes
from sitestencil.reading.formulas import formulas
from sitestencil.reading.names import layout_of_code, read_names
from sitestencil.reading.roles import role_names
from sitestencil.reading.signs import sign_names
from sitestencil.reading.substitutes import Replaced, substitutes, words_of
from sitestencil.reading.white_space import keeps_lines

# The codes of pieces. Each has a number: that of a text for the first three, else that of an element.
TEXT = 0
LINES = 1  # a text whose line ends count
CODE = 2  # a text whose spaces and line ends count
EDGE = 3  # a block begins or ends
BREAK = 4
CODE_BREAK = 5
CELL = 6  # a table's cell ends
SPACE = 7  # parts two words
PICTURE = 8
INSTEAD = 9  # words in the place of an element
QUOTE = 10  # a quotation within a line begins or ends

# Elements without text. That of a template element counts only inside shadow trees; readings have parentheses.
SILENT = (UNSEEN | NO_PAGE_TEXT | NO_TEXT | {"math"}) - {"dialog", "rp", "template"}
_CHANGES = frozenset({"del", "ins", "s", "strike"})
# Where letters and numbers of two elements are one word.
_ONE_WORD = frozenset({"code", "kbd", "samp", "sub", "sup", "tt"})
# Elements that may be words of their own beside each other; see `_are_apart`.
_WORDS = _CHANGES | {"a"}
# A table with these inside serves the layout, whatever its cells are.
_PARTS_OF_PAGES = HEADINGS | {"table", "pre", "article", "section", "form", "nav"}


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """How a page reads.

    Attributes:
        hidden: per element, whether nobody sees its text.
        names: the names to read elements by, where these are not their own.
        tags: per element, the name to read it by.
        replaced: the formulas, references to notes and other words to write in the place of elements, hidden ones
            included.
        notes: the number of each footnote's element.
        codes: the pieces of the text in page order.
        numbers: the number of each piece's text or element.
        begins: per element, its first piece.
        ends: per element, one past its last piece.
        inner: per element, whether the elements inside are read one by one.
        links: the links that can be seen.
        data_tables: the tables of data.
    """

    hidden: Sequence[bool]
    names: Mapping[int, str]
    tags: Sequence[str]
    replaced: Mapping[int, Replaced]
    notes: Mapping[int, int]
    codes: Sequence[int]
    numbers: Sequence[int]
    begins: Sequence[int]
    ends: Sequence[int]
    inner: Sequence[int]
    links: Sequence[int]
    data_tables: Set[int]

    @cached_property
    def instead(self) -> Mapping[int, str]:
        """The words in the place of elements: formulas between dollar signs, references in brackets."""
        return {element: words_of(one) for element, one in self.replaced.items()}


@once
def reading(document: Document) -> Reading:
    """Return how a page reads."""
    return _Reader(document).read()


def element_text(document: Document, element: int) -> str:
    """Return the text of an element as a reader sees it, on one line, without words for pictures.

    >>> from sitestencil import parse
    >>> page = parse("<p>Harbour street 11<br>Town<script>0</script>", "https://site.example/")
    >>> element_text(page, page.tags.index("p"))
    'Harbour street 11 Town'
    """
    read, texts, parts = reading(document), document.texts, list[str]()
    pieces = slice(read.begins[element], read.ends[element])
    for code, number in zip(read.codes[pieces], read.numbers[pieces], strict=True):
        if code <= CODE:
            parts.append(texts[number].text)
        elif code != PICTURE:
            parts.append(read.instead[number] if code == INSTEAD else '"' if code == QUOTE else " ")
    return " ".join("".join(parts).split())


def are_two_words(one: str, next_one: str) -> bool:
    """Return whether texts of elements side by side are two words.

    >>> are_two_words("Categories", "Company"), are_two_words("Width", "4 m"), are_two_words("1", "Rope Walk")
    (True, True, True)
    """
    end, begin = one[-1:], next_one[:1]
    if "a" <= end <= "z":
        return "A" <= begin <= "Z" or "0" <= begin <= "9"
    return "0" <= end <= "9" and "A" <= begin <= "Z" and "a" <= next_one[1:2] <= "z"


def _are_apart(one: str, next_one: str) -> bool:
    """Return whether elements of these names are two words, however close a style sheet draws them."""
    return one == next_one == "a" or (one != next_one and one in _CHANGES and next_one in _CHANGES)


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._hidden, self._names = without_text(document), {**role_names(document), **read_names(document)}
        self._tags = _named_tags(document.tags, self._names)
        self._keeps_lines = keeps_lines(document)
        self._layout_of_code = layout_of_code(document)
        notes = footnotes(document)
        self._notes = notes.notes
        others = substitutes(document, notes) | sign_names(document, self._names)
        of_formulas = formulas(document)
        self._inside = sorted(of_formulas)  # these are read in hidden parts, too
        shown = {element: one for element, one in others.items() if not self._hidden[element]}
        self._replaced: dict[int, Replaced] = {**shown, **of_formulas}
        self._codes: list[int] = []
        self._numbers: list[int] = []
        self._links: list[int] = []
        self._run = 0  # the next text
        self._code = -1  # the element whose spaces count; -1 outside of such
        self._last = ""  # the last words of the line
        self._line = -1  # the heading or cell all of which is one line; -1 outside of such
        self._data_tables = _data_tables(document, self._tags)
        self._after = ""  # the last link or change that ended, without text since then
        # Without text since then, 1 after the end of an element within a line, 2 after the next one's begin.
        self._between = 0

    def read(self) -> Reading:
        document, hidden, replaced, tags = self._document, self._hidden, self._replaced, self._tags
        tree_ends, codes = document.ends, self._codes
        element, count = document.body or 0, len(document)
        shown = {document.parents[root] for root in document.embedded}  # frames, and hosts of shadow trees
        begins, ends, inner = [0] * count, [0] * count, bytearray(count)
        has_first, has_next = bytearray(count), bytearray(count)  # whether a text follows the begin, or the end
        for parent, after, _ in document.texts:
            (has_first if after < 0 else has_next)[parent if after < 0 else after] = True
        self._run = document.runs(element).start
        opened: list[int] = []
        while True:
            while opened and tree_ends[opened[-1]] <= element:
                left = opened.pop()
                self._close(left, tags[left])
                ends[left] = len(codes)
                if has_next[left]:
                    self._add_texts(document.parents[left], left)
            if element >= count:
                break
            name = tags[element]
            begins[element] = len(codes)
            if element in replaced or hidden[element] or (name in SILENT and element not in shown):
                self._pass_over(element, name)
                ends[element] = len(codes)
                if has_next[element]:
                    self._add_texts(document.parents[element], element)
                element = tree_ends[element]
            else:
                opened.append(element)
                inner[element] = True
                self._open(element, name)
                if has_first[element]:
                    self._add_texts(element, -1)
                element += 1
        lines = codes, self._numbers, begins, ends, inner, self._links
        return Reading(hidden, self._names, tags, replaced, self._notes, *lines, self._data_tables)

    def _put(self, code: int, number: int) -> None:
        self._codes.append(code)
        self._numbers.append(number)

    def _open(self, element: int, name: str) -> None:
        if name in BLOCKS:
            self._end_line(EDGE, element)
            if name == "pre" and self._code < 0:
                self._code = element
            elif name in HEADINGS and self._line < 0:
                self._line = element
        elif name == "br":
            if self._code < 0:
                self._end_line(BREAK, element)
            else:
                self._put(CODE_BREAK, element)
        elif name in CELLS and self._line < 0 and self._is_data(element):
            self._line = element
        elif name == "text" or (self._after and self._code < 0 and _are_apart(self._after, name)):
            self._put(SPACE, element)
        elif name == "img":
            self._put(PICTURE, element)
        elif name == "q":
            self._put(QUOTE, element)
        elif self._between and name not in _ONE_WORD:
            self._between = 2

    def _close(self, element: int, name: str) -> None:
        if element == self._line:
            self._line = -1
        if name in BLOCKS:
            self._end_line(EDGE, element)
            if element == self._code:
                self._code = -1
        elif name in CELLS:
            self._put(CELL, element)
            self._last = ""
        elif name == "q":
            self._put(QUOTE, element)
        elif name not in VOID:
            self._between = 0 if name in _ONE_WORD else 1
            if name in _WORDS:
                self._after = name
                if name == "a":
                    self._links.append(element)

    def _is_data(self, cell: int) -> bool:
        """Return whether a cell is one of a table of data."""
        row = self._document.parents[cell]
        group = self._document.parents[row]
        return group in self._data_tables or self._document.parents[group] in self._data_tables

    def _end_line(self, code: int, element: int) -> None:
        if self._line >= 0:
            code = SPACE
        if code != EDGE or not self._codes or self._codes[-1] != EDGE:
            self._put(code, element)
        self._last = ""

    def _add_texts(self, parent: int, after: int) -> None:
        """Add the texts of an element that follow one of its children, or its own begin."""
        texts, code = self._document.texts, TEXT if self._code < 0 else CODE
        if self._keeps_lines and self._keeps_lines[parent] and code == TEXT and self._line < 0:
            code = LINES
        for run in range(self._run, len(texts)):
            one, other, text = texts[run]
            if one != parent or other != after:
                return
            self._run += 1
            if code == CODE and parent in self._layout_of_code and text.isspace():
                continue
            if self._between > 1 and self._code < 0 and are_two_words(self._last, text):
                self._put(SPACE, self._numbers[-1])
            self._between, self._after, self._last = 0, "", text
            self._codes.append(code)
            self._numbers.append(run)

    def _pass_over(self, element: int, name: str) -> None:
        """Read an element without its texts; of a hidden part, the formulas. A hidden block parts texts."""
        end = self._document.ends[element]
        self._run = self._document.runs(element).stop
        if element in self._replaced or self._hidden[element]:
            self._between, self._after, self._last = 0, "", ""
        if element in self._replaced:
            self._put(INSTEAD, element)
        elif self._hidden[element]:
            if name in BLOCKS:
                self._end_line(EDGE, element)
            self._put(SPACE, element)
            for inside in self._inside[bisect_left(self._inside, element) : bisect_left(self._inside, end)]:
                self._put(INSTEAD, inside)
                self._put(SPACE, inside)


def _data_tables(document: Document, tags: Sequence[str]) -> frozenset[int]:
    """Return the tables of data: they have header cells, and no parts of pages inside."""
    ends = document.ends
    headers = [element for element, tag in enumerate(tags) if tag == "th"]
    if not headers:
        return frozenset()
    parts = [element for element, tag in enumerate(tags) if tag in _PARTS_OF_PAGES]

    def holds(table: int, elements: Sequence[int]) -> bool:
        return bisect_left(elements, table + 1) < bisect_left(elements, ends[table])

    tables = (element for element in parts if tags[element] == "table")
    return frozenset(table for table in tables if holds(table, headers) and not holds(table, parts))


def _named_tags(tags: Sequence[str], names: Mapping[int, str]) -> list[str]:
    named = list(tags)
    for element, name in names.items():
        named[element] = name
    return named
