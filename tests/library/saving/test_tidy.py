"""A saved layout is written in lines that follow its structure, and shows what it showed."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.support.judged_pages import judged
from tests.support.tables import table

from sitestencil import extract
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.page.parsing import parse
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import template_html

URL = "https://example.org/"
UNBROKEN = "\u4e00 "
GAP = "\n\n  \n\t\n"
PAGE = f"""<!doctype html><html><head>{GAP}<style>a {{ color: red }}{GAP}b {{ color: blue }}</style>{GAP}</head>
<body>{GAP}<nav>{GAP}<a href=/>Home</a>{GAP}</nav>{GAP}  <script>1</script>{GAP}    <p>{GAP}Made by hand,{GAP}in
Aveiro.{GAP}</p>{GAP}</body></html>"""


@table("write", [template_html, jinja_layout])
def test_lines_follow_the_structure_without_blank_ones(
    write: Callable[[JudgedPage, Choices], str],
) -> None:
    html = write(judged(parse(PAGE, URL)), Choices(all_styles=True))
    body = html.partition("<body>")[2]
    assert body.startswith(
        '\n\t<nav>\n\t\t<a href="https://example.org/">Home</a>\n\t</nav>\n\t<p>\n\t\tMade by hand,\n\t\tin\n'
    )
    assert "a { color: red }\n\nb { color: blue }" in html
    assert not re.search(r"\n\s*\n\s*<", body)


@table("around", ["pre", "code", 'div style="white-space: pre-line"'])
def test_white_space_that_shows_stays(around: str) -> None:
    page = parse(f"<body><{around}>a<b>b</b>{GAP}<i>c</i></{around.split(maxsplit=1)[0]}>", URL)
    assert f"<b>b</b>{GAP}<i>c</i>" in template_html(judged(page))


@table(
    ("html", "written"),
    [
        ("<ul><li>a</li><li>b</li></ul>", "\n\t<ul>\n\t\t<li>a</li>\n\t\t<li>b</li>\n\t</ul>\n"),
        ("<div><p>a</p>b</div>", "\n\t<div><p>a</p>b</div>\n"),
        ("<div></div>", "\n\t<div></div>\n"),
        ("<i>a</i><i>b</i>", "<i>a</i><i>b</i>"),
        ("<div><p>a</p>&nbsp;<p>b</p></div>", "<div><p>a</p>&nbsp;<p>b</p></div>"),
        ("<p>a\n&nbsp; b</p>", "<p>a\n\t\t&nbsp; b</p>"),
        ("<ul> <li>a <li style='display: inline'>b</ul>", '<li>a </li><li style="display: inline">b</li>'),
        ("<style>.x li{display:inline-block}</style><ul class=x><li>a</li></ul>", "<li>a</li></ul>"),
        ("<style>@media print{.x li{display:var(--x)}}</style><ul class=x><li>a</li></ul>", "<li>a</li></ul>"),
        ("<style>ul{& li{display:inline}}</style><ul><li>a</li></ul>", "<ul><li>a</li></ul>"),
        ("<style>li{all:unset}</style><ul><li>a</li></ul>", "<ul><li>a</li></ul>"),
        ("<style>.x{white-space:pre-wrap}</style><p class=x>a\n  b</p>", "<p class=\"x\">a\n  b</p>"),
        ("<style>.x{white-space:normal}</style><div class=x><p>a</p></div>", "\n\t\t<p>a</p>\n"),
        ("<link rel=stylesheet href=/a.css><ul><li>a</li><li>b\n c</li></ul>", "<ul><li>a</li><li>b\n c</li></ul>"),
        ("<x-a><template shadowrootmode=open><slot></slot></template><p>a</p></x-a>", "</template><p>a</p></x-a>"),
        ("<select><option>a<option>b</select>", "<select>\n\t\t<option>a</option>\n\t\t<option>b</option>"),
        ("<svg><path d='M0'/><g><text> a <tspan>b</tspan></text></g></svg>", "\n\t\t<g><text> a <tspan>b</tspan>"),
    ],
)  # fmt: skip
def test_line_breaks_stand_where_nothing_shows_them(html: str, written: str) -> None:
    text = template_html(judged(parse(f"<!doctype html><body>{html}", URL)), Choices(all_styles=True))
    assert written in text.partition("<body>")[2]


def test_lines_are_short_where_text_allows() -> None:
    links = "".join(
        f"<a class='item item-{number}' href=/a/b/{number}>Item number {number}</a>" for number in range(99)
    )
    bare = f"<p>{'<b>a</b>' * 200}</p><p>{'word ' * 200}</p><svg>{'<g/>' * 90}</svg><pre>{'<i>a</i>' * 99}</pre>"
    page = parse(f"<!doctype html><body><nav>{links}</nav>{bare}<p>{UNBROKEN * 200}</p>", URL)
    lines = template_html(judged(page)).partition("<body")[2].split("\n")
    long = [line for line in lines if len(line) > 160]
    assert len(long) == 1 and UNBROKEN * 9 in long[0]


def test_a_shop_page_of_a_thousand_blank_lines_has_none(benchmark_sites: Path) -> None:
    template = extract(benchmark_sites / "meat-shed")
    for text in (template.to_html(), template.to_jinja()):
        assert not re.search(r"\n[ \t]*\n[ \t]*\n", text)
