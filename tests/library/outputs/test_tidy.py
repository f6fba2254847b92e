"""A saved layout has no runs of blank lines, and shows what it would show with them."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.support.judged_pages import judged
from tests.support.tables import table

from sitestencil import extract
from sitestencil.outputs.jinja_layout import jinja_layout
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.standalone_html import template_html
from sitestencil.page.parsing import parse

URL = "https://example.org/"
GAP = "\n\n  \n\t\n"
PAGE = f"""<!doctype html><html><head>{GAP}<style>a {{ color: red }}{GAP}b {{ color: blue }}</style>{GAP}</head>
<body>{GAP}<nav>{GAP}<a href=/>Home</a>{GAP}</nav>{GAP}  <script>1</script>{GAP}    <p>{GAP}Made by hand,{GAP}in
Aveiro.{GAP}</p>{GAP}</body></html>"""


@table("write", [template_html, jinja_layout])
def test_blank_lines_are_left_out_and_the_last_lines_indent_stays(
    write: Callable[[JudgedPage, Choices], str],
) -> None:
    html = write(judged(parse(PAGE, URL)), Choices(all_styles=True))
    body = html.partition("<body>")[2]
    assert body.startswith('\n<nav>\n<a href="https://example.org/">Home</a>\n</nav>\n')
    assert "<p>\nMade by hand,\n" in body
    assert "a { color: red }\n\nb { color: blue }" in html
    assert not re.search(r"\n\s*\n\s*<", body)


@table("around", ["pre", "code", 'div style="white-space: pre-line"'])
def test_white_space_that_shows_stays(around: str) -> None:
    page = parse(f"<body><{around}>a<b>b</b>{GAP}<i>c</i></{around.split(maxsplit=1)[0]}>", URL)
    assert f"<b>b</b>{GAP}<i>c</i>" in template_html(judged(page))


def test_a_shop_page_of_a_thousand_blank_lines_has_none(benchmark_sites: Path) -> None:
    template = extract(benchmark_sites / "meat-shed")
    for text in (template.to_html(), template.to_jinja()):
        assert not re.search(r"\n[ \t]*\n[ \t]*\n", text)
