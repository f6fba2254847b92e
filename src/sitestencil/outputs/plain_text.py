"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Iterator

from sitestencil.outputs.tree import Element
from sitestencil.page.html_names import BLOCKS, CELLS, NO_TEXT
from sitestencil.printable import visible

# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
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
    """

    __slots__ = ("_finished", "_preformatted", "is_after_link", "links", "parts")

    def __init__(self) -> None:
        self._finished: list[str] = []
        self.parts: list[str] = []
        self._preformatted = self.is_after_link = False
        self.links = 0

    def add(self, text: str, *, in_pre: bool = False) -> None:
        """Add text to the line; in ``pre`` keep its spaces and line ends."""
        self.is_after_link = False
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

    def begin(self, tag: str, *, in_pre: bool = False) -> None:
        """Begin an element."""
        if tag in BLOCKS:
            self.end()
        elif tag == "a" and self.is_after_link and not in_pre:
            self.add(" ")

    def close(self, tag: str) -> None:
        """End an element."""
        if tag in BLOCKS:
            self.end()
        elif tag in CELLS:
            self.end_cell()
        elif tag == "a":
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
