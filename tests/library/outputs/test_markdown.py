"""The content as Markdown, read again by another program."""

from itertools import product
from time import process_time

from hypothesis import given
from hypothesis import strategies as st
from tests.support.judged_pages import all_content
from tests.support.markdown_pages import markdown_faults, markdown_of, tokens
from tests.support.tables import table

from sitestencil.outputs.markdown_check import reads_back
from sitestencil.outputs.plain_text import document_text
from sitestencil.outputs.tree import Element
from sitestencil.page.parsing import parse


def test_a_table_of_one_very_long_row_does_not_fill_all_others_with_empty_cells() -> None:
    rows = 2_000
    started = process_time()
    text = markdown_of(f"<table><tr>{'<td>a' * rows}{'<tr><td>b' * rows}</table>")
    assert process_time() - started < 10
    assert (text.count("a"), text.count("b"), text.count("|")) == (rows, rows, 0)
    assert markdown_of("<table><tr><td>a<td>b<tr><td>c</table>").endswith("| c |  |\n")


def test_headings_paragraphs_emphasis_and_links_are_written_as_such() -> None:
    text = markdown_of("<h1>A <i>great</i> day</h1><p>It <b>was</b> <a href=../c>here</a>.<p>And<br>over.")
    assert text == "# A *great* day\n\nIt **was** [here](https://example.org/c).\n\nAnd\\\nover.\n"


def test_lists_in_lists_quotes_and_rules_are_written_as_such() -> None:
    text = markdown_of("<ol start=3><li>x<li>y<ul><li>z</ul></ol><hr><blockquote><p>q</p><p>r</p></blockquote>")
    assert text == "3. x\n4. y\n   - z\n\n___\n\n> q\n>\n> r\n"


def test_code_stands_in_a_fence_that_is_longer_than_any_in_it() -> None:
    text = markdown_of("<pre><code>if a &lt; b:\n    ```\n    c</code></pre>")
    assert text == "````\nif a < b:\n    ```\n    c\n````\n"


def test_a_table_of_data_is_a_table_and_one_for_the_layout_is_not() -> None:
    data = markdown_of("<table><caption>T</caption><tr><th>A<th>B<tr><td>1<td>2 | 3<code>|</code></table>")
    assert data == "T\n\n| A | B |\n| --- | --- |\n| 1 | 2 \\| 3`\\|` |\n"
    assert markdown_of("<table><tr><td><p>One</p><td><div>Two</div></table>") == "One\n\nTwo\n"


def test_blocks_within_a_line_become_part_of_it() -> None:
    text = markdown_of("<a href=/card><div><h3>Card</h3><p>More</p></div></a>")
    assert text.strip() == "### [Card](https://example.org/card)\n\nMore"


def test_words_of_spans_side_by_side_stay_apart() -> None:
    text = markdown_of("<p><span>Categories</span><span>Company</span> i<span>Phone</span> <span>mac</span>OS")
    assert text == "Categories Company iPhone macOS\n"


def test_wrappers_nest_as_deeply_as_they_like() -> None:
    assert markdown_of("<div>" * 400 + "<p>x</p><p>y</p>") == "x\n\ny\n"
    deep = markdown_of("<blockquote>" * 400 + "x")
    assert deep.endswith("> x\n")
    assert deep.count(">") < 50


def test_images_of_the_web_stay_and_of_others_the_words() -> None:
    text = markdown_of('<p><img src=/a.png alt="A [b]"><img src="data:image/png;base64,AA" alt="C"></p>')
    assert text == "![A \\[b\\]](https://example.org/a.png)C\n"


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


def test_what_a_person_fills_in_is_not_there() -> None:
    assert markdown_of("<p>Name <input value=x><select><option>y</select><textarea>z</textarea>") == "Name\n"


def test_links_within_the_page_are_text() -> None:
    assert markdown_of('<a href="#top">Up</a> <a href="javascript:x">No</a>') == "Up No\n"


def test_an_exclamation_mark_before_a_link_makes_no_image_of_it() -> None:
    text = markdown_of("<p>Oh!<a href=/a>b</a> Ah!")
    assert text == "Oh\\![b](https://example.org/a) Ah!\n"


def test_a_long_list_keeps_its_numbers() -> None:
    lines = markdown_of("<ol>" + "<li>x" * 1000 + "</ol>").split()
    assert [line for line in lines if line != "x"] == [f"{number}." for number in range(1, 1001)]


def test_code_beside_code_is_one_piece_and_ends_where_it_should() -> None:
    text = markdown_of("<code>&lt;img src=x onerror=y&gt; `</code><code>x</code>")
    assert text == "``<img src=x onerror=y> `x``\n"


