"""Write the content's tree as plain text: one line for each block, as a reader sees it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sitestencil.outputs.tree import Element
from sitestencil.printable import printable

# Elements that start a new line in browsers' style sheets.
BLOCKS = frozenset(
    """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup p pre search section summary table
    caption tbody tfoot thead tr ul
    """.split()
)
# Elements without text of the page: form fields, and fallbacks of sound, film and frames.
NO_TEXT = frozenset(
    "style iframe select textarea datalist input button progress meter audio video canvas map".split()
)
CELLS = frozenset({"td", "th"})
# Readers see a non-breaking space, and every other Unicode space, as a space.
_SPACE = re.compile(r"\s+")
_SPACE_IN_PRE = re.compile(r"[^\S\t\n]")
_SPACE_IN_LINE = re.compile(" +")


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return printable(_SPACE.sub(" ", text))


def preformatted(text: str) -> str:
    """Return a text with its line ends kept, and each kind of space as a plain one."""
    return printable(_SPACE_IN_PRE.sub(" ", text.replace("\r", "")))


def plain_text(body: Element) -> str:
    """Return the text below an element, with tabs between the cells of a table's row."""
    lines = _Lines()
    steps: list[tuple[Iterator[Element | str], Element, bool]] = [(iter(body.children), body, False)]
    while steps:
        children, element, in_pre = steps[-1]
        child = next(children, None)
        if child is None:
            steps.pop()
            lines.leave(element)
        elif isinstance(child, str):
            lines.add(child, in_pre=in_pre)
        elif child.name == "br":
            lines.end()
        elif child.name not in NO_TEXT:
            if child.name in BLOCKS:
                lines.end()
            steps.append((iter(child.children), child, in_pre or child.name == "pre"))
    lines.end()
    return "".join(f"{line}\n" for line in lines.finished)


@dataclass(slots=True)
class _Lines:
    """The finished lines, and the parts of the unfinished one."""

    finished: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    in_pre: bool = False

    def add(self, text: str, *, in_pre: bool) -> None:
        """Add text to the line; in ``pre`` keep white space and line ends."""
        if not in_pre:
            self.parts.append(collapsed(text))
            return
        first, *others = preformatted(text).expandtabs().split("\n")
        self.in_pre = True
        self.parts.append(first)
        for line in others:
            self.end()
            self.in_pre = True
            self.parts.append(line)

    def leave(self, element: Element) -> None:
        """End the line after a block, and separate a table's cells."""
        if element.name in BLOCKS:
            self.end()
        elif element.name in CELLS:
            self.parts.append("\t")

    def end(self) -> None:
        """End the line; drop it if it is empty."""
        text = "".join(self.parts)
        if not self.in_pre:
            cells = (_SPACE_IN_LINE.sub(" ", cell).strip() for cell in text.strip().split("\t"))
            text = "\t".join(cells)
        self.parts.clear()
        self.in_pre = False
        if text.strip():
            self.finished.append(text.rstrip())
