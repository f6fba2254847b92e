"""Divide the text of a page into blocks: the lines and paragraphs that a reader sees."""

from collections.abc import Iterator, Sequence

import msgspec

from sitestencil.page.document import Document
from sitestencil.page.html_names import BLOCKS, LINKS
from sitestencil.page.words import words
from sitestencil.reading.reading import BREAK, CELL, CODE, CODE_BREAK, EDGE, INSTEAD, SILENT, SPACE, reading

_APART = frozenset({BREAK, CELL, CODE_BREAK, SPACE})


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
    linked = _linked(document)
    blocks = [_block(document, *line, linked) for line in _lines(document)]
    return [block for block in blocks if block.words]


def _block(
    document: Document, container: int, runs: Sequence[int], parts: Sequence[str], linked: bytearray
) -> Block:
    texts = document.texts
    line = " ".join("".join(parts).split())
    own_words = words(line)
    # An address that is written out is a reference, no label of a menu.
    labels = [run for run in runs if linked[texts[run].parent] and "://" not in texts[run].text]
    in_links = len(own_words)
    if len(labels) < len(runs) or len(runs) > 1:
        in_links = min(in_links, sum([len(words(texts[run].text)) for run in labels]))
    return Block(container, runs, line, own_words, in_links)


def _lines(document: Document) -> Iterator[tuple[int, list[int], list[str]]]:
    """Yield the container, the text nodes and the texts of each line; a space parts cells of a table."""
    read, texts, unseen = reading(document), document.texts, _unseen_texts(document)
    containers = _containers(document)
    container, runs, parts = -1, list[int](), list[str]()
    for code, number in zip(read.codes, read.numbers, strict=True):
        if code > CODE and code != INSTEAD:
            if code == EDGE and runs:
                yield container, runs, parts
                runs, parts = [], []
            elif code in _APART and parts:
                parts.append(" ")
            continue
        for run in (number,) if code <= CODE else _shown_texts(document, number):
            parent, _, text = texts[run]
            if text.isspace():
                if parts:
                    parts.append(" ")
            elif run not in unseen:
                if (around := containers[parent]) != container and runs:
                    yield container, runs, parts
                    runs, parts = [], []
                container = around
                runs.append(run)
                parts.append(text)
    if runs:
        yield container, runs, parts


def _shown_texts(document: Document, element: int) -> list[int]:
    """Return the texts of an element that other words stand for, without those of scripts and hidden parts."""
    hidden, tags, texts = reading(document).hidden, document.tags, document.texts
    runs = document.runs(element)
    return [run for run in runs if not hidden[texts[run].parent] and tags[texts[run].parent] not in SILENT]


def _containers(document: Document) -> list[int]:
    """Return the nearest block element around each element, or itself."""
    containers = list[int]()
    for element, (name, parent) in enumerate(zip(reading(document).tags, document.parents, strict=True)):
        containers.append(element if parent < 0 or name in BLOCKS else containers[parent])
    return containers


def _linked(document: Document) -> bytearray:
    """Return per element whether it is in a link; links in code are no labels."""
    linked, tags = bytearray(len(document)), reading(document).tags
    for element in document.tagged(*LINKS):
        end = document.ends[element]
        linked[element:end] = b"\1" * (end - element)
    for element in (element for element, tag in enumerate(tags) if tag == "pre"):
        linked[element : document.ends[element]] = bytes(document.ends[element] - element)
    return linked


def _unseen_texts(document: Document) -> frozenset[int]:
    """Return the texts of closed dialogs."""
    closed = (one for one in document.tagged("dialog") if "open" not in document.attributes[one])
    return frozenset(run for element in closed for run in document.runs(element))
