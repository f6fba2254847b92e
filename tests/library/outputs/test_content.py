"""The content of a page as HTML and as plain text: the opposite of its template."""

import re
from pathlib import Path

import pytest
from tests.support.judged_pages import all_content, judged
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table, written_cases

from sitestencil import Template, extract
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.outputs.content import content_html, content_markdown
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.outputs.plain_text import document_text, text_and_links
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import annotated_html

PAGE = """<!doctype html><html lang=en><head><title>Today</title><meta name=description content="All about today">
<link rel=stylesheet href=/style.css><style>p { color: red }</style><script src=/app.js></script></head>
<body class=wide><nav><a href=/>Home</a></nav><style>a { color: red }</style>
<main class=wrap>Menu <article onclick="x()"><h1>Today</h1><p>Story <a href="../more">more</a></p></article>
<aside>Share</aside></main><footer>Imprint</footer></body></html>"""
CONTENT = {"article", "h1", "p"}


def _page() -> JudgedPage:
    page = parse(PAGE, "https://example.org/news/today")
    template = [not {page.tags[above] for above in page.path(element)} & CONTENT for element in range(len(page))]
    return judged(page, template, [template[run.parent] for run in page.texts])


def _text(html: str) -> str:
    page = parse(html, "https://example.org/")
    return document_text(page, all_content(page))


def test_the_content_is_there_in_its_containers_and_the_template_is_not() -> None:
    html = content_html(_page())
    body = re.sub(r">\s+", ">", html.partition("<body")[2])
    assert body.startswith(' class="wide"><main class="wrap"><article><h1>Today</h1><p>Story <a')
    assert 'href="https://example.org/more"' in body
    for word in ("Home", "Menu", "Share", "Imprint"):
        assert word not in body


def test_the_head_says_what_the_page_is_without_styles_and_scripts() -> None:
    html = content_html(_page())
    assert "<title>Today</title>" in html
    assert "All about today" in html
    assert "Content-Security-Policy" in html
    assert not re.search("<style|<script|stylesheet|onclick", html)


def test_template_and_content_hold_each_text_of_the_page_once() -> None:
    answer = extract(f"{HOME}a", pages=PAGES)
    for word in ("Numbers", "Imprint", "Home"):
        assert (word in answer.to_html().partition("<body")[2]) != (word in answer.content_html())
    assert "Story" in content_html(_page())


def test_content_text_in_a_template_element_is_content() -> None:
    page = parse("<main><p>Same</p><p>Other</p></main>", "https://example.org/")
    texts = [run.text == "Same" for run in page.texts]
    assert document_text(page, judged(page, texts=texts)) == "Other\n"


@table(("shows", "html", "text"), written_cases(Path(__file__).with_name("text_cases.txt")))
def test_a_page_is_written_as_text(shows: str, html: str, text: str) -> None:
    assert _text(html) == text, shows


def test_what_nobody_reads_is_not_in_the_text() -> None:
    html = "<p>a<script>b</script><style>c</style><textarea>d</textarea><select><option>e</select>\x1b[2J"
    assert _text(html) == "a[2J\n"


def test_a_page_that_is_all_template_has_no_content() -> None:
    page = parse("<p>x", "https://example.org/")
    assert document_text(page, judged(page)) == ""


def test_an_answer_gives_its_content_in_every_form() -> None:
    answer: Template = extract(HOME, pages=PAGES)
    assert answer.content_text() == "Key story\n"
    assert answer.content_markdown() == "Key story\n"
    assert '<article class="story"><p>Key story</p></article>' in answer.content_html()


def test_words_on_both_sides_of_a_template_part_stay_apart() -> None:
    document = parse("<p>Price 00<b>of</b>CFA<p>In <i>May</i>be", "https://site.example/")
    is_template = [tag == "b" for tag in document.tags]
    texts = [run.text == "of" for run in document.texts]
    template = Template(document, Detection(is_template, texts, ()))

    assert template.content_text(around=True) == "Price 00 CFA\nIn Maybe\n"
    assert text_and_links(document, template.detection)[0] == "Price 00 CFA\nIn Maybe\n"


def test_words_of_a_crawled_page_stay_apart_around_a_template_part() -> None:
    key_page = parse("<div><b>Menu</b> <i>One</i> <u>Two</u></div>", "https://site.example/")
    is_template = [tag not in {"i", "u"} for tag in key_page.tags]
    texts = [is_template[run.parent] for run in key_page.texts]
    learned = LearnedTemplate.of("stencil", KeySketch(key_page), Detection(is_template, texts, ()))
    page = parse("<div><b>Menu</b> <i>Three</i> <u>Four</u></div>", "https://site.example/")

    assert document_text(page, learned.apply(page)) == "Three Four\n"


