"""Divide the text of a page into blocks: the lines and paragraphs that a reader sees."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestencil.page.document import Document
from sitestencil.page.geometry import is_hidden
from sitestencil.page.html_names import BLOCKS, LINKS, NO_PAGE_TEXT, NO_TEXT
from sitestencil.page.words import words

_SILENT = NO_PAGE_TEXT | NO_TEXT


@dataclass(frozen=True, slots=True, eq=False)
class Block:
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

    Example:
        >>> from sitestencil import parse
        >>> page = parse("<h1>Knots</h1><p>A <b>bowline</b> holds.<p hidden>!", "https://site.example/")
        >>> [(page.tags[block.container], block.text) for block in text_blocks(page)]
        [('h1', 'Knots'), ('p', 'A bowline holds.')]
    """
    containers, linked, silent = _places(document)
    # The number of block elements begun before each element, so that equal numbers mean one line.
    begun, count = [], 0
    for element, tag in enumerate(document.tags):
        count += tag in BLOCKS and containers[element] == element
        begun.append(count)
    blocks: list[Block] = []
    own: list[int] = []
    last: tuple[int, int] | None = None
    for number, run in enumerate(document.texts):
        if silent[run.parent] or run.text.isspace():
            continue
        before = document.ends[run.after] - 1 if run.after >= 0 else run.parent
        place = containers[run.parent], begun[before]
        if own and place != last:
            _append(blocks, document, containers, own, linked)
            own = []
        own.append(number)
        last = place
    if own:
        _append(blocks, document, containers, own, linked)
    return blocks


def _places(document: Document) -> tuple[list[int], list[bool], list[bool]]:
    """Return per element its nearest block element, whether it is in a link, and whether its text is not shown."""
    containers: list[int] = []
    linked: list[bool] = []
    silent: list[bool] = []
    hidden: list[bool] = []
    body, embedded = document.body or 0, set(document.embedded)
    for element, (tag, parent) in enumerate(zip(document.tags, document.parents, strict=True)):
        containers.append(element if tag in BLOCKS or parent < 0 else containers[parent])
        linked.append(tag in LINKS or (parent >= 0 and linked[parent]))
        is_embedded, within = element in embedded, parent >= 0 and hidden[parent]
        hidden.append(within or (not is_embedded and is_hidden(document, element)))
        # A frame's page and a shadow tree show where the frame or the host shows.
        if not is_embedded:
            within = hidden[element] or element < body or tag in _SILENT or (parent >= body and silent[parent])
        silent.append(within)
    return containers, linked, silent


def _append(
    blocks: list[Block], document: Document, containers: Sequence[int], own: list[int], linked: Sequence[bool]
) -> None:
    texts = document.texts
    line = " ".join("".join(texts[number].text for number in own).split())
    own_words = words(line)
    if not own_words:
        return
    in_links = sum(len(words(texts[number].text)) for number in own if linked[texts[number].parent])
    container = containers[texts[own[0]].parent]
    blocks.append(Block(container, tuple(own), line, own_words, min(in_links, len(own_words))))
