"""Small pages with the Markdown that people expect of them, read back and compared with the page.

`markdown_corpus/` holds each page as HTML and as Markdown. A CommonMark parser turns the Markdown into HTML again.
Both pages then have the same headings, lists, tables, code, links, images, quotes and words.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import html as lxml_html
from markdown_it import MarkdownIt
from tests.support.judged_pages import all_content
from tests.support.markdown_structure import (
    BASE,
    cells,
    code,
    emphasis,
    headings,
    images,
    links,
    lists,
    quotes,
    read_back,
    source,
)
from tests.support.tables import table

from sitestencil.outputs.content import content_markdown
from sitestencil.outputs.formulas import tidy_tex
from sitestencil.outputs.markdown_check import _PARSER
from sitestencil.page.parsing import parse

CORPUS = Path(__file__).parent / "markdown_corpus"
PAGES = sorted(CORPUS.glob("*.html"))


def markdown(page: Path) -> str:
    return page.with_suffix(".md").read_text("utf-8")


def written(page: Path) -> str:
    return content_markdown(all_content(parse(page.read_bytes(), BASE)))


@table("page", PAGES)
def test_a_page_gives_the_markdown_beside_it(page: Path) -> None:
    assert written(page) == markdown(page)


@table("page", PAGES)
@table("read", [headings, cells, links, images, quotes, emphasis])
def test_the_markdown_means_what_the_page_means(page: Path, read: Callable[[Any], Any]) -> None:
    assert read(read_back(markdown(page))) == read(source(page))


@table("page", [page for page in PAGES if page.stem != "definitions"])
def test_lists_keep_their_kind_depth_and_order(page: Path) -> None:
    assert lists(read_back(markdown(page))) == lists(source(page))


@table("name", ["code", "lists"])
def test_code_keeps_its_lines_and_spaces(name: str) -> None:
    page = CORPUS / f"{name}.html"
    kept = [block for block in code(source(page)) if block != "Ctrl"]
    assert [block for block in code(read_back(markdown(page))) if block != "Ctrl"] == kept


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


@table("name", ["footnotes", "footnotes-wikipedia"])
def test_each_reference_has_its_footnote_and_each_footnote_a_reference(name: str) -> None:
    text = (CORPUS / f"{name}.md").read_text("utf-8")
    notes = re.findall(r"^\[\^(\d+)\]:", text, flags=re.MULTILINE)
    referred = re.findall(r"\[\^(\d+)\](?!:)", text)
    assert notes == sorted(set(referred)) == ["1", "2"]
    assert not re.search("[↑^](?!\\d)", re.sub(r"\[\^", "", text))


@table("name", ["math-katex", "math-mathjax"])
def test_formulas_have_the_source_that_the_page_keeps(name: str) -> None:
    page = CORPUS / f"{name}.html"
    tree: Any = lxml_html.fromstring(page.read_text("utf-8"))
    sources = tree.xpath("//annotation | //script[starts-with(@type, 'math/tex')]")
    tokens = _PARSER.parse(page.with_suffix(".md").read_text("utf-8"))
    read = [child.content for token in tokens for child in token.children or () if child.type == "formula"]
    assert read[: len(sources)] == [tidy_tex(element.text_content()) for element in sources]
