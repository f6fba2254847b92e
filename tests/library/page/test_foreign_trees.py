"""Trees of lxml and BeautifulSoup are pages."""

import io
from collections.abc import Callable
from importlib import import_module

from lxml import etree, html
from tests.support.tables import table

from sitestencil import extract, parse
from sitestencil.page.parsing import LxmlTree, SoupTree

bs4 = import_module("bs4")  # it has no types of its own
MENU = "<nav><a href='/'>Home</a><a href='/ropes'>Ropes</a></nav>"
ARTICLE = "<article><h1>The ropewalk</h1><p>300 m &amp; more<br>of hemp</article>"
PAGE = f"<!doctype html><title>Ropes</title>{MENU}{ARTICLE}"
XHTML = f"<html xmlns='http://www.w3.org/1999/xhtml'><head></head><body>{MENU}<p>a<br/>b</p></body></html>"
Tree = LxmlTree | SoupTree
OTHER = f"<!doctype html><title>Home</title>{MENU}<article><h1>Welcome</h1></article>"
URL = "https://museum.example/ropes"
READERS: dict[str, Callable[[str], Tree]] = {
    "an element of lxml": html.fromstring,
    "a tree of lxml": lambda page: html.parse(io.StringIO(page)),
    "BeautifulSoup by html.parser": lambda page: bs4.BeautifulSoup(page, "html.parser"),
    "BeautifulSoup by lxml": lambda page: bs4.BeautifulSoup(page, "lxml"),
}


@table("reader", READERS)
def test_a_tree_gives_the_template_of_its_html(reader: str) -> None:
    read = READERS[reader]
    site = {URL.replace("ropes", ""): OTHER}
    of_html = extract(PAGE, url=URL, pages=site)
    of_tree = extract(read(PAGE), url=URL, pages={url: read(page) for url, page in site.items()})
    assert of_tree.document.tags == of_html.document.tags
    assert of_tree.document.doctype == "html"
    assert of_tree.elements == of_html.elements
    assert of_tree.content_text() == "The ropewalk\n300 m & more\nof hemp\n"


def test_a_part_of_a_tree_is_that_part_alone() -> None:
    (part,) = html.fromstring(PAGE).cssselect("h1")
    assert parse(part, URL).texts[-1].text == "The ropewalk"


def test_a_tree_of_xhtml_is_read_as_html() -> None:
    tree = etree.fromstring(XHTML)
    assert parse(tree, URL).tags == parse(XHTML, URL).tags
    assert tree.tag == "{http://www.w3.org/1999/xhtml}html"  # the caller's tree stays as it is