@table(
    "body",
    [
        "<p>10\u00a0km&#8239;on<p>a\u3000\u2003b",
        "<pre>a\u00a0\u00a0b\tc\n\x0c d&#13;e</pre>",
        "<pre>a\u0085b\u202etxt\u2066\u009b\tc</pre><p>a \u202a b\u009b",
        "<table><tr><td>one\u00a0<td> two<tr><td><td>three</table>tail",
        "<ul><li>x<br>y<li>  <b>z</b> </ul>&#1;a&#31;b",
        "<p>hand\u00adbook\u200b\u2060 \ufeffend<pre>soft\u00adly\tx</pre><p>\u0645\u06cc\u200c\u062e",
        "<p><a href=/1>Home</a><a href=/2>Visit</a><b><a>x</a></b><i><a>y</a></i>z<pre><a>f</a><a>(x)</a></pre>",
        "<p>a<span hidden>no</span>b<b style='color: red; DISPLAY : none'>no</b><i hidden=until-found>yes</i>"
        "<div hidden><p>no</div><template>no</template><table><td style=display:none>no<td>c</table>",
        "<p><span>Hitches</span><span>Bends</span><i>Splices</i><b>x<u>Y</u></b><em>don</em><em>'t</em> <b>Ab</b>C"
        "<p>a<img src=x><b>B</b>",
        "<pre>tie()\n\n\nuntie()\n\n</pre><p>a<pre>\n\nb\n \nc</pre><pre>d</pre><code>e</code>",
        "<p><span>a</span><img alt='A tied\n bowline'><b>B</b><img alt=knot.png><img alt=''><a><img alt=C></a>D"
        "<pre>e<img alt=F>\n\ng<img hidden alt=no></pre><img alt=H>"
        "<img width=1 height=1 alt=no><img width=0 height=40 alt=I><img width height=1 alt=J>",
        "<p>a <math><mi>b</mi><annotation encoding=x-tex>\\beta</annotation></math>, <script type='math/tex'>c^2"
        "</script>.<script type=' MATH/TeX; mode=display'>d</script><span class=MathJax>drawn</span>e<math></math>"
        "<b hidden>no<math><mi>f</math>no</b><span class=mwe-math-element><i style=display:none>"
        "<math alttext='2<3'></math></i><img alt=no></span>g",
        "<p>a<div style=display:none><p>one<p>two<p hidden>no</div>b"
        "<div style=visibility:hidden>no<b style=visibility:visible>c</b></div>",
    ],
)
def test_a_page_has_one_text_whoever_writes_it(body: str) -> None:
    document = parse(f"<title>T</title>{body}", "https://site.example/")
    nothing = Detection([False] * len(document), [False] * len(document.texts), ())
    text = Template(document, nothing).content_text(around=True)
    assert text and text == text_and_links(document, nothing)[0]


@pytest.mark.parametrize("name", ["mi", "mtext"])
def test_a_formula_too_long_for_tex_stays_as_words(name: str) -> None:
    words = [f"word{number}" for number in range(6_000)]
    inside = "".join(f"<{name}>{word}</{name}>" for word in words)
    page = parse(f"<p>Let <math>{inside}<annotation encoding=tex>{'x' * 30_000}</annotation></math> be.", "")
    for written in (document_text(page, all_content(page)), content_markdown(all_content(page))):
        assert written.split() == ["Let", *words, "be."]


@pytest.mark.parametrize(
    "within",
    [
        "<mtext><table><mglyph><style><!--</style><footer>Imprint</footer>",
        "<mtext><table><malignmark><b>bold</b><p>Imprint",
        "<mtext><p>Imprint</p></mtext>",
        "<mtext><math><mi>Imprint</mi></math></mtext>",
        "<unknown>Imprint</unknown>",
    ],
)
def test_what_may_not_stand_in_a_formula_leaves_its_words(within: str) -> None:
    html = annotated_html(all_content(parse(f"<p>Let <math>{within}", "")), "marked")
    assert "Imprint" in html
    assert annotated_html(all_content(parse(html, "")), "marked").count("Imprint") == 1


def test_no_typed_text_and_no_style_is_among_the_words_of_a_formula() -> None:
    within = "<mtext><textarea>secret</textarea><style>secret</style><select><option>secret</select>"
    page = parse(f"<p>Let <math>{within}<b>be</b></mtext><annotation>secret</annotation>", "")
    html = annotated_html(all_content(page), "marked")
    assert ("be" in html, "secret" in html) == (True, False)


@pytest.mark.parametrize("inner", ["text/html><b onclick=go()>secret</b>", "MathML-Content><ci>secret</ci>"])
def test_what_annotates_a_formula_is_in_no_file(inner: str) -> None:
    annotation = f"<annotation-xml encoding={inner}</annotation-xml>"
    page = parse(f"<p>Let <math><semantics><mi>x</mi>{annotation}</semantics></math> be.</p>", "")
    written = [
        content_html(all_content(page)),
        content_markdown(all_content(page)),
        document_text(page, all_content(page)),
    ]
    assert [("x" in file, "secret" in file) for file in written] == [(True, False)] * 3
