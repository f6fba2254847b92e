"""A saved layout shows what the page shows, where scripts or odd forms of markup draw it."""

import re

from tests.support.judged_pages import judged
from tests.support.saved_pages import faults
from tests.support.tables import table

from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices
from sitestencil.page.parsing import parse
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import files_wanted, template_html

URL = "https://example.org/"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


@table(
    ("html", "there", "gone"),
    [
        ("<style type=text/less>p{color:red}</style>", "<p>", "color:red"),
        ("<body><style type=text/x-scss>p{color:red}</style>", "<p>", "color:red"),
        ("<style type='Text/CSS '>p{color:red}</style>", "p{color:red}", "none{"),
        ("<link rel=stylesheet href='data:text/css,p%7Bcolor:red%7D'>", "<style>p{color:red}</style>", "data:"),
        (
            "<link rel=stylesheet href='data:text/css;charset=utf-8;base64,cHtjb2xvcjpyZWR9'>",
            "p{color:red}",
            "data:",
        ),
        ("<link rel=stylesheet media=print href='data:text/css,p{}'>", '<style media="print">p{}', "data:"),
        (
            "<link rel=stylesheet href='data:text/css,p{background:url(javascript:1)}'>",
            "about:invalid",
            "javascript",
        ),
        ("<link rel=stylesheet href='data:text/css,</style><script>x</script>'>", "<p>", "</script"),
        ("<link rel=stylesheet href='data:text/html,p{}'>", "<p>", "p{}"),
        ("<link rel=stylesheet media=print onload=\"this.media='all'\" href=/a.css>", 'media="all"', "onload"),
        ("<link rel=preload as=style onload=\"this.rel='stylesheet'\" href=/a.css>", 'rel="stylesheet"', "preload"),
        ("<link rel=preload as=font onload=go() href=/a.woff2>", "<p>", "a.woff2"),
        ("<style>x-a:not( :defined ){display:none}</style>", "x-a:not(*)", "defined"),
        ("<meta name=generator content=Words><meta name=viewport content=width=1>", "viewport", "Words"),
    ],
)
def test_sheets_are_as_the_page_has_them(html: str, there: str, gone: str) -> None:
    saved = template_html(judged(parse(f"<!doctype html>{html}<p>", URL)), Choices(all_styles=True))
    assert there in saved
    assert gone not in saved
    assert faults(saved) == []


def test_an_image_without_src_is_its_first_candidate() -> None:
    page = judged(parse("<!doctype html><img srcset='a.png 1x, b.png 2x'><img srcset='c.png, d.png 2x'>", URL))
    assert {one.url for one in files_wanted(page)({})} == {f"{URL}a.png", f"{URL}c.png"}


def test_a_view_of_an_svg_file_stays_chosen() -> None:
    page = judged(parse("<!doctype html><img src='/s.svg#up'><img src='/s.svg#down'>", URL))
    html = template_html(page, Choices(), {f"{URL}s.svg": File(f"{URL}s.svg", SVG)})
    assert html.count("base64,") == 2
    assert '#up"' in html
    assert '#down"' in html


SPRITE = b"""<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'>
<defs><linearGradient id='g'><stop stop-color='red'/></linearGradient></defs>
<symbol id='icon' viewBox='0 0 9 9'><path id='fff' fill='url(#g)' stroke='#fff' d='M0 0' onclick='x()'/>
<script>x()</script><use href='#dot'/><use href='https://other.example/x.svg#y'/></symbol>
<circle id='dot' r='3'/><symbol id='unused'/></svg>"""


def test_a_symbol_of_another_svg_file_goes_into_the_file_with_all_it_needs() -> None:
    uses = "<svg><use href='/s.svg#icon'/></svg><svg><use xlink:href='/s.svg#icon'/><use href='/gone.svg#a'/></svg>"
    page = judged(parse(f"<!doctype html><p id=sprite-1 class=dot>{uses}", URL))
    assert [one.url for one in files_wanted(page)({})] == [f"{URL}s.svg", f"{URL}gone.svg"]
    files = {f"{URL}s.svg": File(f"{URL}s.svg", SPRITE)}
    for html in (template_html(page, Choices(), files), jinja_layout(page, Choices(), files)):
        assert faults(html) == []
        written = re.sub(r"\n\s*", "", html)
        assert (
            '<svg><use href="#sprite-3"/><defs>'
            '<linearGradient id="sprite-2"><stop stop-color="red"/></linearGradient>'
            '<symbol id="sprite-3" viewBox="0 0 9 9">'
            '<path id="sprite-4" fill="url(&quot;#sprite-2&quot;)" stroke="#fff" d="M0 0"/>'
            '<use href="#sprite-5"/><use/></symbol><circle id="sprite-5" r="3"/></defs></svg>'
            '<svg><use href="#sprite-3"/><use/></svg>'
        ) in written
        assert f"  {URL}gone.svg#a\n" in html  # the comment tells what is missing
    assert "<svg><use/></svg><svg><use/><use/></svg>" in re.sub(r"\n\s*", "", template_html(page))


