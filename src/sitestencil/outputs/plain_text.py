"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Iterator

from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT
from sitestencil.printable import printable

# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
_CELL_END = "\0"  # never occurs in parsed text


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return printable(_SPACE.sub(" ", text))


def preformatted(text: str) -> str:
    """Return a text with its line ends kept, and each kind of space as a plain one."""
    return printable(_SPACE_IN_PRE.sub(" ", text.replace("\r", "")))


class Lines:
    """Lines of a page's content; `text` completes them.

    Attributes:
        parts: the parts of the unfinished line.
    """

    __slots__ = ("_finished", "_preformatted", "parts")

    def __init__(self) -> None:
        self._finished: list[str] = []
        self.parts: list[str] = []
        self._preformatted = False

    def add(self, text: str, *, in_pre: bool = False) -> None:
        """Add text to the line; in ``pre`` keep its spaces and line ends."""
        if not in_pre:
            self.parts.append(text)
            return
        first, *others = preformatted(text).expandtabs().split("\n")
        self._preformatted = True
        self.parts.append(first)
        for line in others:
            self.end()
            self._preformatted = True
            self.parts.append(line)

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
            text = text.replace(_CELL_END, "\t").rstrip()
        elif _CELL_END in text:
            text = "\t".join(map(_words, text.split(_CELL_END))).strip()
        else:
            text = _words(text)
        if text:
            self._finished.append(text)

    def text(self) -> str:
        """Return all lines, each with a line end."""
        self.end()
        return "".join(f"{line}\n" for line in self._finished)


def _words(text: str) -> str:
    words = " ".join(text.split())
    return words if words.isprintable() else " ".join(printable(words).split())


def plain_text(body: Element) -> str:
    """Return the text below an element, with tabs between the cells of a table's row."""
    lines = Lines()
    steps: list[tuple[Iterator[Element | str], Element, bool]] = [(iter(body.children), body, False)]
    is_after_link = False
    while steps:
        children, element, in_pre = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            is_after_link = is_after_link or element.name == "a"
            if element.name in BLOCKS:
                lines.end()
            elif element.name in CELLS:
                lines.end_cell()
        elif isinstance(child, str):
            is_after_link = False
            lines.add(child.replace(_CELL_END, ""), in_pre=in_pre)
        elif child.name == "br":
            lines.end()
        elif child.name not in NO_TEXT:
            if child.name in BLOCKS:
                lines.end()
            elif child.name == "a" and is_after_link:
                lines.add(" ")  # two links are two words
            steps.append((iter(child.children), child, in_pre or child.name == "pre"))
    return lines.text()