def test_emphasis_that_markdown_cannot_write_is_left_out_and_the_rest_of_the_page_stays() -> None:
    text = markdown_of("<p><b>Note:</b>text <a href=/a>b</a></p><p><b>Note</b> text</p>")
    assert text == "Note:text [b](https://example.org/a)\n\n**Note** text\n"


def test_emphasis_that_markdown_can_write_stays_in_a_line_with_some_that_it_cannot() -> None:
    text = markdown_of("<p>这是<b>粗体</b>文字、<b>「注意」</b>请看。<i>x</i> y</p>")
    assert text == "这是**粗体**文字、「注意」请看。*x* y\n"


def test_emphasis_side_by_side_is_joined_with_the_emphasis_inside_it() -> None:
    cases = {
        "<b>a <i>b</i></b><b><i>c</i></b>": "**a *bc***\n",
        "<b>a <i>b</i></b><b> <i>c</i></b>": "**a *b* *c***\n",
        "<i>a <s>b</s></i><i><s>c</s></i>": "*a ~~bc~~*\n",
    }
    assert {html: markdown_of(f"<p>{html}</p>") for html in cases} == cases


def test_two_line_breaks_part_paragraphs_and_one_does_not() -> None:
    text = markdown_of("<div>a<br> b<br>\n<br>c <b>d<br>e</b><br><br><br>f<br></div><table><td>g<br><br>h</table>")
    assert text == "a\\\nb\n\nc **d\\\ne**\n\nf\n\n| g h |\n| --- |\n"


def test_code_and_formulas_keep_their_bars() -> None:
    assert markdown_of("<p><code>a | b</code><h2><code>|</code></h2>") == "`a | b`\n\n## `|`\n"
    norm = "<math><mo>|</mo><mi>x</mi><mo>|</mo></math>"
    assert markdown_of(f"<h2>{norm}</h2><table><td>{norm}<td><code>|</code></table>") == (
        "## $| x |$\n\n| $\\vert  x \\vert $ | `\\|` |\n| --- | --- |\n"
    )


def test_two_formulas_side_by_side_stay_two() -> None:
    assert markdown_of("<p><math><mi>a</mi></math><math><mi>b</mi></math>") == "$a$ $b$\n"


def test_a_list_beside_items_belongs_to_the_item_before_it() -> None:
    assert markdown_of("<ul><li>a<li>b<ul><li>c</ul></ul>") == markdown_of(
        "<ul><li>a</li><li>b</li><ul><li>c</ul></ul>"
    )
    assert markdown_of("<menu><li>a<ol><li value=3>b<li>c</ol></menu>") == "- a\n\n  3. b\n  4. c\n"


def test_a_row_whose_header_names_it_is_not_the_tables_header() -> None:
    assert markdown_of("<table><tr><th>Name<td>Jo<tr><th>Age<td>30</table>") == (
        "|  |  |\n| --- | --- |\n| Name | Jo |\n| Age | 30 |\n"
    )
    across = markdown_of("<table><tr><td><th>one<tr><th>two<td>2</table>")
    assert across == "|  | one |\n| --- | --- |\n| two | 2 |\n"


def test_a_heading_loses_the_sign_that_links_it_with_itself() -> None:
    text = markdown_of(
        '<h1>One<a class=headerlink href="#one">¶</a></h1><h2><a href="#two">#</a> <a href=/x>Two</a> #</h2>'
    )
    assert text == "# One\n\n## [Two](https://example.org/x) \\#\n"


def test_raised_signs_quotes_and_drawings_read_as_they_show() -> None:
    drawing = "<svg><title>Icon</title></svg>"
    text = markdown_of(f"<p>10<sup>-6</sup> H<sub>2</sub>O, 1<sup>st</sup>: <q>no</q>{drawing}</p>")
    assert text == '10⁻⁶ H₂O, 1st: "no"\n'


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


def test_tex_among_the_words_is_a_formula() -> None:
    text = markdown_of(
        r"<p>Let \(x_1 &lt; 2\) or \[y\] or $$z^2$$, <code>\(c\)</code>.<p>$$ Greek, $$$ French, \(open"
    )
    assert text == "Let $x_1 \\lt 2$ or $$y$$ or $$z^2$$, `\\(c\\)`.\n\n\\$$ Greek, \\$\\$$ French, \\\\(open\n"


def test_two_lists_in_succession_stay_two() -> None:
    assert markdown_of("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>") == "- a\n\n* b\n\n1. c\n\n1) d\n"


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


def test_empty_items_and_lists_are_left_out_and_numbers_stay() -> None:
    assert markdown_of("<ul><li><li>a</ul><ol><li><li>b</ol><ol><li></ol><ul><li></ul>") == "- a\n\n1.\n2. b\n"


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
    text = " ".join(words.split())
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    read = "".join(token.content for token in tokens(markdown_of(f"<p>{escaped}")) if token.type == "text")
    assert read == text
