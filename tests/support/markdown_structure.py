"""The structure of a page, and of the Markdown that stands for it: headings, lists, tables, code and links."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lxml import html as lxml_html
from markdown_it import MarkdownIt

BASE = "https://ropes.example/walk/page"
FOOTNOTE = re.compile(r"\[\^(\w+)\]")


def source(page: Path) -> Any:
    """Return a page's tree without formulas, footnotes, numbers of lines and links within the page."""
    tree: Any = lxml_html.fromstring(page.read_text("utf-8"), base_url=BASE)
    tree.make_links_absolute(BASE, handle_failures="ignore")
    for element in tree.xpath(
        "//title | //script | //math | //nobr | //section | //sup[a] | //ol[@class='references']"
        "| //*[contains(@class, 'katex')] | //*[contains(@class, 'MathJax')] | //span[@class='mwe-math-element']"
        "| //td[@class='linenos'] | //span[@class='lineno'] | //input"
    ):
        element.drop_tree()
    for link in tree.xpath(
        "//a[not(starts-with(@href, 'http') or starts-with(@href, 'mailto'))] | //a[contains(@href, '#')]"
    ):
        link.drop_tag()
    return tree


def read_back(markdown: str) -> Any:
    """Return the tree that Markdown stands for, without formulas and footnotes."""
    text = re.sub(r"^\[\^\w+\]: .*$", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"(\${1,2})(?![\s\d])[^$\n]+\1", "", FOOTNOTE.sub("", text))
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    return lxml_html.fromstring(f"<div>{rendered}</div>")


def words(element: Any) -> str:
    return "".join(element.text_content().split())


def headings(tree: Any) -> list[tuple[str, str]]:
    return [(element.tag, words(element)) for element in tree.iter("h1", "h2", "h3")]


def lists(tree: Any) -> list[tuple[str, int, str]]:
    """Return each item of a list: the kind of list, how deep it is, and how it begins."""
    return [
        (item.getparent().tag, len(list(item.iterancestors("ul", "ol"))), words(item)[:4])
        for item in tree.xpath("//li[not(ancestor::table)]")
    ]


def cells(tree: Any) -> list[str]:
    return [words(cell) for cell in tree.xpath("//*[self::td or self::th][not(.//pre)]") if words(cell)]


def code(tree: Any) -> list[str]:
    """Return code; a line in an element of its own ends where the element does."""
    blocks = []
    for block in tree.xpath("//pre"):
        for line in block.xpath("./div"):
            line.tail = "\n"
        blocks.append(block.text_content().strip("\n"))
    return blocks + [words(element) for element in tree.xpath("//code[not(ancestor::pre)]")]


def links(tree: Any) -> list[tuple[str, str]]:
    safe = {"(": "%28", ")": "%29"}
    return [("".join(safe.get(c, c) for c in a.get("href")), words(a)) for a in tree.xpath("//a[@href]")]


def images(tree: Any) -> list[tuple[str, str]]:
    return [(element.get("src"), element.get("alt")) for element in tree.iter("img")]


def quotes(tree: Any) -> list[tuple[int, str]]:
    return [(len(list(quote.iterancestors("blockquote"))), words(quote)) for quote in tree.iter("blockquote")]


def emphasis(tree: Any) -> list[tuple[str, str]]:
    names = {"b": "strong", "i": "em", "del": "s", "dt": "strong"}
    marks = tree.xpath("//*[self::b or self::strong or self::i or self::em or self::del or self::s or self::dt]")
    return [(names.get(mark.tag, mark.tag), words(mark)) for mark in marks]


READERS: Mapping[str, Callable[[Any], list[Any]]] = {
    read.__name__: read for read in (headings, lists, cells, code, links, images, quotes, emphasis)
}
