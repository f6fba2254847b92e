"""Write main content as Markdown, with HTML for what it cannot say, where the same tree is read from it."""

import re
from dataclasses import replace

from markdown_it import MarkdownIt

from sitestencil.outputs.markdown import at_start, code_span, escaped, fenced
from sitestencil.page.html_names import HEADINGS
from sitestencil.page.parsing import parse
from sitestencil.rebuild.nodes import ROOT, Node, Run, html_of, text_of
from sitestencil.rebuild.proof import shape

_LEAST = 0.5  # of the content's text, that Markdown says
_READER = MarkdownIt("commonmark", {"html": True})
_AROUND = frozenset({"div", "section", "article", "main", "header", "footer", "blockquote", "figure"})
_MOST_LEVELS = 20
_EMPHASIS = {"em": "*", "strong": "**"}
_TAG = "{{"  # of Hugo, which looks for its own in code, too
_SPACE = re.compile(r"\s+")


def markdown_of(run: Run) -> str | None:
    """Return main content as Markdown; None if other content is read from it, or if most of it would be HTML."""
    told, texts = _blocks(run, 0)
    text = "\n\n".join(texts)
    is_markdown = told and told >= _LEAST * len(text_of(run)) and _TAG not in text
    return f"{text}\n" if is_markdown and _is_read(text, run) else None


def _blocks(run: Run, level: int) -> tuple[int, list[str]]:
    """Return nodes as blocks, with the characters of the text that Markdown says."""
    told, texts = 0, list[str]()
    for node in (node for node in run if not isinstance(node, str) or node.strip()):
        block, html = _block(node), html_of((node,)).replace(_TAG, "&#123;{")
        if block and _is_read(block, (node,)):
            told += len(text_of((node,)))
            texts.append(block)
        elif isinstance(node, Node) and node.name in _AROUND and level < _MOST_LEVELS:
            inside, blocks = _blocks(node.children, level + 1)
            begin, end = html_of((replace(node, children=()),)), f"</{node.name}>"
            told += inside
            texts += [begin.removesuffix(end), *blocks, end] if inside else [html]
        else:
            texts.append(html)
    return told, texts


def _is_read(text: str, run: Run) -> bool:
    read, meant = (
        shape(parse(f"<div>{html.replace(ROOT, '@root/')}</div>", ""), edges=False)
        for html in (_READER.render(text.replace(ROOT, "@root/")), html_of(run))
    )
    return read == meant


def _block(node: Node | str) -> str:
    """Return an element as a block; empty if Markdown has none for it."""
    if isinstance(node, str) or node.attributes:
        return ""
    inside = [child for child in node.children if isinstance(child, Node)]
    if node.name in HEADINGS:
        return f"{'#' * int(node.name[1])} {_line(node.children)}"
    if node.name == "p":
        return at_start(_line(node.children))
    if node.name in {"ul", "ol"}:
        marks = [f"{number}." if node.name == "ol" else "-" for number, _ in enumerate(inside, 1)]
        return "\n".join(f"{mark} {_line(item.children)}" for mark, item in zip(marks, inside, strict=True))
    if node.name == "pre" and len(inside) == 1 and inside[0].name == "code":
        return fenced(text_of(node.children), dict(inside[0].attributes).get("class", "").removeprefix("language-"))
    return "___" if node.name == "hr" else ""


def _line(run: Run) -> str:
    """Return what stands in a line, with tags for elements that Markdown cannot say."""
    return "".join(_inline(node, 0) for node in run).strip()


def _inline(node: Node | str, level: int) -> str:  # noqa: PLR0911 - a table
    if isinstance(node, str):
        return escaped(_SPACE.sub(" ", node)).replace(_TAG, "&#123;{")
    if level > _MOST_LEVELS:
        return html_of((node,))
    said, inside = dict(node.attributes), "".join(_inline(child, level + 1) for child in node.children)
    if node.name == "a" and said.keys() == {"href"}:
        return f"[{inside}](<{said['href']}>)" if _SPACE.search(said["href"]) else f"[{inside}]({said['href']})"
    if node.name == "img" and said.keys() == {"src", "alt"}:
        return f"![{escaped(said['alt'])}]({said['src']})"
    if not said and node.name in _EMPHASIS:
        return f"{_EMPHASIS[node.name]}{inside}{_EMPHASIS[node.name]}"
    if not said and node.name == "code" and (text := text_of(node.children)).strip():
        return code_span(text)
    end = f"</{node.name}>"
    begin = html_of((replace(node, children=()),))
    return f"{begin.removesuffix(end)}{inside}{end}" if begin.endswith(end) else begin
