"""Measure the structure that a text lost: list items, headings, cells, paragraphs and lines of code."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil.reading.blocks import text_blocks

_FACTS = re.compile(r"\A```json\n.*?\n```\n", re.DOTALL)  # above the text of a suite's Markdown

_KINDS = {"li": "items", "dt": "items", "dd": "items", "td": "cells", "th": "cells", "p": "paragraphs"}
_KINDS |= {f"h{level}": "headings" for level in range(1, 7)}
KINDS = ("items", "headings", "cells", "paragraphs", "code lines")
_LONG = 12  # words; a longer block counts as missing where a fifth of its runs of words is
_RUN, _MOST_MISSING = 4, 0.2
# The text of a block within another one is its own.
_INNER = frozenset({*_KINDS, "table", "ul", "ol", "pre"})
_APART = frozenset({"br", "div"})


def html_of_markdown(text: str) -> str:
    """Return Markdown with tables as HTML, without the facts in JSON above it."""
    return str(MarkdownIt("commonmark").enable("table").render(_FACTS.sub("", text)))


def gold_text(html: str) -> str:
    """Return the text of a gold page, one line for each block."""
    return "\n".join(block.text for block in text_blocks(parse(f"<body>{html}", "https://gold.example/")))


def gold_blocks(html: str) -> dict[str, list[list[str]]]:
    r"""Return the words of each block of a gold page, by the block's kind; blocks without words are left out.

    Example:
        >>> gold_blocks("<h2>Ropes</h2><ul><li>Bowline<ul><li>Two of them</ul></ul><pre>a = 1\nb</pre>")
        {'headings': [['ropes']], 'items': [['bowline'], ['two', 'of', 'them']], 'code lines': [['a', '1'], ['b']]}
    """
    blocks: dict[str, list[list[str]]] = {}
    tree = LexborHTMLParser(html)
    for node in tree.css(",".join(_KINDS)):
        if found := words(_own_text(node)):
            blocks.setdefault(_KINDS[str(node.tag)], []).append(list(found))
    for code in tree.css("pre"):
        lines = [list(words(line)) for line in code.text().splitlines()]
        blocks.setdefault("code lines", []).extend(filter(None, lines))
    return {kind: found for kind, found in blocks.items() if found}


def _own_text(node: LexborNode) -> str:
    texts: list[str] = []
    waiting = list(node.iter(include_text=True))[::-1]
    while waiting:
        child = waiting.pop()
        if child.tag == "-text":
            texts.append(child.text_content or "")
        elif child.tag not in _INNER:
            texts.append(" " if child.tag in _APART else "")
            waiting += list(child.iter(include_text=True))[::-1]
    return "".join(texts)


def missing_blocks(text: str, blocks: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, tuple[int, int]]:
    """Return, per kind, how many blocks a text lacks, and how many there are.

    Example:
        >>> missing_blocks("Knots. Bowline", {"items": [["bowline"], ["sheet", "bend"]]})
        {'items': (1, 2)}
    """
    written = words(text)
    line = f" {' '.join(written)} "
    runs = {tuple(written[start : start + _RUN]) for start in range(len(written) - _RUN + 1)}
    return {
        kind: (sum(_is_missing(block, line, runs) for block in found), len(found)) for kind, found in blocks.items()
    }


def _is_missing(block: Sequence[str], line: str, runs: set[tuple[str, ...]]) -> bool:
    if len(block) <= _LONG:
        return f" {' '.join(block)} " not in line
    own = [tuple(block[start : start + _RUN]) for start in range(len(block) - _RUN + 1)]
    return sum(run not in runs for run in own) > _MOST_MISSING * len(own)


def missing_shares(pages: Iterable[Mapping[str, tuple[int, int]]]) -> dict[str, float]:
    """Return, per kind, the share of all pages' blocks that is missing."""
    lost: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for page in pages:
        for kind, (missing, count) in page.items():
            lost[kind] += missing
            total[kind] += count
    return {kind: lost[kind] / total[kind] for kind in KINDS if total[kind]}
