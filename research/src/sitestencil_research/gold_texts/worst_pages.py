"""Show the pages with the lowest F1, block by block: kept rightly, kept wrongly, missed."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from sitestencil_research.gold_texts.measure import WordScore
from sitestencil_research.gold_texts.sets import GoldPage

WORST = 20
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; color: #1f2933 }
pre { white-space: pre-wrap }
section { border-top: 1px solid #cbd2d9; margin-top: 2rem }
p { margin: 2px 0; padding: 1px 8px; border-left: 6px solid #e4e8ec; overflow-wrap: anywhere }
.right { border-color: #2369a8; background: #e8f1fa } .wrong { border-color: #d7301f; background: #fdecea }
.missed { border-color: #f5a300; background: #fff6e0 } .left { color: #7b8794 }
"""
_LEGEND = (
    "<p class=right>main content, kept<p class=wrong>kept, but not in the gold text"
    "<p class=missed>in the gold text, but not kept<p class=left>left out"
)


class JudgedText(NamedTuple):
    """A block of a page.

    Attributes:
        text: its text.
        gold_share: the share of its words that stand in the gold text.
        kept: whether it was kept.
    """

    text: str
    gold_share: float
    kept: bool


class JudgedPageText(NamedTuple):
    """A page with its score and its blocks."""

    page: GoldPage
    score: WordScore
    blocks: Sequence[JudgedText]


def worst_pages_html(pages: Sequence[JudgedPageText], command: str) -> str:
    """Return the report of the twenty pages with the lowest F1, as one HTML page.

    Args:
        pages: all pages.
        command: the command that made the report; the report shows it.
    """
    worst = sorted(pages, key=lambda page: (page.score.f1, page.page.url))[:WORST]
    return (
        f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>The worst pages</title><style>{_STYLE}</style>"
        f"<h1>The {len(worst)} pages with the lowest F1, of {len(pages)}</h1><pre>{escape(command)}</pre>{_LEGEND}"
        + "".join(map(_section, worst))
        + "</html>\n"
    )


def _section(page: JudgedPageText) -> str:
    score, gold = page.score, page.page
    kind = f", {escape(gold.kind)}" if gold.kind else ""
    head = f"<h2>{escape(gold.name)}{kind}</h2><p>{escape(gold.url)}"
    figures = f"<p>F1 {score.f1:.3f}, precision {score.precision:.3f}, recall {score.recall:.3f}"
    return f"<section>{head}{figures}{''.join(map(_block, page.blocks))}</section>"


def _block(block: JudgedText) -> str:
    is_gold = block.gold_share >= 0.5
    name = ("right" if is_gold else "wrong") if block.kept else ("missed" if is_gold else "left")
    return f"<p class={name}>{escape(block.text)}"
