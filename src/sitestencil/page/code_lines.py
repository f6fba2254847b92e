"""Tell the blocks of code on a page, their lines, and the numbers of the lines."""

import re
from bisect import bisect_left

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS

# The names to read elements by.
UNREAD = "noscript"  # nobody reads it
_LINE, _BLOCK, _CODE = "div", "div", "pre"
_SHOWN_AS_LINE = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table-row)\b", re.IGNORECASE)
_SHOWN_AS_CODE = re.compile(r"(?:^|;)\s*(?:white-space\s*:\s*pre\b|display\s*:\s*block\b)", re.IGNORECASE)
_NUMBERS = re.compile(r"line-?(?:num|no)|(?:^|[\s-])(?:ln|lnt|lnum|gutter|blob-num)(?:$|[\s-])", re.IGNORECASE)
_LINES = frozenset("line code-line token-line view-line cm-line codemirror-line".split())
_FEWEST_LINES = 2
_LEVELS = 4  # around a code block where its numbers may stand


class CodeLines:
    """The names to read the parts of a page's code by.

    Attributes:
        names: these names by the numbers of the elements.
    """

    def __init__(self, document: Document) -> None:
        self.names: dict[int, str] = {}
        self._document = document
        self._end = 0  # of the last code read
        self._kinds: dict[str, tuple[bool, bool]] = {}
        self._around = -1  # the last element whose children were found to be no lines

    def read(self, element: int) -> None:
        """Read a ``pre`` or ``code``; call it in document order."""
        if element < self._end:
            return
        document, end = self._document, self._document.ends[element]
        parent = document.parents[element]
        if document.tags[element] == "pre":
            if not (self._is_line(element) and self._is_read_as_code(parent)):
                self._read_block(element)
            return
        inside = set(document.tags[element + 1 : end])
        if "pre" in inside:
            self.names[element] = _BLOCK
        elif inside & BLOCKS or ("br" in inside and self._is_alone(element)) or self._is_shown_as_code(element):
            self.names[element] = _CODE
            self._read_block(element)
        elif document.tags[parent] == "div" and "line" in document.classes[parent]:
            self._is_read_as_code(document.parents[parent])

    def _is_read_as_code(self, around: int) -> bool:
        """Read an element as code if it has several children, and each is a line."""
        lines = self._document.children[around]
        if around == self._around or len(lines) < _FEWEST_LINES or not all(map(self._is_line, lines)):
            self._around = around
            return False
        self.names[around] = _CODE
        self.names.update(dict.fromkeys(lines, _LINE))
        self._read_block(around)
        return True

    def _is_alone(self, code: int) -> bool:
        """Return whether nothing is beside a code in its parent."""
        runs, texts = self._document.runs(self._document.parents[code]), self._document.texts
        own = self._document.runs(code)
        if len(runs) > len(own) + _FEWEST_LINES:
            return False
        return all(
            texts[run].text.isspace() for run in [*range(runs.start, own.start), *range(own.stop, runs.stop)]
        )

    def _is_shown_as_code(self, code: int) -> bool:
        return _SHOWN_AS_CODE.search(self._document.attributes[code].get("style", "")) is not None

    def _words(self, element: int) -> list[str]:
        texts = self._document.texts
        return [word for run in self._document.runs(element) for word in texts[run].text.split()]

    def _read_block(self, code: int) -> None:
        document, self._end = self._document, self._document.ends[code]
        tags, attributes = document.tags, document.attributes
        marked = [element for element in range(code + 1, self._end) if attributes[element]]
        lines = {element for element in marked if self._is_line(element)}
        several = [child for child in document.children[code] if tags[child] == "code"]
        lines.update(several if len(several) >= _FEWEST_LINES else ())
        text = "".join([document.texts[run].text for run in document.runs(code)]).strip()
        are_apart = text.count("\n") + tags[code : self._end].count("br") >= len(lines) - 1
        self.names.update(dict.fromkeys(() if are_apart else lines, _LINE))
        for element in marked:
            values = attributes[element]
            is_named = "class" in values and self._kind(values["class"])[1]
            if (is_named or "user-select" in values.get("style", "")) and self._has_only_numbers(element):
                self.names[element] = UNREAD
            elif tags[element] in BLOCKS:
                self.names.pop(element, None)
            elif "style" in values and _SHOWN_AS_LINE.search(values["style"]):
                self.names[element] = _LINE
        self._leave_out_numbers_beside(code)

    def _is_line(self, element: int) -> bool:
        values = self._document.attributes[element]
        return "data-line" in values or ("class" in values and self._kind(values["class"])[0])

    def _kind(self, classes: str) -> tuple[bool, bool]:
        """Return whether classes are a line's, and whether they are those of lines' numbers."""
        kind = self._kinds.get(classes)
        if kind is None:
            is_line = not _LINES.isdisjoint(classes.lower().split())
            kind = self._kinds[classes] = is_line, _NUMBERS.search(classes) is not None
        return kind

    def _has_only_numbers(self, element: int) -> bool:
        return all(map(str.isdigit, self._words(element)))

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
        if not words or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
            return False
        if len(words) < _FEWEST_LINES:
            return self._kind(self._document.attributes[element].get("class", ""))[1]
        return [int(word) for word in words] == list(range(int(words[0]), int(words[0]) + len(words)))
