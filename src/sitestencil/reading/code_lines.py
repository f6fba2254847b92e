"""Tell blocks of code by their form: lines that are elements, and the numbers and buttons beside them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, HEADINGS
from sitestencil.reading.code_looks import Looks, looks_like_code

# The names to read elements by.
UNREAD = "noscript"  # nobody reads it
INLINE, CODE = "span", "pre"
APART = "text"  # words of their own within a line
LINE, _BLOCK, _BLANK = "div", "div", "br"
_FEWEST_LINES = 2
_LEVELS = 4  # around a code block where its numbers may stand
_MOST_LOOKED_AT = 50  # times the elements of a page
_MOST_COPY_WORDS, _COPY_LEVELS = 3, 2
_NO_LINES = HEADINGS | {"article", "aside", "dl", "figure", "form", "img", "p", "section", "textarea"}
_LISTS = frozenset({"ol", "ul"})
_TOKENS = frozenset({"a", "b", "br", "code", "div", "em", "i", "span", "strong"})


class CodeLines:
    """The names to read the parts of a page's code by.

    Attributes:
        names: these names by the numbers of the elements.
        looks: how the elements look.
        holders: the elements directly around lines of code; white space between the lines is none of the code.
    """

    def __init__(self, document: Document) -> None:
        self.names: dict[int, str] = {}
        self.holders: set[int] = set()
        self._document, self.looks = document, Looks(document)
        self._looked_at = 0  # elements
        self._end = 0  # of the last code read
        self._no_code: set[int] = set()  # elements around lines that are none of code

    def read(self, element: int) -> None:
        """Read an element that may be code or a line of it; call it in document order."""
        if element < self._end:
            return
        document = self._document
        tag, attributes = document.tags[element], document.attributes[element]
        if tag == "pre":
            if not (self.looks.is_line(element) and self._is_read_as_lines(document.parents[element])):
                self._read_block(element)
        elif tag == "code":
            self._read_code(element)
        elif tag in _LISTS:
            self._read_list(element)
        elif tag == "table":
            self._read_table(element)
        elif "class" in attributes and self.looks.names_line(attributes["class"]):
            self._is_read_as_lines(document.parents[element])
        elif self.looks.is_shown_as_code(element) and self._tags_in(element).isdisjoint(_NO_LINES | {"pre"}):
            self._name_code(element)

    def _read_code(self, code: int) -> None:
        inside, line = self._tags_in(code), code
        if "pre" in inside:
            self.names[code] = _BLOCK
        elif inside & BLOCKS or ("br" in inside and self._is_alone(code)) or self.looks.is_shown_as_block(code):
            self._name_code(code)
        else:
            while self._document.tags[line] in {"code", "span"}:
                line = self._document.parents[line]
            if self._document.tags[line] == "div":
                self._read_lines_of_tokens(self._document.parents[line])

    def _name_code(self, element: int) -> None:
        self.names[element] = CODE
        self._read_block(element)

    def _tags_in(self, element: int) -> set[str]:
        return set(self._document.tags[element + 1 : self._document.ends[element]])

    def _is_read_as_lines(self, around: int) -> bool:
        """Read an element as code if all its words are in lines, and it looks like code."""
        if around in self._no_code:
            return False
        lines, wider = self._lines_of(around), self._document.parents[around]
        wider_lines = self._lines_of(wider) if lines and wider not in self._no_code else []
        if any(self._document.parents[line] == wider for line in wider_lines):
            around, lines = wider, wider_lines
        elif lines:
            self._no_code.add(wider)
        is_code = len(lines) >= _FEWEST_LINES and self.looks.are_code(around, lines)
        if is_code and not self._is_count(around):
            self._read_lines(around, lines)
            return True
        self._no_code.add(around)
        return False

    def _lines_of(self, around: int, levels: int = 1) -> list[int]:
        """Return the lines of an element; none if it has other words."""
        document, found = self._document, list[int]()
        if around <= (document.body or 0) or around in document.own_texts or not self._may_look(around):
            return []
        if self._tags_in(around) & _NO_LINES:
            return []
        for child in document.children[around]:
            if self.looks.is_line(child):
                found.append(child)
            elif levels and (inner := self._lines_of(child, levels - 1)):
                found += inner
            elif not self._is_count(child):
                return []
        return found

    def _may_look(self, around: int) -> bool:
        """Return whether all of an element may be looked at: a page that nests it deeply could make that long."""
        self._looked_at += self._document.ends[around] - around
        return self._looked_at <= _MOST_LOOKED_AT * len(self._document)

    def _read_lines(self, around: int, lines: Sequence[int]) -> None:
        self.names[around] = CODE
        self.names.update((line, _BLANK if self._is_blank(line) else LINE) for line in lines)
        self.holders.update({around, *(self._document.parents[line] for line in lines)})
        self._read_block(around)
        self._leave_out_first_numbers(lines)

    def _is_blank(self, line: int) -> bool:
        texts, parents = self._document.texts, self._document.parents
        said = (texts[run].parent for run in self._document.runs(line))
        number = self.looks.may_be_number
        return "br" not in self._tags_in(line) and all(number(one) or number(parents[one]) for one in said)

    def _leave_out_first_numbers(self, lines: Sequence[int]) -> None:
        """Leave out the first element of each line, if these count the lines."""
        children = self._document.children
        first = [children[line][0] for line in lines if children[line]]
        words = [word for element in first for word in self._words(element)]
        if len(words) == len(first) == len(lines) and _are_consecutive(words):
            self.names.update(dict.fromkeys(first, UNREAD))
            runs = self._document.runs
            self.names.update((line, _BLANK) for line in lines if runs(line) == runs(line + 1))

    def _read_lines_of_tokens(self, around: int) -> None:
        """Read an element as code if each child is a line of words that all are code, some of several."""
        document = self._document
        lines = document.children[around] if around > (document.body or 0) else []
        if around in self._no_code or len(lines) < _FEWEST_LINES or not self._may_look(around):
            return
        self._no_code.add(around)
        tags, ends, parents = document.tags, document.ends, document.parents
        if any(tags[line] != "div" for line in lines) or self._tags_in(around) - _TOKENS:
            return
        texts = (document.texts[run] for run in document.runs(around))
        if any("code" not in {tags[one], tags[parents[one]]} for one, _, text in texts if not text.isspace()):
            return
        if any(tags[line : ends[line]].count("code") >= _FEWEST_LINES for line in lines):
            self._read_lines(around, lines)

    def _read_list(self, element: int) -> None:
        """Read a list as code if something around is named so, and its items look like it."""
        document = self._document
        items = document.children[element]
        if len(items) < _FEWEST_LINES or not self.looks.are_named_code(element):
            return
        inside = self._tags_in(element)
        if inside & ((BLOCKS | _NO_LINES) - {"li", "div"}) or any(document.tags[item] != "li" for item in items):
            return
        if looks_like_code([document.text_content(item) for item in items]):
            self._read_lines(element, items)

    def _read_table(self, table: int) -> None:
        """Read a table as code if each row has a line's number, and code beside it."""
        document, tags = self._document, self._document.tags
        if not self._tags_in(table).isdisjoint({"table", *_NO_LINES}):
            return
        rows = [element for element in range(table + 1, document.ends[table]) if tags[element] == "tr"]
        cells = [document.children[row] for row in rows]
        if len(rows) < _FEWEST_LINES:
            return
        if not all(map(self._is_numbered, cells)) and not self._are_in_code(table, cells):
            return
        self._read_lines(table, rows)
        self.holders.update((table, *rows))
        for row in rows:
            *numbers, code = document.children[row]
            self.names.update({**dict.fromkeys(numbers, UNREAD), code: INLINE})

    def _is_numbered(self, cells: Sequence[int]) -> bool:
        """Return whether the cells of a row are a line's numbers, such as those of two versions, and its code."""
        if not _FEWEST_LINES <= len(cells) <= _FEWEST_LINES + 1:
            return False
        *numbers, code = cells
        if not all(
            self.looks.is_number_cell(cell) and all(map(str.isdigit, self._words(cell))) for cell in numbers
        ):
            return False
        return self.looks.is_named_code(code) or not self._tags_in(code).isdisjoint({"pre", "code"})

    def _are_in_code(self, table: int, cells: Sequence[Sequence[int]]) -> bool:
        """Return whether rows of one cell each look like code in what is named so."""
        if any(len(row) != 1 for row in cells) or not self.looks.are_named_code(table):
            return False
        return looks_like_code([self._document.text_content(cell) for (cell,) in cells])

    def _is_count(self, element: int) -> bool:
        return all(map(str.isdigit, self._words(element)))

    def _is_alone(self, code: int) -> bool:
        """Return whether nothing is beside a code in its parent."""
        runs, texts = self._document.runs(self._document.parents[code]), self._document.texts
        code_runs = self._document.runs(code)
        if len(runs) > len(code_runs) + _FEWEST_LINES:
            return False
        return all(
            texts[run].text.isspace()
            for run in [*range(runs.start, code_runs.start), *range(code_runs.stop, runs.stop)]
        )

    def _words(self, element: int) -> list[str]:
        texts = self._document.texts
        return [word for run in self._document.runs(element) for word in texts[run].text.split()]

    def _read_block(self, code: int) -> None:
        document, self._end = self._document, self._document.ends[code]
        tags, attributes, looks = document.tags, document.attributes, self.looks
        marked = [element for element in range(code + 1, self._end) if attributes[element]]
        lines = {element for element in marked if looks.is_line(element)}
        several = [child for child in document.children[code] if tags[child] == "code"]
        lines.update(several if len(several) >= _FEWEST_LINES else ())
        text = document.text_content(code).strip()
        are_apart = text.count("\n") + tags[code : self._end].count("br") >= len(lines) - 1
        self.names.update(dict.fromkeys(() if are_apart else lines - self.names.keys(), LINE))
        for element in marked:
            is_number = looks.may_be_number(element) and self._is_count(element)
            if is_number or self._is_copy_button(element):
                self.names[element] = UNREAD
            elif tags[element] in BLOCKS:
                if self.names.get(element) == LINE:
                    del self.names[element]
            elif looks.is_shown_as_line(element):
                self.names[element] = LINE
        self._join_parted_lines(code)
        for beside in self._beside(code):
            if self._is_copy_button(beside):
                self.names[beside] = UNREAD
        self._leave_out_numbers_beside(code)

    def _is_copy_button(self, element: int) -> bool:
        return self.looks.copies(element) and len(self._words(element)) <= _MOST_COPY_WORDS

    def _beside(self, element: int) -> Iterator[int]:
        """Yield the elements before and after one, and those of the element around it."""
        for _ in range(_COPY_LEVELS):
            parent = self._document.parents[element]
            if parent <= (self._document.body or 0):
                return
            siblings = self._document.children[parent]
            place = bisect_left(siblings, element)
            yield from (one for one in siblings[max(0, place - 1) : place + 2] if one != element)
            element = parent

    def _join_parted_lines(self, code: int) -> None:
        """Read lines in line where a line end stands between each two, which would be a second one."""
        document = self._document
        runs = map(document.texts.__getitem__, document.runs(code))
        ends = {(parent, after) for parent, after, text in runs if text.isspace() and text.endswith("\n")}
        for parent in {parent for parent, _ in ends} - self.holders:
            lines = document.children[parent]
            if all((parent, line) in ends for line in lines[:-1]) and all(map(self._is_unended, lines)):
                self.names.update(dict.fromkeys(lines, INLINE))

    def _is_unended(self, line: int) -> bool:
        is_block = self._document.tags[line] in BLOCKS and "br" not in self._tags_in(line)
        return is_block and not self._document.text_content(line).endswith("\n")

    def _leave_out_numbers_beside(self, code: int) -> None:
        """Leave out the numbers of a code's lines that stand before it, in a cell or a box of their own."""
        document = self._document
        for _ in range(_LEVELS):
            parent = document.parents[code]
            if parent <= (document.body or 0):
                return
            siblings = document.children[parent]
            place = bisect_left(siblings, code)
            if place:
                if self._counts(siblings[place - 1]):
                    self.names[siblings[place - 1]] = UNREAD
                return
            code = parent

    def _counts(self, element: int) -> bool:
        """Return whether an element holds only consecutive numbers; its class names a single one so."""
        words = self._words(element)
        return _are_consecutive(words) and (len(words) >= _FEWEST_LINES or self.looks.may_be_number(element))


def _are_consecutive(words: Sequence[str]) -> bool:
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        return False
    return [int(word) for word in words] == list(range(int(words[0]), int(words[0]) + len(words)))
