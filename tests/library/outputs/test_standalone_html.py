"""The template as a page to build on."""

import re

import pytest

from sitestencil.outputs.standalone_html import (
    absolute_attributes,
    absolute_css,
    absolute_source_set,
    template_html,
)
from sitestencil.page.parsing import parse

URL = "https://example.org/news/today"
PAGE = """<!doctype html><html lang=en><head><title>Today</title>
<meta name=description content="All about today"><meta name=viewport content="width=device-width">
<meta charset=utf-8><link rel=stylesheet href=/style.css><link rel=canonical href=/news/today>
<script src=/app.js></script><style>body { background: url(bg.png) }</style></head>
<body onload="go()"><nav><a href="../about" onclick="x()">About</a></nav>
<main class=wrap>Loose words <article><h1>Today</h1><p>Story</p><aside>Share</aside></article></main>
<noscript>Turn on scripts</noscript><footer><a href="javascript:void 0">Top</a></footer></body></html>"""


def _template(*content_tags: str, texts_of: str = "") -> str:
    page = parse(PAGE, URL)
    template = [tag not in content_tags for tag in page.tags]
    texts = [page.tags[run.parent] != texts_of for run in page.texts]
    return template_html(page, template, texts)


def test_content_is_removed_and_the_containers_stay() -> None:
    html = _template("article", "h1", "p", "aside", texts_of="main")
    assert "Story" not in html
    assert "Loose words" not in html
    assert re.search(r'<main class="wrap">\s*</main>', html)
    assert "About" in html


def test_template_inside_content_keeps_its_container_without_the_containers_text() -> None:
    html = _template("article", "h1", "p")
    assert "<article><aside>Share</aside></article>" in html


def test_scripts_event_handlers_and_script_addresses_are_removed() -> None:
    html = _template("article", "h1", "p", "aside")
    assert not re.search(r"<script|javascript:|onload|onclick|Turn on scripts", html)


def test_addresses_are_absolute() -> None:
    html = _template("article")
    assert 'href="https://example.org/about"' in html
    assert 'href="https://example.org/style.css"' in html
    assert 'url("https://example.org/news/bg.png")' in html


def test_the_head_describes_the_template_and_not_the_page() -> None:
    html = _template("article")
    assert "<title>Template of example.org</title>" in html
    assert html.count("charset") == 1
    assert "All about today" not in html
    assert "canonical" not in html
    assert "viewport" in html


def test_the_result_parses_to_the_same_tree_again() -> None:
    html = _template("article", "h1", "p", "aside")
    page = parse(html, URL)
    assert page.tags.count("head") == page.tags.count("body") == 1
    assert page.doctype == "html"
    assert page.tags[page.children[page.body or 0][0]] == "nav"


@pytest.mark.parametrize(
    ("css", "absolute"),
    [
        ("a{b:url(c.png)}", 'a{b:url("https://example.org/news/c.png")}'),
        ("a{b:url( 'c d.png' )}", 'a{b:url( "https://example.org/news/c%20d.png" )}'),
        ("@import 'x.css';", '@import "https://example.org/news/x.css";'),
        ("a{b:url(data:image/png;base64,AA==)}", 'a{b:url("data:image/png;base64,AA==")}'),
        ("a{b:url(#clip)}", 'a{b:url("#clip")}'),
        ("a{color:red}", "a{color:red}"),
    ],
)
def test_addresses_in_css_are_absolute(css: str, absolute: str) -> None:
    assert absolute_css(css, URL) == absolute


def test_addresses_in_source_sets_are_absolute_and_keep_their_descriptors() -> None:
    assert absolute_source_set("a.png, b.png 2x,/c.png 640w", URL) == (
        "https://example.org/news/a.png, https://example.org/news/b.png 2x, https://example.org/c.png 640w"
    )


def test_fragments_and_addresses_that_cannot_be_resolved_stay() -> None:
    given = {"href": "#top", "src": "http://[", "ONCLICK": "x", "style": "background:url(a)"}
    assert absolute_attributes(given, URL) == {
        "href": "#top",
        "src": "http://[",
        "style": 'background:url("https://example.org/news/a")',
    }
