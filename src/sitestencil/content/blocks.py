"""Divide the text of a page into blocks: the lines and paragraphs that a reader sees."""

from collections.abc import Sequence

import msgspec

from sitestencil.page.document import Document, TextRun
from sitestencil.page.hidden import without_text
from sitestencil.page.html_names import BLOCKS, CELLS, LINKS, NO_PAGE_TEXT, NO_TEXT, UNSEEN
from sitestencil.page.read_names import read_names
from sitestencil.page.words import words

_SILENT = NO_PAGE_TEXT | NO_TEXT
# The parentheses of a reading are text wherever it is written behind its characters.
_UNSEEN = UNSEEN - {"rp"}

# Of a line: its container, its text nodes, those of them in links, and its text; cells of a table are apart.
_Line = tuple[int, list[int], list[int], list[str]]


class Block(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A run of text in one block element.

    Attributes:
        container: the nearest block element around it.
        texts: the numbers of its text nodes.
        text: its text, with each run of white space as one space.
        words: its words.
        linked: how many of them are in links.
    """

    container: int
    texts: Sequence[int]
    text: str
    words: Sequence[str]
    linked: int


def text_blocks(document: Document) -> list[Block]:
    """Return the blocks of the rendered text below ``body``, in document order; each has at least one word.

    Args:
        document: the page.

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<h1>Knots</h1><p>A <b>bowline</b> holds.<p hidden>!", "https://site.example/")
        >>> [(page.tags[block.container], block.text) for block in text_blocks(page)]
        [('h1', 'Knots'), ('p', 'A bowline holds.')]
    """
    blocks = [_block(document.texts, *line) for line in _lines(document)]
    return [block for block in blocks if block.words]


def _block(
    texts: Sequence[TextRun], container: int, inside: list[int], linked: list[int], parts: list[str]
) -> Block:
    line = " ".join("".join(parts).split())
    own_words = words(line)
    in_links = len(own_words)
    if len(linked) < len(inside) or len(inside) > 1:
        in_links = min(in_links, sum([len(words(texts[number].text)) for number in linked]))
    return Block(container, inside, line, own_words, in_links)


def _lines(document: Document) -> list[_Line]:
    """Return the lines of the rendered text."""
    containers, begun, linked, silent, cells = _places(document)
    lines: list[_Line] = []
    last: tuple[int, int] | None = None
    cell = -1
    for number, run in enumerate(document.texts):
        if silent[run.parent] or run.text.isspace():
            continue
        before = document.ends[run.after] - 1 if run.after >= 0 else run.parent
        place = containers[run.parent], begun[before]
        if place != last:
            lines.append((place[0], [], [], []))
            last = place
        elif cells[run.parent] != cell:
            lines[-1][3].append(" ")
        cell = cells[run.parent]
        lines[-1][1].append(number)
        lines[-1][3].append(run.text)
        # An address that is written out is a reference, no label of a menu.
        if linked[run.parent] and "://" not in run.text:
            lines[-1][2].append(number)
    return lines


def _places(document: Document) -> tuple[list[int], list[int], list[bool], list[bool], list[int]]:
    """Return, per element, its container, the number of blocks begun, whether it is in a link or silent, its cell.

    Elements after which equally many blocks have begun are on one line.
    """
    count = len(document)
    # The last entry of each column stands for what is around the root, until its own element is read.
    containers, begun, cells = [0] * count, [0] * count, [-1] * count
    linked, silent, unseen = [False] * count, [False] * count, [False] * count
    hidden, tags = without_text(document), list(document.tags)
    for element, name in read_names(document).items():
        tags[element] = name
    body, embedded, blocks = document.body or 0, set(document.embedded), 0
    for element, (tag, parent) in enumerate(zip(tags, document.parents, strict=True)):
        if tag in BLOCKS:
            blocks += 1
            containers[element] = element
        else:
            containers[element] = containers[parent]
        begun[element] = blocks
        cells[element] = element if tag in CELLS else cells[parent]
        linked[element] = tag in LINKS or linked[parent]
        # A frame's page and a shadow tree show where the frame or the host shows.
        within = unseen[parent]
        if element in embedded:
            unseen[element], silent[element] = within, within or hidden[element]
            continue
        is_open = tag == "dialog" and "open" in document.attributes[element]
        within = within or (tag in _UNSEEN and not is_open) or (tag == "noscript" and document.scripting)
        unseen[element] = within
        silent[element] = (
            within or hidden[element] or element < body or tag in _SILENT or (parent >= body and silent[parent])
        )
    return containers, begun, linked, silent, cells
