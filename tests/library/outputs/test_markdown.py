"""The content as Markdown, read again by another program."""

from hypothesis import given
from hypothesis import strategies as st
from tests.support.judged_pages import all_content
from tests.support.markdown_pages import markdown_faults, tokens

from sitestencil.outputs.content import content_body
from sitestencil.outputs.markdown import markdown
from sitestencil.page.parsing import parse


def markdown_of(html: str) -> str:
    page = parse(html, "https://example.org/a/b")
    return markdown(content_body(all_content(page)))


def test_headings_paragraphs_emphasis_and_links_are_written_as_such() -> None:
    text = markdown_of("<h1>A <i>great</i> day</h1><p>It <b>was</b> <a href=../c>here</a>.<p>And<br>over.")
    assert text == "# A *great* day\n\nIt **was** [here](https://example.org/c).\n\nAnd\\\nover.\n"


def test_lists_in_lists_quotes_and_rules_are_written_as_such() -> None:
    text = markdown_of("<ol start=3><li>x<li>y<ul><li>z</ul></ol><hr><blockquote><p>q</p><p>r</p></blockquote>")
    assert text == "3. x\n4. y\n   - z\n\n---\n\n> q\n>\n> r\n"


def test_code_stands_in_a_fence_that_is_longer_than_any_in_it() -> None:
    text = markdown_of("<pre><code>if a &lt; b:\n    ```\n    c</code></pre>")
    assert text == "````\nif a < b:\n    ```\n    c\n````\n"


def test_a_table_of_data_is_a_table_and_one_for_the_layout_is_not() -> None:
    data = markdown_of("<table><caption>T</caption><tr><th>A<th>B<tr><td>1<td>2 | 3<code>|</code></table>")
    assert data == "T\n\n| A | B |\n| --- | --- |\n| 1 | 2 \\| 3\\| |\n"
    assert markdown_of("<table><tr><td><p>One</p><td><div>Two</div></table>") == "One\n\nTwo\n"


def test_blocks_within_a_line_become_part_of_it() -> None:
    text = markdown_of("<a href=/card><div><h3>Card</h3><p>More</p></div></a>")
    assert text.strip() == "[Card More](https://example.org/card)"


def test_wrappers_nest_as_deeply_as_they_like() -> None:
    assert markdown_of("<div>" * 400 + "<p>x</p><p>y</p>") == "x\n\ny\n"
    deep = markdown_of("<blockquote>" * 400 + "x")
    assert deep.endswith("> x\n")
    assert deep.count(">") < 50


def test_images_of_the_web_stay_and_of_others_the_words() -> None:
    text = markdown_of('<p><img src=/a.png alt="A [b]"><img src="data:image/png;base64,AA" alt="C"></p>')
    assert text == "![A \\[b\\]](https://example.org/a.png)C\n"


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
