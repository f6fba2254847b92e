"""The content as Markdown, read again by another program."""

from itertools import product
from pathlib import Path
from time import process_time

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support.judged_pages import all_content
from tests.support.markdown_pages import markdown_faults, markdown_of, tokens
from tests.support.tables import table, written_cases

from sitestencil.outputs.markdown_check import reads_back
from sitestencil.outputs.plain_text import document_text
from sitestencil.outputs.tree import Element
from sitestencil.page.parsing import parse


@table(("shows", "html", "markdown"), written_cases(Path(__file__).with_name("markdown_cases.txt")))
def test_a_page_is_written_as_markdown(shows: str, html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown, shows


def test_a_table_of_one_very_long_row_does_not_fill_all_others_with_empty_cells() -> None:
    rows = 2_000
    started = process_time()
    text = markdown_of(f"<table><tr>{'<td>a' * rows}{'<tr><td>b' * rows}</table>")
    assert process_time() - started < 10
    assert (text.count("a"), text.count("b"), text.count("|")) == (rows, rows, 0)
    assert markdown_of("<table><tr><td>a<td>b<tr><td>c</table>").endswith("| c |  |\n")


def test_wrappers_nest_as_deeply_as_they_like() -> None:
    assert markdown_of("<div>" * 400 + "<p>x</p><p>y</p>") == "x\n\ny\n"
    deep = markdown_of("<blockquote>" * 400 + "x")
    assert deep.endswith("> x\n")
    assert deep.count(">") < 50


@table(
    "attributes",
    [
        "src=data:image/gif;base64,AA data-src=/i.jpg",
        "src=/grey.gif data-original=/i.jpg",
        "class=lazyload data-srcset='/s.jpg 480w, /i.jpg 1200w'",
        "srcset='/i.jpg 2x, /s.jpg, /t.jpg 1.2.3x, /u.jpg 1w 1h'",
        "src=/i.jpg data-src=/i_{width}x.jpg data-srcset=' '",
    ],
)
def test_an_image_that_a_script_loads_later_has_its_address(attributes: str) -> None:
    assert markdown_of(f"<p><img alt=a {attributes}></p>") == "![a](https://example.org/i.jpg)\n"


def test_an_image_of_one_pixel_is_in_neither_markdown_nor_text() -> None:
    html = "<p>a<img src=/visits.gif width=1 height=1 alt=v></p>"
    assert markdown_of(html) == "a\n"
    page = parse(html, "https://example.org/")
    assert document_text(page, all_content(page)) == "a\n"


def test_a_long_list_keeps_its_numbers() -> None:
    lines = markdown_of("<ol>" + "<li>x" * 1000 + "</ol>").split()
    assert [line for line in lines if line != "x"] == [f"{number}." for number in range(1, 1001)]


@table(
    "html",
    [
        "<p>A<a href=#_ftn1 name=_ftnref1>[1]</a></p><div><p><a href=#_ftnref1 name=_ftn1>[1]</a> {}</div>",
        "<p>A<sup><a href=#n1 id=r1>1</a></sup></p><p id=n1><a href=#r1>1</a> {}",
        "<p>A<a id=r href=#f>1</a></p><div class=footnote><a id=f href=#r>1</a><div><p>{}</div></div>",
        "<p>A<a href=#id2 id=id1>[1]</a></p><aside class=footnote id=id2><span>[<a href=#id1>1</a>]</span>{}",
    ],
)
def test_a_note_that_begins_with_a_link_back_is_a_footnote(html: str) -> None:
    assert markdown_of(html.format("Of a rope it is.")) == "A[^1]\n\n[^1]: Of a rope it is.\n"


def test_numbers_that_link_to_places_are_no_footnotes() -> None:
    contents = "<ul><li><a href=#a id=b>1</a> One</ul><p><a href=#c>2</a>"
    assert "^" not in markdown_of(f"{contents}<div><h2><a href=#b id=a>1</a> One</h2></div><p id=c>Two")
    assert "^" not in markdown_of(f"{contents}<div><a href=#b id=a>1</a> One<p>More</div>")


# Two of each piece may touch, and three of those that say where something starts or ends.
SIGNS = [
    *("<code>&lt;img src=x onerror=y&gt; `</code>", "<code>``</code>", "<em>a</em>", "<b>a`</b>", "&lt;u&gt;", "`"),
    *("\\", "[", "](javascript:x)", "!", "|", "&amp;lt;u&gt;", "<a href=/l>l</a>", "<img src=/i alt='`]'>", "\n"),
]
BLOCKS = [
    *(
        "<h2>{}</h2>",
        "<p>{}</p>",
        "<pre>{}</pre>",
        "<ul><li>{}</ul>",
        "<ol><li>{}</ol>",
        "<blockquote>{}</blockquote>",
    ),
    *(
        "<table><tr><td>{}</table>",
        "<a href=/o>{}</a>",
        "<del>{}</del>",
        "<code>{}</code>",
        "<div>{}</div>",
        "{}<br>{}",
    ),
]
# Formulas are written as they are, and footnotes with brackets.
NEW_SIGNS = [
    "<script type='math/tex'>a<u>](javascript:x)![`$</script>",
    "<script type='math/tex;mode=display'><u> \\ $</script>",
    *("<sup><a href=#n>1</a></sup>", "(javascript:x)", ": javascript:x", "$", "$u$"),
]
NOTES = (
    "<ul><li id=n>javascript:x</ul>",
    "<ul><li id=n><a href=/l>l</a> 'a'</ul>",
    "<ol><li id=n>a<b>b</b><p>c</ol>",
)
TWO_SIGNS = ["".join(pair) for pair in product(SIGNS, repeat=2)]
PAGES_OF_SIGNS = {
    "three signs": ["".join(three) for three in product(SIGNS, repeat=3)],
    "two signs in a block": [block.format(signs, signs) for block in BLOCKS for signs in TWO_SIGNS],
    "a sign in two blocks": [a.format(b.format(s, s), s) for a in BLOCKS for b in BLOCKS for s in SIGNS],
    "formulas and footnotes": [
        block.format(f"{a}{b}{c}", a) + note
        for block in ("<p>{}</p>", "<table><tr><td>{}</table>", "<h2>{}</h2>")
        for a, b, c in product(NEW_SIGNS, [*NEW_SIGNS, *SIGNS], NEW_SIGNS)
        for note in NOTES
    ],
    "a sign between two blocks": [
        a.format(s, s) + s + b.format(s, s) for a in BLOCKS for b in BLOCKS for s in SIGNS[:6]
    ],
}
ADDRESSES = {"https://example.org/l", "https://example.org/o", "https://example.org/i"}


@table("pages", PAGES_OF_SIGNS.values())
def test_no_small_page_makes_html_or_a_link_that_it_does_not_have(pages: list[str]) -> None:
    for html in pages:
        text = markdown_of(html)
        read = list(tokens(text))
        assert not [token for token in read if token.type in {"html_inline", "html_block"}], (html, text)
        led_to = {token.attrs[name] for token in read for name in ("href", "src") if name in token.attrs}
        assert led_to <= ADDRESSES, (html, text)


@table(
    "text",
    [
        "`a <b>",
        "a <b>x",
        "[a](https://evil.example/)",
        "![a](https://evil.example/)",
        "<https://evil.example/>",
        "# a",
    ],
)
def test_a_text_that_is_read_otherwise_than_it_was_meant_is_noticed(text: str) -> None:
    assert not reads_back(text, Element("div", children=[Element("p", children=[text])]))


MARKUP = st.sampled_from(
    "<b> <i> <a href=/x> <code> <pre> <p> <li> <ul> <ol> <td> <table> <tr> <blockquote> <h2> <br> <div> </b> </a> "
    "</code> </pre> </p> </ul> </table> </blockquote> </div> <img alt='&lt;u>`|' src=/y> &lt;u> ` `` ``` ~~~ * ** "
    "_ [ ] ( ) ! | \\ # - + = 1. > &amp;lt; &#10; word javascript:x ]( </ &lt;!--".split()
) | st.sampled_from([" ", "\n", "\n\n", "    "])


@given(st.lists(MARKUP, max_size=40).map("".join))
def test_no_markup_of_a_page_makes_html_or_a_link_that_runs(html: str) -> None:
    assert markdown_faults(markdown_of(html)) == []


@given(st.text(st.sampled_from("ab1 <>&;*_`[]()!|\\#-+=.~\"'{}"), max_size=30))
def test_a_paragraphs_text_is_read_again_as_it_was(words: str) -> None:
    assume("\\(" not in words and "\\[" not in words)  # begins a formula
    text = " ".join(words.split())
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    read = "".join(token.content for token in tokens(markdown_of(f"<p>{escaped}")) if token.type == "text")
    assert read == text
