"""Documents from bytes: the browser's element tree."""

from pathlib import Path

import pytest
from tests.support.tables import table

from sitestencil.page.document import TextRun
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites, read_labels

URL = "http://example.org/dir/page"


def test_every_key_page_has_as_many_elements_as_in_the_browser(benchmark_sites: Path) -> None:
    folders = labelled_sites(benchmark_sites)
    assert len(folders) >= 46
    for folder in folders:
        facts, _ = read_labels(folder)
        assert len(StoredSite(folder).load_key_page().document()) == facts.elements, folder.name


def test_elements_come_in_document_order_with_their_parents() -> None:
    page = parse("<!doctype html><title>t</title><p id=a class='x  y'>one<b>two</b>three<p>four", URL)
    assert page.tags == ["html", "head", "title", "body", "p", "b", "p"]
    assert page.parents == [-1, 0, 1, 0, 3, 4, 3]
    assert page.ends == [7, 3, 3, 7, 6, 6, 7]
    assert page.children[3] == [4, 6]
    assert page.id(4) == "a"
    assert page.classes[4] == {"x", "y"}
    assert page.doctype == "html"
    assert page.body == 3
    assert page.path(5) == [0, 3, 4, 5]
    assert page.texts[1:] == [
        TextRun(4, -1, "one"),
        TextRun(5, -1, "two"),
        TextRun(4, 5, "three"),
        TextRun(6, -1, "four"),
    ]


def test_comments_and_template_contents_are_no_elements() -> None:
    page = parse("<p><!-- <b> --><template><i>x</i></template><u>", URL)
    assert page.tags == ["html", "head", "body", "p", "template", "u"]
    assert page.doctype is None


def test_noscript_holds_elements_only_where_scripting_is_off() -> None:
    html = "<body><noscript><p>x</p></noscript>"
    assert "p" in parse(html, URL).tags
    assert "p" not in parse(html, URL, scripting=True).tags


@table(
    ("html", "charset"),
    [
        ("<p>Привет".encode("windows-1251"), "windows-1251"),
        ('<meta charset="windows-1251"><p>Привет'.encode("windows-1251"), None),
        ('<meta charset="utf-8"><p>Привет'.encode("windows-1251"), "windows-1251"),
        ("\ufeff<p>Привет".encode(), "windows-1251"),
        ("\ufeff<p>Привет".encode("utf-16-le"), None),
        ("<p>Привет".encode(), "no-such-charset"),
    ],
)
def test_the_encoding_comes_from_mark_then_header_then_page(html: bytes, charset: str | None) -> None:
    assert [run.text for run in parse(html, URL, charset=charset).texts] == ["Привет"]


@table("html", [b"", b"   ", b"\x00\x00", b"<", b"\xff\xfe", b"<frameset><frame src=a>"])
def test_whatever_the_bytes_there_is_a_tree(html: bytes) -> None:
    page = parse(html, URL)
    assert page.tags[:2] == ["html", "head"]
    assert page.body is not None


def test_a_frame_is_a_link_and_the_frameset_the_body() -> None:
    page = parse('<frameset><frame src="menu.html"><frame></frameset>', URL)
    assert [address for _, address in page.hyperlinks()] == ["menu.html"]
    assert page.tags[page.body or 0] == "frameset"


def test_user_and_password_are_no_part_of_a_pages_address() -> None:
    page = parse('<base href="http://a:b@x.test/c/"><a href="d">', "http://ann:secret@x.test/")
    assert (page.url, page.base) == ("http://x.test/", "http://x.test/c/")


XML, XHTML = '<?xml version="1.0" encoding="iso-8859-1"?>', '<html xmlns="http://www.w3.org/1999/xhtml">'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f'{XML}{XHTML}<head><script src="a"/></head>', "A < B"),
        (f"{XML}\n{XHTML}", "A < B"),
        (XHTML, "A "),  # without a declaration it is HTML
    ],
)
def test_a_page_in_xml_is_read_as_xml_where_html_would_lose_text(html: str, text: str) -> None:
    page = parse(f"{html}<body><p/><p>A <![CDATA[< B]]></p></body></html>", "https://site.example/")
    assert page.text_content(page.body or 0) == text


def test_broken_xml_is_html() -> None:
    page = parse(f"{XML}{XHTML}<body><p>A<![CDATA[B", "https://site.example/")
    assert page.text_content(page.body or 0) == "A"
