"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Iterator

from sitestencil.outputs.allowed_markup import VOID
from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT
from sitestencil.printable import visible

# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
_LOWER, _UPPER = re.compile("[a-z]"), re.compile("[A-Z]")
_NEXT = 2
_CELL_END = "\0"  # never occurs in parsed text


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return visible(_SPACE.sub(" ", text))


def preformatted(text: str) -> str:
    """Return a text with its line ends kept, and each kind of space as a plain one."""
    return visible(_SPACE_IN_PRE.sub(" ", text.replace("\r", "")))


class Lines:
    """Lines of a page's content; `text` completes them.

    Attributes:
        parts: the parts of the unfinished line.
        links: the number of links that ended.
        is_after_link: whether no text came since a link's end: two links are two words.
        between: without text since then, 1 after the end of an element within a line, 2 after the next one's begin.
    """

    __slots__ = ("_blanks", "_finished", "_in_code", "_preformatted", "between", "is_after_link", "links", "parts")

    def __init__(self) -> None:
        self._finished: list[str] = []
        self.parts: list[str] = []
        self._preformatted = self.is_after_link = self._in_code = False
        self.links = self.between = self._blanks = 0

    def add(self, text: str, *, in_pre: bool = False) -> None:
        """Add text to the line; in ``pre`` keep its spaces and line ends."""
        self.is_after_link = False
        if not in_pre:
            if self.between:
                self.part(text)
            self.parts.append(text)
            return
        self.between = 0
        first, *others = preformatted(text).expandtabs().split("\n")
        self._preformatted = True
        self.parts.append(first)
        for line in others:
            self.end()
            self._preformatted = True
            self.parts.append(line)

    def part(self, text: str) -> None:
        """Part the words of two elements side by side, such as ``Categories`` and ``Company``."""
        if self.between == _NEXT and self.parts and _LOWER.match(self.parts[-1][-1:]) and _UPPER.match(text):
            self.parts.append(" ")
        self.between = 0

    def begin(self, tag: str, *, in_pre: bool = False) -> None:
        """Begin an element."""
        if tag in BLOCKS:
            self.end()
        elif tag == "a" and self.is_after_link and not in_pre:
            self.add(" ")
        elif self.between:
            self.between = _NEXT

    def close(self, tag: str) -> None:
        """End an element."""
        if tag in BLOCKS:
            self.end()
        elif tag in CELLS:
            self.end_cell()
        elif tag not in VOID:
            self.between = 1
            if tag == "a":
                self.is_after_link = True
                self.links += 1

    def end_cell(self) -> None:
        """Separate two cells of a table's row."""
        self.parts.append(_CELL_END)

    def end(self) -> None:
        """End the line; drop it if it is empty."""
        if not self.parts:
            self._preformatted = False
            return
        text = "".join(self.parts)
        self.parts.clear()
        if self._preformatted:
            self._preformatted = False
            self._end_code(text.replace(_CELL_END, "\t").rstrip())
            return
        text = "\t".join(map(_words, text.split(_CELL_END))).strip() if _CELL_END in text else _words(text)
        if text:
            self._finished.append(text)
            self._in_code, self._blanks = False, 0

    def _end_code(self, text: str) -> None:
        """End a line of code; a blank one counts only between two others."""
        if text:
            self._finished += [""] * self._blanks
            self._finished.append(text)
            self._in_code, self._blanks = True, 0
        elif self._in_code:
            self._blanks += 1

    def text(self) -> str:
        """Return all lines, each with a line end."""
        self.end()
        return "".join(f"{line}\n" for line in self._finished)


def _words(text: str) -> str:
    words = " ".join(text.split())
    return words if words.isprintable() else " ".join(visible(words).split())


def plain_text(body: Element) -> str:
    """Return the text below an element, with tabs between the cells of a table's row."""
    lines = Lines()
    steps: list[tuple[Iterator[Element | str], Element, bool]] = [(iter(body.children), body, False)]
    while steps:
        children, element, in_pre = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            lines.close(element.name)
        elif isinstance(child, str):
            lines.add(child.replace(_CELL_END, ""), in_pre=in_pre)
        elif child.name == "br":
            lines.end()
        elif child.name not in NO_TEXT:
            lines.begin(child.name, in_pre=in_pre)
            steps.append((iter(child.children), child, in_pre or child.name == "pre"))
    return lines.text()