@table("content", [b"GIF89a...", b"<svg><p id=icon>x</p></svg>", b"<svg>" * 20_000 + b"<g id=icon>", b"<svg id=x>"])
def test_a_file_that_has_no_such_symbol_gives_none(content: bytes) -> None:
    page = judged(parse("<!doctype html><svg><use href='/s.svg#icon'/></svg>", URL))
    html = template_html(page, Choices(), {f"{URL}s.svg": File(f"{URL}s.svg", content)})
    assert "<svg><use/></svg>" in html


def test_a_symbol_shows_no_element_of_the_page_that_its_file_lacks() -> None:
    chain = "".join(f"<g id='a{number}'><use href='#a{number + 1}'/></g>" for number in range(20))
    sprite = (
        f"<svg><symbol id='icon'><path fill='url(#own)'/><use href='#own'/><use href='#a0'/></symbol>{chain}</svg>"
    )
    page = judged(parse("<svg id=own><use href='/s.svg#icon'/></svg><p id=a19>x", URL))
    html = template_html(page, Choices(), {f"{URL}s.svg": File(f"{URL}s.svg", sprite.encode())})
    assert "#sprite-1" in html
    assert re.findall("#(?:own|a[0-9]+)", html) == []


def test_the_state_of_a_custom_element_is_an_attribute_in_the_file() -> None:
    page = judged(parse("<!doctype html><style>x-a:state( On ){top:0}</style><x-a state--on>x</x-a>", URL))
    html = template_html(page)
    assert "x-a:is(:state(On), [state--On]) { top:0; }" in html
    assert '<x-a state--on="">' in html


@table(
    ("action", "written"),
    [
        ("/find?sid=1#x", "/find"),
        ("https://other.example/a/b", "/a/b"),
        ("https://other.example//evil.example/b", "/evil.example/b"),
        ("https://other.example/\\evil.example", "/evil.example"),
        ("javascript:x", None),
    ],
)
def test_a_form_leads_to_the_files_own_site_without_hidden_fields(action: str, written: str | None) -> None:
    page = judged(
        parse(f"<!doctype html><form action='{action}'><input type=' HIDDEN' name=a>b<input></form>", URL)
    )
    for html in (
        template_html(page),
        template_html(page, Choices(own_scripts=True)),
        jinja_layout(page, Choices()),
    ):
        assert f'<form action="{written}">b<input></form>' in html or (written is None and "action=" not in html)


@table(
    ("html", "written"),
    [
        ("<p data-ga-event=x data-track=y data-page-id=7 data-theme=b>", '<p data-theme="b">'),
        ("<style>[data-track]{top:0}</style><p data-track=y>", '<p data-track="y">'),
        ("<style>.post-12{top:0}</style><p class='a page-id-7 post-12 node-9'>", '<p class="a post-12">'),
        ("<link rel=stylesheet href=/a.css><p class='a page-id-7'>", '<p class="a page-id-7">'),
        ("<svg><defs><filter id=f><feFlood/></filter></defs><path d=M0></svg>", '<svg><defs/><path d="M0"/></svg>'),
        ("<svg><filter id=f></filter></svg><p style='filter:url(#f)'>", '<filter id="f"/>'),
        ("<style>p{filter:url(#f)}</style><svg><filter id=f></filter></svg><p>", '<filter id="f"/>'),
        ("<svg><defs><g><mask id=m fill='url(#f)'/></g><mask id=f /></defs></svg><i>", "<svg><defs/></svg>"),
        ("<svg><symbol id=s /></svg>", '<symbol id="s"/>'),
    ],
)
def test_marks_of_visits_and_unused_definitions_go(html: str, written: str) -> None:
    saved = template_html(judged(parse(f"<!doctype html>{html}", URL)))
    assert written in re.sub(r"\n\s*", "", saved)
    assert faults(saved) == []


def test_the_slot_heading_is_the_pages_own() -> None:
    body = "<aside><h3>Reply</h3></aside><section><h1>Story</h1></section><p>A long text of the page</p>"
    page = parse(f"<!doctype html>{body}", URL)
    template = [tag not in {"h1", "h3", "p"} for tag in page.tags]
    html = template_html(judged(page, template, [template[run.parent] for run in page.texts]), Choices())
    assert '<section data-slot="heading"' in html
    assert '<aside data-slot="heading_2"' in html
