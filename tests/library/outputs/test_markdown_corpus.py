"""Small pages with the Markdown that people expect of them, read back and compared with the page.

`markdown_corpus/` holds each page as HTML and as Markdown. A CommonMark parser turns the Markdown into HTML again.
Both pages then have the same headings, lists, tables, code, links, images, quotes and words.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from tests.support.judged_pages import all_content

from sitestencil.outputs.content import content_markdown
from sitestencil.outputs.formulas import tidy_tex
from sitestencil.outputs.markdown_check import _PARSER
from sitestencil.page.parsing import parse

CORPUS = Path(__file__).parent / "markdown_corpus"
PAGES = sorted(CORPUS.glob("*.html"))
BASE = "https://ropes.example/walk/page"
FOOTNOTE = re.compile(r"\[\^(\d+)\]")


def written(page: Path) -> str:
    return content_markdown(all_content(parse(page.read_bytes(), BASE)))


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


def read_back(page: Path) -> Any:
    """Return the tree that the Markdown stands for, without formulas and footnotes."""
    text = re.sub(r"^\[\^\d+\]: .*$", "", page.with_suffix(".md").read_text("utf-8"), flags=re.MULTILINE)
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_gives_the_markdown_beside_it(page: Path) -> None:
    assert written(page) == page.with_suffix(".md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.parametrize("read", [headings, cells, links, images, quotes, emphasis], ids=lambda read: read.__name__)
def test_the_markdown_means_what_the_page_means(page: Path, read: Callable[[Any], Any]) -> None:
    assert read(read_back(page)) == read(source(page))


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "definitions"], ids=lambda page: page.stem)
def test_lists_keep_their_kind_depth_and_order(page: Path) -> None:
    assert lists(read_back(page)) == lists(source(page))


@pytest.mark.parametrize("name", ["code", "lists"])
def test_code_keeps_its_lines_and_spaces(name: str) -> None:
    page = CORPUS / f"{name}.html"
    kept = [block for block in code(source(page)) if block != "Ctrl"]
    assert [block for block in code(read_back(page)) if block != "Ctrl"] == kept


def test_code_keeps_its_language() -> None:
    tokens = MarkdownIt("commonmark").parse((CORPUS / "code.md").read_text("utf-8"))
    assert [token.info for token in tokens if token.type == "fence"] == [
        "python",
        "shell",
        "rust",
        "c++",
        "css",
        "",
    ]


@pytest.mark.parametrize("name", ["footnotes", "footnotes-wikipedia"])
def test_each_reference_has_its_footnote_and_each_footnote_a_reference(name: str) -> None:
    text = (CORPUS / f"{name}.md").read_text("utf-8")
    notes = re.findall(r"^\[\^(\d+)\]:", text, flags=re.MULTILINE)
    referred = re.findall(r"\[\^(\d+)\](?!:)", text)
    assert notes == sorted(set(referred)) == ["1", "2"]
    assert not re.search("[↑^](?!\\d)", re.sub(r"\[\^", "", text))


@pytest.mark.parametrize("name", ["math-katex", "math-mathjax"])
def test_formulas_have_the_source_that_the_page_keeps(name: str) -> None:
    page = CORPUS / f"{name}.html"
    tree: Any = lxml_html.fromstring(page.read_text("utf-8"))
    sources = tree.xpath("//annotation | //script[starts-with(@type, 'math/tex')]")
    tokens = _PARSER.parse(page.with_suffix(".md").read_text("utf-8"))
    read = [child.content for token in tokens for child in token.children or () if child.type == "formula"]
    assert read[: len(sources)] == [tidy_tex(element.text_content()) for element in sources]
