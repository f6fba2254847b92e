"""The comment at the top of a saved layout tells its source, date, slots and policy, and nothing ends it early."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from tests.support.judged_pages import judged
from tests.support.saved_pages import faults, without_comment

from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.page.parsing import parse
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import template_html

URL = "https://example.org/news/today"
PAGE = "<!doctype html><title>{title}</title><h1>Today</h1><article><h2>A</h2><p>Story</p><ul><li>1</ul></article>"
DAY = date(2026, 3, 14)
SIGNS = (
    "-->",
    "--!>",
    "<!--",
    "#}",
    "{#",
    "-#}",
    "{{",
    "%}",
    "<script>top.x()</script>",
    "\n",
    "\0",
    "\x1b[2J",
    "\u2028",
)


def page_at(url: str, title: str = "News") -> JudgedPage:
    page = parse(PAGE.replace("{title}", title), url)
    content = {"h1", "article", "h2", "p", "ul", "li"}
    return JudgedPage(
        page,
        [tag not in content for tag in page.tags],
        [page.tags[run.parent] not in content for run in page.texts],
        title,
    )


def words(html: str) -> list[str]:
    return " ".join(run.text for run in parse(html, URL).texts).split()


def comment_of(html: str) -> str:
    return html.partition("<!--")[2].partition("-->")[0]


def test_it_tells_where_the_layout_is_from_and_when_and_what_its_slots_held() -> None:
    comment = comment_of(template_html(page_at(URL), Choices(saved=DAY)))
    assert comment.splitlines()[1:3] == [f"The layout of {URL}", "Saved with Sitestencil on 2026-03-14"]
    assert "  main  held: heading, text, list\n" in comment
    assert "its name in data-slot" in comment


def test_a_jinja_layout_has_it_before_its_first_line_and_writes_nothing_of_it() -> None:
    layout = jinja_layout(page_at(URL), Choices(saved=DAY))
    assert layout.startswith(f"{{#\nThe layout of {URL}\nSaved with Sitestencil on 2026-03-14\n")
    assert "  main  held: heading, text, list\n" in layout
    rendered = Environment().from_string(layout).render()
    assert rendered.startswith("<!DOCTYPE html>\n<html>")
    assert "Sitestencil" not in rendered


def test_a_file_without_the_line_that_the_comment_names_has_no_policy() -> None:
    html = template_html(page_at(URL))
    assert "Delete this line" in comment_of(html)
    lines = [line for line in without_comment(html).splitlines() if "Content-Security-Policy" not in line]
    (line,) = [line for line in without_comment(html).splitlines() if "Content-Security-Policy" in line]
    assert line.startswith("<meta ")
    assert line.endswith(">")
    assert parse("\n".join(lines), URL).tags == [
        tag
        for number, tag in enumerate(parse(html, URL).tags)
        if "http-equiv" not in parse(html, URL).attributes[number]
    ]


def test_it_holds_no_password_and_no_token_of_the_address() -> None:
    html = template_html(page_at("https://ida:sesame@example.org/news?session=s3cret&page=2#token=s3cret"))
    assert "https://example.org/news?session=&page=2" in comment_of(html)
    assert "sesame" not in html
    assert "s3cret" not in html


@given(st.lists(st.sampled_from([*SIGNS, "a", "-", " ", "}", ">", "!"]), max_size=6).map("".join))
def test_neither_address_nor_title_ends_it(hostile: str) -> None:
    for part in ("https://example.org/{}", "https://example.org/?{}", "https://example.org/#{}"):
        page = page_at(part.replace("{}", hostile), hostile.replace("<", "&lt;"))
        html = template_html(page, Choices(policy=None))
        assert faults(html) == []
        same = without_comment(html)
        assert parse(html, URL).tags == parse(same, URL).tags
        assert words(html) == words(same)
        layout = jinja_layout(page, Choices(policy=None))
        assert Environment().from_string(layout).render().startswith("<!DOCTYPE html>\n<html>")


def test_a_page_with_very_many_slots_has_a_comment_of_a_page() -> None:
    page = parse("<body>" + "<p>Template</p><b>1</b>" * 300, URL)
    html = template_html(judged(page, [tag != "b" for tag in page.tags]))
    assert "  and 250 more\n" in comment_of(html)
    assert len(comment_of(html)) < 5_000
