"""Gather a page's text: one line for each block, as `outputs.plain_text` does."""

import re

from sitestencil.outputs.plain_text import BLOCKS, CELLS, NO_TEXT

__all__ = ["BLOCKS", "CELLS", "NO_TEXT", "Lines"]

# As the compiled lines have it; `crawl.content` makes the whole text printable.
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_CELL_END = "\0"  # never occurs in parsed text


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
        """Add text to the line; in ``pre`` keep its line ends."""
        if not in_pre:
            self.parts.append(text)
            return
        first, *others = _CONTROL.sub("", text).expandtabs().split("\n")
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
            text = " ".join(text.split())
            if not text.isprintable():
                text = _CONTROL.sub("", text)
        if text:
            self._finished.append(text)

    def text(self) -> str:
        """Return all lines, each with a line end."""
        self.end()
        return "".join(f"{line}\n" for line in self._finished)


def _words(text: str) -> str:
    """Return a text with one space between its words, and without what is no character."""
    words = " ".join(text.split())
    return words if words.isprintable() else _CONTROL.sub("", words)
